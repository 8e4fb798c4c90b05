// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/verdict.h"

#include <simdjson.h>

#include <array>
#include <cstring>

#include "awry/base/text.h"
#include "awry/benchmarks/magicmirror/loose_verdict.h"

namespace awry::benchmarks::magicmirror {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kBox = "\\boxed{";
constexpr std::size_t kLongestVerdict = 16 * 1024;

struct Box {
  std::string_view content;
  std::string_view behind;  // the rest of the reply
};

// Braces are counted whether quoted or not, as the released extraction does.
std::optional<Box> last_box(std::string_view reply) {
  const std::size_t at = reply.rfind(kBox);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t begin = at + kBox.size();
  int depth = 0;
  for (std::size_t i = begin; i < reply.size(); ++i) {
    if (reply[i] == '{') ++depth;
    if (reply[i] == '}' && --depth < 0) return Box{trim(reply.substr(begin, i - begin)), reply.substr(i)};
  }
  return std::nullopt;
}

struct StrictVerdict {
  LabelSet labels;
  bool odd = false;  // a label was given the value false or the like, which the released checker overlooks
};

bool says_no(dom::element value) {
  bool truth = true;
  if (value.get_bool().get(truth) == simdjson::SUCCESS) return !truth;
  return value.is_null();
}

std::optional<StrictVerdict> read_types(dom::object types) {
  StrictVerdict verdict{LabelSet::artifact()};
  for (const auto [name, value] : types) {
    const auto level2 = level2_named(name);
    if (!level2) return std::nullopt;
    verdict.labels.add(*level2);
    if (!label_of(*level2).has_level3) {
      verdict.odd |= says_no(value);
      continue;
    }
    dom::array list;
    if (value.get_array().get(list)) return std::nullopt;
    for (const dom::element item : list) {
      std::string_view text;
      if (item.get_string().get(text)) return std::nullopt;
      const auto level3 = level3_named(text);
      if (!level3 || kLevel3[*level3].parent != *level2) return std::nullopt;
      verdict.labels.add_level3(*level3);
    }
  }
  return verdict;
}

std::optional<StrictVerdict> read_strict(dom::element root) {
  dom::object object;
  bool normal = false;
  if (root.get_object().get(object)) return std::nullopt;
  if (object["Whether Normal"].get_bool().get(normal)) return std::nullopt;
  if (normal) return object.size() == 1 ? std::optional(StrictVerdict{}) : std::nullopt;
  dom::object types;
  if (object.size() != 2 || object["Type of Deformity"].get_object().get(types)) return std::nullopt;
  return read_types(types);
}

}  // namespace

struct VerdictReader::Buffers {
  dom::parser parser;
  std::array<char, kLongestVerdict + simdjson::SIMDJSON_PADDING> text{};

  std::optional<StrictVerdict> strict(std::string_view json) {
    if (json.empty() || json.front() != '{' || json.size() > kLongestVerdict) return std::nullopt;
    std::memcpy(text.data(), json.data(), json.size());
    dom::element root;
    if (parser.parse(text.data(), json.size(), false).get(root)) return std::nullopt;
    return read_strict(root);
  }
};

VerdictReader::VerdictReader() : buffers_(std::make_unique<Buffers>()) {}
VerdictReader::~VerdictReader() = default;
VerdictReader::VerdictReader(VerdictReader&&) noexcept = default;
VerdictReader& VerdictReader::operator=(VerdictReader&&) noexcept = default;

Result<Verdict> VerdictReader::read(std::string_view reply) {
  Verdict verdict;
  const std::optional<Box> box = last_box(reply);
  const auto strict = buffers_->strict(box ? box->content : trim(reply));
  if (strict && box) verdict.as_released = strict->labels;
  // A box that is followed by the end of the thinking was a draft.
  const bool draft = box && box->behind.find("</think") != std::string_view::npos;
  if (strict && !strict->odd && !draft) {
    verdict.labels = strict->labels;
    return verdict;
  }
  AWRY_TRY_ASSIGN(parse::Parsed<LabelSet> loose, read_loose_verdict(reply));
  verdict.labels = loose.value;
  verdict.tolerated = std::move(loose.tolerated);
  return verdict;
}

}  // namespace awry::benchmarks::magicmirror
