// SPDX-License-Identifier: Apache-2.0
// Opens the modules that hold heavy libraries, from beside the program or where it was installed. Each is
// opened once, when first needed, and never closed. One that is not there, or was built from other sources,
// is an error that says what to do.
#pragma once

#include <memory>

#include "awry/base/result.h"
#include "awry/inspectors/networks/encoder_module.h"
#include "awry/inspectors/networks/piece_module.h"

namespace awry::inspectors::networks {

Result<const ModuleInterface*> load_torch();
Result<std::unique_ptr<TextEncoder>> make_encoder(const EncoderSetup& setup);

Result<const PieceInterface*> load_sentencepiece();

}  // namespace awry::inspectors::networks
