// SPDX-License-Identifier: Apache-2.0
// The list of protocols: one folder and one line each.
#include <array>

#include "awry/benchmarks/anomreason/anomreason.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "awry/benchmarks/protocol.h"
#include "awry/benchmarks/tgad/tgad.h"
#include "awry/benchmarks/themis/themis.h"

namespace awry::benchmarks {

std::span<const Protocol* const> all_protocols() {
  static constexpr std::array kProtocols = {
      &anomreason::kProtocol, &themis::kProtocol,         &tgad::kProtocol,
      &cave::kProtocol,       &magicmirror::kMagicMirror, &magicmirror::kMagicBench,
  };
  return kProtocols;
}

const Protocol* find_protocol(std::string_view name) {
  for (const Protocol* protocol : all_protocols()) {
    if (protocol->name == name) return protocol;
  }
  return nullptr;
}

}  // namespace awry::benchmarks
