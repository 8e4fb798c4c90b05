// SPDX-License-Identifier: Apache-2.0
// Fitting the seam network to examples: logistic loss, Adam, fixed seed.
#pragma once

#include <vector>

#include "awry/inspectors/forensics/seam_network.h"

namespace awry::tune {

struct SeamExample {
  inspectors::forensics::SeamFeatures features;
  bool seam = false;
};

struct SeamTraining {
  int epochs = 14;
  double rate = 2e-3, decay = 1e-4;
};

inspectors::forensics::SeamNetwork train_seam_network(const std::vector<SeamExample>& examples,
                                                      const SeamTraining& training = {});

}  // namespace awry::tune
