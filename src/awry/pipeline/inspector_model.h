// SPDX-License-Identifier: Apache-2.0
// Lets an embedded inspector take part in a protocol: it looks, the protocol words what it saw.
#pragma once

#include <memory>

#include "awry/inspectors/inspection.h"
#include "awry/pipeline/models.h"

namespace awry::pipeline {

std::unique_ptr<Model> make_inspector_model(std::unique_ptr<inspectors::Inspector> inspector,
                                            const benchmarks::Protocol& protocol);

}  // namespace awry::pipeline
