// SPDX-License-Identifier: Apache-2.0
// pytorch_model.bin, as torch.save() writes it today and as it did before version 1.6.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "awry/inspectors/networks/pickle.h"
#include "awry/inspectors/networks/tensor_list.h"
#include "awry/inspectors/networks/zip_directory.h"

namespace awry::inspectors::networks {
namespace {

constexpr std::uint64_t kMaxPickle = 64ULL << 20;
// The low eight of the ten bytes of the number that old files begin with, 0x1950a86a20f9469cfc6c.
constexpr std::uint64_t kOldMagic = 0xa86a20f9469cfc6cULL;
constexpr std::int64_t kOldProtocol = 1001;

struct StorageType {
  std::string_view name;
  DataType type;
  std::size_t bytes;
};
constexpr StorageType kStorageTypes[] = {
    {"FloatStorage", DataType::kF32, 4},     {"HalfStorage", DataType::kF16, 2},
    {"BFloat16Storage", DataType::kBf16, 2}, {"DoubleStorage", DataType::kOther, 8},
    {"LongStorage", DataType::kOther, 8},    {"IntStorage", DataType::kOther, 4},
    {"ShortStorage", DataType::kOther, 2},   {"CharStorage", DataType::kOther, 1},
    {"ByteStorage", DataType::kOther, 1},    {"BoolStorage", DataType::kOther, 1}};

const StorageType* type_called(std::string_view name) {
  for (const StorageType& type : kStorageTypes) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

bool is_row_major(const PickledTensor& tensor) {
  if (tensor.shape.size() != tensor.strides.size()) return false;
  std::int64_t step = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] > 1 && tensor.strides[i] != step) return false;
    if (tensor.shape[i] < 0 || __builtin_mul_overflow(step, tensor.shape[i], &step)) return false;
  }
  return true;
}

// Where the numbers of each storage lie.
using Storages = std::map<std::string, ZipEntry, std::less<>>;

class TorchFile {
 public:
  TorchFile(std::span<const std::byte> file, std::string_view source) : file_(file), source_(source) {}

  Result<TensorList> read() {
    const bool is_zip = file_.size() >= 4 && std::memcmp(file_.data(), "PK\x03\x04", 4) == 0;
    return is_zip ? read_archive() : read_old();
  }

 private:
  tl::unexpected<Error> refuse(std::string why) const {
    return fail({.what = "cannot read weights",
                 .input = std::string(source_),
                 .why = std::move(why),
                 .hint = "Download the file again."});
  }

  Result<TensorList> read_archive() const {
    AWRY_TRY_ASSIGN(const ZipDirectory entries, read_zip_directory(file_, source_));
    constexpr std::string_view kPickle = "/data.pkl";
    const ZipEntry* program = nullptr;
    std::string top;
    for (const auto& [name, entry] : entries) {
      if (!name.ends_with(kPickle)) continue;
      program = &entry;
      top = name.substr(0, name.size() - kPickle.size());
      break;
    }
    if (program == nullptr) return refuse("the archive has no data.pkl");
    if (program->size > kMaxPickle) return refuse("its pickle is above 64 MiB");
    Storages storages;
    for (const auto& [name, entry] : entries) {
      const std::string folder = top + "/data/";
      if (name.starts_with(folder)) storages.emplace(name.substr(folder.size()), entry);
    }
    AWRY_TRY_ASSIGN(const Pickle pickle, read_pickle(file_.subspan(program->begin, program->size), source_));
    return tensors_of(pickle, storages);
  }

