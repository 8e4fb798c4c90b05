// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/model_args.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "awry/base/json.h"
#include "awry/base/text.h"

namespace awry::inspectors::vlm {
namespace {

enum class Shape { kNumber, kInteger, kCount, kText, kFlag };

struct KnownArg {
  std::string_view name;
  Shape shape;
};
constexpr std::array kKnownArgs = {
    KnownArg{"temperature", Shape::kNumber},
    KnownArg{"top_p", Shape::kNumber},
    KnownArg{"top_k", Shape::kInteger},
    KnownArg{"min_p", Shape::kNumber},
    KnownArg{"presence_penalty", Shape::kNumber},
    KnownArg{"frequency_penalty", Shape::kNumber},
    KnownArg{"seed", Shape::kInteger},
    KnownArg{"max_tokens", Shape::kCount},
    KnownArg{"max_completion_tokens", Shape::kCount},
    KnownArg{"reasoning_effort", Shape::kText},
    KnownArg{"verbosity", Shape::kText},
    KnownArg{"service_tier", Shape::kText},
    KnownArg{"logprobs", Shape::kFlag},
};
constexpr std::array<std::string_view, 4> kOurs = {"model", "messages", "stream", "n"};
constexpr std::array<std::string_view, 2> kLimits = {"max_tokens", "max_completion_tokens"};

std::string_view describe(Shape shape) {
  switch (shape) {
    case Shape::kNumber:
      return "a number";
    case Shape::kInteger:
      return "a whole number";
    case Shape::kCount:
      return "a whole number above 0";
    case Shape::kText:
      return "a word";
    case Shape::kFlag:
      return "true or false";
  }
  return "";
}

bool fits(const Json& value, Shape shape) {
  switch (shape) {
    case Shape::kNumber:
      return value.is_number();
    case Shape::kInteger:
      return value.is_number_integer();
    case Shape::kCount:
      return value.is_number_unsigned() && value.get<std::uint64_t>() > 0;
    case Shape::kText:
      return value.is_string();
    case Shape::kFlag:
      return value.is_boolean();
  }
  return false;
}

tl::unexpected<Error> refuse(std::string_view name, std::string why, std::string hint = "") {
  return fail({.kind = ErrorKind::kUsage,
               .what = "cannot use the model argument",
               .input = std::string(name),
               .why = std::move(why),
               .hint = std::move(hint)});
}

Result<Json> typed_value(std::string_view name, std::string_view text) {
  const auto* known = std::ranges::find(kKnownArgs, name, &KnownArg::name);
  // Only what is JSON through and through: "high" and "1e" are words.
  Result<Json> parsed = parse_json(text, name);
  Json value = parsed ? std::move(*parsed) : Json(repair_utf8(text));
  const bool broken_structure = !parsed && (text.starts_with('{') || text.starts_with('['));
  if (broken_structure)
    return refuse(name, "its value is not well-formed JSON", "Check quotes and brackets.");
  if (known != kKnownArgs.end() && !value.is_null() && !fits(value, known->shape)) {
    return refuse(name, fmt::format("it must be {}, not '{}'", describe(known->shape), text));
  }
  return value;
}

}  // namespace

std::string ModelArgs::canonical() const {
  std::string json = "{";
  for (const auto& [name, value] : values) {
    if (json.size() > 1) json += ',';
    json += dump_json(Json(name)) + ':' + value;
  }
  return json + '}';
}

Result<ModelArgs> parse_model_args(std::span<const std::string> args) {
  ModelArgs parsed;
  for (const std::string& arg : args) {
    const std::size_t equals = arg.find('=');
    const std::string name(trim(std::string_view(arg).substr(0, equals)));
    if (equals == std::string::npos || name.empty()) {
      return refuse(arg, "it is not of the form key=value", "Write it like this: --model-arg temperature=0.");
    }
    if (std::ranges::find(kOurs, name) != kOurs.end()) return refuse(name, "awry sets it itself");
    const std::string underscored = replace_all(name, "-", "_");
    if (underscored != name &&
        std::ranges::find(kKnownArgs, underscored, &KnownArg::name) != kKnownArgs.end()) {
      return refuse(name, "endpoints do not know it", fmt::format("Did you mean {}?", underscored));
    }
    AWRY_TRY_ASSIGN(const Json value, typed_value(name, trim(std::string_view(arg).substr(equals + 1))));
    if (!parsed.values.emplace(name, dump_json(value)).second) return refuse(name, "it is given twice");
  }
  return parsed;
}

std::optional<ModelArgs> with_doubled_limit(const ModelArgs& args) {
  for (const std::string_view name : kLimits) {
    const auto found = args.values.find(std::string(name));
    if (found == args.values.end()) continue;
    const std::optional<long long> limit = parse_integer(found->second);
    if (!limit || *limit > std::numeric_limits<long long>::max() / 2) continue;
    ModelArgs doubled = args;
    doubled.values[found->first] = std::to_string(*limit * 2);
    return doubled;
  }
  return std::nullopt;
}

}  // namespace awry::inspectors::vlm
