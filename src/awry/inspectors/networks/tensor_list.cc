// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/tensor_list.h"

#include <fmt/format.h>

namespace awry::inspectors::networks {

std::optional<std::uint64_t> element_count(std::span<const std::int64_t> shape) {
  std::uint64_t count = 1;
  for (const std::int64_t side : shape) {
    if (side < 0 || __builtin_mul_overflow(count, static_cast<std::uint64_t>(side), &count)) return {};
  }
  return count;
}

Result<void> add_tensor(TensorList& tensors, std::string name, TensorPlace place,
                        std::span<const std::byte> file, std::string_view source) {
  const auto refuse = [&](std::string why) {
    return fail({.what = fmt::format("cannot read tensor '{}' of", name),
                 .input = std::string(source),
                 .why = std::move(why),
                 .hint = "Download the file again."});
  };
  std::uint64_t bytes = 0;
  const auto count = element_count(place.shape);
  if (!count || __builtin_mul_overflow(*count, place.item_bytes, &bytes)) {
    return refuse("its shape is not possible");
  }
  if (place.begin > file.size() || bytes > file.size() - place.begin) {
    return refuse(fmt::format("its {} bytes from {} on do not lie within the file's {}", bytes, place.begin,
                              file.size()));
  }
  if (tensors.contains(name)) return refuse("it is there twice");
  tensors.emplace(
      std::move(name),
      TensorView{.type = place.type, .shape = std::move(place.shape), .data = file.data() + place.begin});
  return {};
}

}  // namespace awry::inspectors::networks