  // Four pickles (magic number, protocol, machine, tensors), a list of storages, and their numbers, each
  // behind its count.
  Result<TensorList> read_old() const {
    std::uint64_t at = 0;
    const auto next = [&]() -> Result<Pickle> {
      auto pickle = read_pickle(file_.subspan(at, std::min(file_.size() - at, kMaxPickle)), source_);
      if (pickle) at += pickle->bytes;
      return pickle;
    };
    AWRY_TRY_ASSIGN(const Pickle magic, next());
    const auto* number = std::get_if<std::int64_t>(&magic.value);
    if (number == nullptr || static_cast<std::uint64_t>(*number) != kOldMagic) {
      return refuse("torch did not write it");
    }
    AWRY_TRY_ASSIGN(const Pickle protocol, next());
    const auto* version = std::get_if<std::int64_t>(&protocol.value);
    if (version == nullptr || *version != kOldProtocol) return refuse("torch did not write it");
    AWRY_TRY_ASSIGN(const Pickle machine, next());
    AWRY_TRY_ASSIGN(const Pickle pickle, next());
    AWRY_TRY_ASSIGN(const Pickle keys, next());
    std::map<std::string, PickledStorage> known;
    collect_storages(pickle, known);

    const auto* list = std::get_if<PickledList*>(&keys.value);
    if (list == nullptr) return refuse("it has no list of storages");
    Storages storages;
    for (const PickledValue& item : (*list)->items) {
      const auto* key = std::get_if<std::string>(&item);
      if (key == nullptr) return refuse("it has no list of storages");
      std::int64_t count = 0;
      if (file_.size() - at < sizeof count) return refuse("the file is cut off");
      std::memcpy(&count, file_.data() + at, sizeof count);
      at += sizeof count;
      const auto storage = known.find(*key);
      const StorageType* const type = storage == known.end() ? nullptr : type_called(storage->second.type);
      if (type == nullptr) return refuse(fmt::format("nothing refers to its storage '{}'", *key));
      const std::uint64_t room = (file_.size() - at) / type->bytes;
      if (count < 0 || static_cast<std::uint64_t>(count) > room) return refuse("the file is cut off");
      const ZipEntry place{at, static_cast<std::uint64_t>(count) * type->bytes};
      storages.emplace(*key, place);
      at += place.size;
    }
    return tensors_of(pickle, storages);
  }

  static void collect_storages(const Pickle& pickle, std::map<std::string, PickledStorage>& known) {
    const auto* dictionary = std::get_if<PickledList*>(&pickle.value);
    if (dictionary == nullptr) return;
    for (const PickledValue& value : (*dictionary)->items) {
      if (const auto* tensor = std::get_if<PickledTensor>(&value)) {
        known.emplace(tensor->storage.key, tensor->storage);
      }
    }
  }

  Result<TensorList> tensors_of(const Pickle& pickle, const Storages& storages) const {
    const auto* dictionary = std::get_if<PickledList*>(&pickle.value);
    if (dictionary == nullptr || (*dictionary)->items.size() % 2 != 0) {
      return refuse("it does not hold a dictionary of tensors");
    }
    TensorList tensors;
    const auto& items = (*dictionary)->items;
    for (std::size_t i = 0; i < items.size(); i += 2) {
      const auto* name = std::get_if<std::string>(&items[i]);
      const auto* tensor = std::get_if<PickledTensor>(&items[i + 1]);
      if (name == nullptr || tensor == nullptr) return refuse("it does not hold a dictionary of tensors");
      AWRY_TRY(add(*name, *tensor, storages, tensors));
    }
    return tensors;
  }

  Result<void> add(const std::string& name, const PickledTensor& tensor, const Storages& storages,
                   TensorList& tensors) const {
    const StorageType* const type = type_called(tensor.storage.type);
    if (type == nullptr) return refuse(fmt::format("tensor '{}' has an unknown type", name));
    const auto storage = storages.find(tensor.storage.key);
    if (storage == storages.end()) return refuse(fmt::format("the numbers of tensor '{}' are missing", name));
    if (!is_row_major(tensor)) {
      return refuse(fmt::format("tensor '{}' is not stored row by row", name));
    }
    const std::uint64_t count = element_count(tensor.shape).value_or(UINT64_MAX);
    const std::uint64_t held = storage->second.size / type->bytes;
    if (tensor.offset < 0 || static_cast<std::uint64_t>(tensor.offset) > held ||
        count > held - static_cast<std::uint64_t>(tensor.offset)) {
      return refuse(fmt::format("tensor '{}' is larger than its numbers", name));
    }
    const std::uint64_t begin =
        storage->second.begin + static_cast<std::uint64_t>(tensor.offset) * type->bytes;
    return add_tensor(tensors, name,
                      {.type = type->type, .item_bytes = type->bytes, .shape = tensor.shape, .begin = begin},
                      file_, source_);
  }

  std::span<const std::byte> file_;
  std::string_view source_;
};

}  // namespace

Result<TensorList> read_torch_file(std::span<const std::byte> file, std::string_view source) {
  return TorchFile(file, source).read();
}

}  // namespace awry::inspectors::networks
