// SPDX-License-Identifier: Apache-2.0
// One function per PanelKind, each in its own paint_<kind>.cc. Sizes have been checked by paint_panel.
#pragma once

#include "awry/forge/paint.h"

namespace awry::forge {

Painted paint_micrograph(int width, int height, RandomStream random, RandomStream style);
Painted paint_stained_micrograph(int width, int height, RandomStream random, RandomStream style);
Painted paint_blot(int width, int height, RandomStream random, RandomStream style);
Painted paint_chart(int width, int height, RandomStream random, RandomStream style);
Painted paint_scatter_plot(int width, int height, RandomStream random, RandomStream style);
Painted paint_medical_scan(int width, int height, RandomStream random, RandomStream style);
Painted paint_diagram(int width, int height, RandomStream random, RandomStream style);
Painted paint_physical_object(int width, int height, RandomStream random, RandomStream style);
Painted paint_table(int width, int height, RandomStream random, RandomStream style);
Painted paint_screenshot(int width, int height, RandomStream random, RandomStream style);

}  // namespace awry::forge
