// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "awry/base/json.h"
#include "awry/inspectors/networks/tensor_list.h"

namespace awry::inspectors::networks {
namespace {

// The format allows 100 MB; an encoder of a hundred layers needs a few hundred kilobytes.
constexpr std::uint64_t kMaxHeaderBytes = 4ULL << 20;

struct Stored {
  std::string_view name;
  DataType type;
  std::size_t bytes;
};
constexpr Stored kTypes[] = {
    {"F32", DataType::kF32, 4},    {"F16", DataType::kF16, 2},       {"BF16", DataType::kBf16, 2},
    {"F64", DataType::kOther, 8},  {"I64", DataType::kOther, 8},     {"U64", DataType::kOther, 8},
    {"I32", DataType::kOther, 4},  {"U32", DataType::kOther, 4},     {"I16", DataType::kOther, 2},
    {"U16", DataType::kOther, 2},  {"I8", DataType::kOther, 1},      {"U8", DataType::kOther, 1},
    {"BOOL", DataType::kOther, 1}, {"F8_E4M3", DataType::kOther, 1}, {"F8_E5M2", DataType::kOther, 1}};

const Stored* type_called(const Json& name) {
  if (!name.is_string()) return nullptr;
  for (const Stored& type : kTypes) {
    if (type.name == name.get_ref<const std::string&>()) return &type;
  }
  return nullptr;
}

// Whole numbers that fit; nothing for anything else.
std::optional<std::vector<std::int64_t>> whole_numbers(const Json& list) {
  if (!list.is_array() || list.size() > 16) return {};
  std::vector<std::int64_t> numbers;
  for (const Json& item : list) {
    if (!item.is_number_integer()) return {};
    if (item.is_number_unsigned() && item.get<std::uint64_t>() > INT64_MAX) return {};
    numbers.push_back(item.get<std::int64_t>());
  }
  return numbers;
}

}  // namespace

Result<TensorList> read_safetensors(std::span<const std::byte> file, std::string_view source) {
  const auto refuse = [&](std::string why) {
    return fail({.what = "cannot read weights",
                 .input = std::string(source),
                 .why = std::move(why),
                 .hint = "Download the file again."});
  };
  if (file.size() < 8) return refuse("it is too short to be a safetensors file");
  std::uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, file.data(), 8);  // little-endian, as are all machines awry is built for
  if (header_bytes > file.size() - 8) {
    return refuse(fmt::format("the file ends after {} bytes, inside its header", file.size()));
  }
  if (header_bytes > kMaxHeaderBytes) return refuse("its header is above 4 MiB");
  const std::string_view text(reinterpret_cast<const char*>(file.data() + 8), header_bytes);
  AWRY_TRY_ASSIGN(const Json header, parse_json(text, source));
  if (!header.is_object()) return refuse("its header is no JSON object");

  TensorList tensors;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
        !entry.contains("data_offsets")) {
      return refuse(fmt::format("tensor '{}' lacks dtype, shape or data_offsets", name));
    }
    const Stored* const type = type_called(entry["dtype"]);
    if (type == nullptr) return refuse(fmt::format("tensor '{}' has an unknown type", name));
    auto shape = whole_numbers(entry["shape"]);
    const auto offsets = whole_numbers(entry["data_offsets"]);
    const auto count = shape ? element_count(*shape) : std::nullopt;
    if (!count || !offsets || offsets->size() != 2 || (*offsets)[0] < 0 || (*offsets)[1] < (*offsets)[0]) {
      return refuse(fmt::format("tensor '{}' has an impossible shape or place", name));
    }
    const auto claimed = static_cast<std::uint64_t>((*offsets)[1] - (*offsets)[0]);
    if (*count > claimed || *count * type->bytes != claimed) {
      return refuse(fmt::format("tensor '{}' has {} bytes, but its shape needs {}", name, claimed,
                                *count * type->bytes));
    }
    AWRY_TRY(add_tensor(tensors, name,
                        {.type = type->type,
                         .item_bytes = type->bytes,
                         .shape = std::move(*shape),
                         .begin = 8 + header_bytes + static_cast<std::uint64_t>((*offsets)[0])},
                        file, source));
  }
  return tensors;
}

}  // namespace awry::inspectors::networks
