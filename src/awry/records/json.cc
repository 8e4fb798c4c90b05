// SPDX-License-Identifier: Apache-2.0
#include "awry/records/json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <type_traits>
#include <variant>

#include "awry/records/fields.h"

namespace awry {
namespace {

template <class T>
concept KeepsUnknownFields = requires(T& record) {
  record.unknown.raw;
};

// --- Names of enumerators ---

template <class Enum>
struct EnumName {
  Enum value;
  const char* name;
};

constexpr std::array kAuthorKinds = {
    EnumName{AuthorKind::kDetector, "detector"}, EnumName{AuthorKind::kModel, "model"},
    EnumName{AuthorKind::kForger, "forger"}, EnumName{AuthorKind::kPerson, "person"}};
constexpr std::array kDecisions = {EnumName{Decision::kAccept, "accept"},
                                   EnumName{Decision::kReject, "reject"},
                                   EnumName{Decision::kUnsure, "unsure"}};
constexpr std::array kRunStatuses = {EnumName{RunStatus::kRunning, "running"},
                                     EnumName{RunStatus::kFinished, "finished"},
                                     EnumName{RunStatus::kInterrupted, "interrupted"}};

const auto& names_of(AuthorKind) {
  return kAuthorKinds;
}
const auto& names_of(Decision) {
  return kDecisions;
}
const auto& names_of(RunStatus) {
  return kRunStatuses;
}

// The tag that says which alternative of Where an object is. Order follows the variant.
constexpr std::array kWhereKinds = {"whole_image", "box", "mask", "blocks", "pair", "text"};
static_assert(kWhereKinds.size() == std::variant_size_v<Where>);

// --- Writing ---

template <class T>
Json encode(const T& value);

class Writer {
 public:
  explicit Writer(Json& object) : object_(object) {}

  // What is empty by default and empty now is left out: reading gives it back.
  template <class T>
  void operator()(const char* name, const T& value) {
    if constexpr (requires { value.empty(); }) {
      if (value.empty()) return;
    } else if constexpr (requires { value.has_value(); }) {
      if (!value.has_value()) return;
    }
    object_[name] = encode(value);
  }

