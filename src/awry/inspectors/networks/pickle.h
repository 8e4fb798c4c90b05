// SPDX-License-Identifier: Apache-2.0
// Reads the pickles that torch saves a model's tensors with, and nothing else.
//
// A pickle is a program for Python: it may call any function it names. Here it is run on a machine that has
// no functions. The handful of names that saved tensors need are understood as data (a storage type, "make a
// tensor of this storage", an ordered dictionary), and any other name ends the reading with an error.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "awry/base/result.h"

namespace awry::inspectors::networks {

struct PickledStorage {
  std::string type;  // "FloatStorage"
  std::string key;   // names the numbers: a file in the archive, or a place behind the pickle
  std::int64_t elements = 0;
};

struct PickledTensor {
  PickledStorage storage;
  std::int64_t offset = 0;  // in elements
  std::vector<std::int64_t> shape, strides;
};

struct PickledNone {};
struct PickledName {  // module and name, as in "torch FloatStorage"
  std::string text;
};
struct PickledList;  // a tuple, list or dictionary: keys and values in turn
using PickledValue = std::variant<PickledNone, std::int64_t, double, std::string, PickledName, PickledStorage,
                                  PickledTensor, PickledList*>;
struct PickledList {
  std::vector<PickledValue> items;
};

struct Pickle {
  PickledValue value;
  std::size_t bytes = 0;          // its length
  std::deque<PickledList> lists;  // what values point into
};

// The pickle that `bytes` begin with. Work and memory are in proportion to its length.
Result<Pickle> read_pickle(std::span<const std::byte> bytes, std::string_view source);

}  // namespace awry::inspectors::networks
