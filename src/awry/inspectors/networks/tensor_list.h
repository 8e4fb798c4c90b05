// SPDX-License-Identifier: Apache-2.0
// The tensors of a weights file by name. Readers check every offset and size against the file before anyone
// looks at a number, and allocate in proportion to the header, never to what the header claims.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/inspectors/networks/encoder_module.h"

namespace awry::inspectors::networks {

using TensorList = std::map<std::string, TensorView, std::less<>>;

// Both take the whole file, as mapped, and name `source` in errors. Tensors of types that no encoder has
// (integers, doubles) are listed as kOther.

// model.safetensors: eight bytes of length, a JSON header, then the numbers.
Result<TensorList> read_safetensors(std::span<const std::byte> file, std::string_view source);

// pytorch_model.bin: a pickled dictionary of tensors, in a zip archive (torch 1.6 and later) or with the
// numbers behind it (earlier). Pickles are programs; this one is only understood as far as a dictionary of
// tensors needs, and whatever else it asks for is refused (pickle.h).
Result<TensorList> read_torch_file(std::span<const std::byte> file, std::string_view source);

// Adds a tensor to the list. The numbers must lie inside `file`; a name that is there already, a negative or
// overflowing shape and a range outside the file are errors.
struct TensorPlace {
  DataType type = DataType::kOther;
  std::size_t item_bytes = 0;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // in the file
};
Result<void> add_tensor(TensorList& tensors, std::string name, TensorPlace place,
                        std::span<const std::byte> file, std::string_view source);

// Elements of a shape, or nothing when a side is negative or the product overflows.
std::optional<std::uint64_t> element_count(std::span<const std::int64_t> shape);

}  // namespace awry::inspectors::networks