 private:
  Json& object_;
};

template <class T>
Json encode_record(const T& record) {
  Json object = Json::object();
  Writer writer(object);
  fields::visit(writer, record);
  if constexpr (KeepsUnknownFields<T>) {
    for (const auto& [name, text] : record.unknown.raw) {
      Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
      object[name] = value.is_discarded() ? Json(text) : std::move(value);
    }
  }
  return object;
}

Json encode_number(double value) {
  // JSON has no such numbers; losing them would turn "undefined" into null or an error.
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
Json encode(const T& value) {
  if constexpr (std::same_as<T, double>) {
    return encode_number(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
    return value;
  } else if constexpr (std::same_as<T, Outcome>) {
    return name_of(value);
  } else if constexpr (std::is_enum_v<T>) {
    for (const auto& entry : names_of(value)) {
      if (entry.value == value) return entry.name;
    }
    return nullptr;
  } else if constexpr (IsOptional<T>::value) {
    return encode(*value);
  } else if constexpr (IsVector<T>::value || std::same_as<T, Transform>) {
    Json list = Json::array();
    for (const auto& item : value) list.push_back(encode(item));
    return list;
  } else if constexpr (IsMap<T>::value) {
    Json object = Json::object();
    for (const auto& [key, item] : value) object[key] = encode(item);
    return object;
  } else if constexpr (std::same_as<T, OutcomeCounts>) {
    Json object = Json::object();
    for (const Outcome outcome : kAllOutcomes) object[std::string(name_of(outcome))] = value.of(outcome);
    return object;
  } else if constexpr (std::same_as<T, Where>) {
    Json object = Json::object();
    object["kind"] = kWhereKinds[value.index()];
    std::visit([&](const auto& alternative) { object.update(encode_record(alternative)); }, value);
    return object;
  } else {
    return encode_record(value);
  }
}

// --- Reading ---

// Where in the document we are, for messages such as "truth[2].where.rows should be a whole number".
struct Place {
  const Place* parent = nullptr;
  std::string step;

  std::string path() const {
    if (parent == nullptr) return step;
    const std::string above = parent->path();
    if (step.starts_with('[') || above.empty()) return above + step;
    return above + "." + step;
  }
};

struct ReadFailure {
  std::string why;
};

[[noreturn]] void wrong_type(const Place& place, const char* expected) {
  throw ReadFailure{fmt::format("{} should be {}", place.path().empty() ? "it" : place.path(), expected)};
}

template <class T>
void decode(const Json& json, T& value, const Place& place);

class Reader {
 public:
  Reader(const Json& object, const Place& place) : object_(object), place_(place) {}

  template <class T>
  void operator()(const char* name, T& value) {
    known_.insert(name);
    const auto found = object_.find(name);
    if (found == object_.end() || found->is_null()) return;
    decode(*found, value, Place{&place_, name});
  }

  UnknownFields leftovers() const {
    UnknownFields unknown;
    for (const auto& [name, value] : object_.items()) {
      if (!known_.contains(name)) unknown.raw.emplace_back(name, dump_json(value));
    }
    return unknown;
  }

 private:
  const Json& object_;
  const Place& place_;
  std::set<std::string, std::less<>> known_;
};

template <class T>
void decode_record(const Json& json, T& record, const Place& place) {
  if (!json.is_object()) wrong_type(place, "an object");
  Reader reader(json, place);
  fields::visit(reader, record);
  if constexpr (KeepsUnknownFields<T>) record.unknown = reader.leftovers();
}

double decode_number(const Json& json, const Place& place) {
  if (json.is_number()) return json.get<double>();
  if (json == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (json == "Infinity") return std::numeric_limits<double>::infinity();
  if (json == "-Infinity") return -std::numeric_limits<double>::infinity();
  wrong_type(place, "a number");
}

template <class T>
T decode_integer(const Json& json, const Place& place) {
  if (json.is_number_unsigned()) {
    const auto number = json.get<std::uint64_t>();
    if (std::in_range<T>(number)) return static_cast<T>(number);
  } else if (json.is_number_integer()) {
    const auto number = json.get<std::int64_t>();
    if (std::in_range<T>(number)) return static_cast<T>(number);
  }
  wrong_type(place, "a whole number in range");
}

void decode_where(const Json& json, Where& where, const Place& place) {
  if (!json.is_object()) wrong_type(place, "an object");
  const std::string kind = json.value("kind", Json("")).is_string() ? json.value("kind", "") : "";
  const auto read_as = [&]<class T>(T alternative) {
    decode_record(json, alternative, place);
    where = std::move(alternative);
  };
  if (kind == kWhereKinds[0]) return read_as(WholeImage{});
  if (kind == kWhereKinds[1]) return read_as(Box{});
  if (kind == kWhereKinds[2]) return read_as(Mask{});
  if (kind == kWhereKinds[3]) return read_as(BlockSet{});
  if (kind == kWhereKinds[4]) return read_as(Pair{});
  if (kind == kWhereKinds[5]) return read_as(TextSpan{});
  wrong_type(Place{&place, "kind"}, "one of whole_image, box, mask, blocks, pair, text");
}

template <class T>
void decode(const Json& json, T& value, const Place& place) {
  if constexpr (std::same_as<T, bool>) {
    if (!json.is_boolean()) wrong_type(place, "true or false");
    value = json.get<bool>();
  } else if constexpr (std::integral<T>) {
    value = decode_integer<T>(json, place);
  } else if constexpr (std::same_as<T, double>) {
    value = decode_number(json, place);
  } else if constexpr (std::same_as<T, std::string>) {
    if (!json.is_string()) wrong_type(place, "text");
    value = json.get_ref<const std::string&>();
  } else if constexpr (std::same_as<T, Outcome>) {
    const auto outcome = json.is_string() ? outcome_named(json.get_ref<const std::string&>()) : std::nullopt;
    if (!outcome) wrong_type(place, "the name of an outcome");
    value = *outcome;
  } else if constexpr (std::is_enum_v<T>) {
    for (const auto& entry : names_of(value)) {
      if (json == entry.name) {
        value = entry.value;
        return;
      }
    }
    wrong_type(place, "one of the names this version knows");
  } else if constexpr (IsOptional<T>::value) {
    decode(json, value.emplace(), place);
  } else if constexpr (std::same_as<T, Transform>) {
    if (!json.is_array() || json.size() != value.size()) wrong_type(place, "a list of nine numbers");
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = decode_number(json[i], place);
  } else if constexpr (IsVector<T>::value) {
    if (!json.is_array()) wrong_type(place, "a list");
    value.clear();
    value.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
      decode(json[i], value.emplace_back(), Place{&place, fmt::format("[{}]", i)});
    }
  } else if constexpr (IsMap<T>::value) {
    if (!json.is_object()) wrong_type(place, "an object");
    for (const auto& [key, item] : json.items()) decode(item, value[key], Place{&place, key});
  } else if constexpr (std::same_as<T, OutcomeCounts>) {
    if (!json.is_object()) wrong_type(place, "an object");
    for (const auto& [key, item] : json.items()) {
      const auto outcome = outcome_named(key);
      if (!outcome) wrong_type(Place{&place, key}, "the name of an outcome");
      value.add(*outcome, decode_integer<std::size_t>(item, Place{&place, key}));
    }
  } else if constexpr (std::same_as<T, Where>) {
    decode_where(json, value, place);
  } else {
    decode_record(json, value, place);
  }
}

}  // namespace

Json to_json(const Finding& record) {
  return encode_record(record);
}
Json to_json(const Sample& record) {
  return encode_record(record);
}
Json to_json(const Question& record) {
  return encode_record(record);
}
Json to_json(const Reply& record) {
  return encode_record(record);
}
Json to_json(const Answer& record) {
  return encode_record(record);
}
Json to_json(const Verdict& record) {
  return encode_record(record);
}
Json to_json(const Score& record) {
  return encode_record(record);
}
Json to_json(const Metric& record) {
  return encode_record(record);
}
Json to_json(const Summary& record) {
  return encode_record(record);
}
Json to_json(const Run& record) {
  return encode_record(record);
}

template <class T>
Result<T> from_json(const Json& json, std::string_view source) {
  T record;
  try {
    decode_record(json, record, Place{});
  } catch (const ReadFailure& failure) {
    return fail({.what = "cannot read record", .input = std::string(source), .why = failure.why});
  }
  return record;
}

template Result<Finding> from_json(const Json&, std::string_view);
template Result<Sample> from_json(const Json&, std::string_view);
template Result<Question> from_json(const Json&, std::string_view);
template Result<Reply> from_json(const Json&, std::string_view);
template Result<Answer> from_json(const Json&, std::string_view);
template Result<Verdict> from_json(const Json&, std::string_view);
template Result<Score> from_json(const Json&, std::string_view);
template Result<Metric> from_json(const Json&, std::string_view);
template Result<Summary> from_json(const Json&, std::string_view);
template Result<Run> from_json(const Json&, std::string_view);

}  // namespace awry
