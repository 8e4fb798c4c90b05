// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/loose_verdict.h"

#include <fmt/format.h>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/parse/loose_json.h"
#include "awry/parse/scan.h"
#include "awry/parse/think.h"

namespace awry::benchmarks::magicmirror {
namespace {

using Notes = parse::Parsed<LabelSet>;

constexpr std::string_view kThing = "verdict";

std::string excerpt(std::string_view text) {
  return shorten(text, 60);
}

// "L2: Abnormal Human Anatomy" and "abnormal human anatomy" meet here; `level` is what the prefix says.
struct Name {
  int level = 0;  // 0: no prefix
  std::string words;
};
Name name_of(std::string_view label) {
  Name name{.words = parse::folded_words(replace_all(label, "_", " "))};
  for (const int level : {2, 3}) {
    const std::string prefix = fmt::format("l{} ", level);
    if (!name.words.starts_with(prefix)) continue;
    name.level = level;
    name.words.erase(0, prefix.size());
  }
  return name;
}

std::optional<Level2> find_level2(const Name& name) {
  if (name.level == 3) return std::nullopt;
  for (std::size_t i = 0; i < kLevel2.size(); ++i) {
    if (name_of(kLevel2[i].name).words == name.words) return static_cast<Level2>(i);
  }
  return std::nullopt;
}

std::optional<std::size_t> find_level3(const Name& name) {
  if (name.level == 2) return std::nullopt;
  for (std::size_t i = 0; i < kLevel3.size(); ++i) {
    if (name_of(kLevel3[i].name).words == name.words) return i;
  }
  return std::nullopt;
}

std::optional<bool> yes_or_no(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (!value.is_string()) return std::nullopt;
  const std::string word = parse::folded_words(value.get_ref<const std::string&>());
  if (word == "true" || word == "yes") return true;
  if (word == "false" || word == "no") return false;
  return std::nullopt;
}

// Whether a label's value takes the label back: {"L2: ...": false}.
bool denies(const Json& value) {
  return value.is_null() || yes_or_no(value) == false;
}

Result<void> add_level3(std::string_view text, Level2 parent, Notes& notes) {
  const auto level3 = find_level3(name_of(text));
  if (!level3) {
    return parse::unparsable(kThing, text, fmt::format("'{}' is not a label at L3", excerpt(text)));
  }
  if (kLevel3[*level3].parent != parent) {
    return parse::unparsable(
        kThing, text, fmt::format("'{}' does not belong under '{}'", excerpt(text), label_of(parent).name));
  }
  if (kLevel3[*level3].name != text)
    notes.tolerate(fmt::format("the label '{}' in other words", excerpt(text)));
  notes.value.add_level3(*level3);
  return {};
}

// What stands behind an L2: true, one L3, a list of L3, or an object with L3 as keys.
Result<void> add_level3_values(const Json& value, Level2 parent, Notes& notes) {
  const Level2Label& label = label_of(parent);
  notes.value.add(parent);
  if (!label.has_level3) {
    if (!value.is_boolean()) notes.tolerate(fmt::format("'{}' has a value other than true", label.name));
    return {};
  }
  const auto without_level3 = [&] { notes.tolerate(fmt::format("'{}' names no L3", label.name)); };
  if (yes_or_no(value) == true) {
    without_level3();
  } else if (value.is_string()) {
    notes.tolerate("an L3 outside a list");
    AWRY_TRY(add_level3(value.get_ref<const std::string&>(), parent, notes));
  } else if (value.is_array()) {
    for (const Json& item : value) {
      if (!item.is_string()) return parse::unparsable(kThing, dump_json(item), "an L3 is not a string");
      AWRY_TRY(add_level3(item.get_ref<const std::string&>(), parent, notes));
    }
  } else if (value.is_object()) {
    notes.tolerate("L3 as keys of an object");
    for (const auto& [name, given] : value.items()) {
      if (!denies(given)) AWRY_TRY(add_level3(name, parent, notes));
    }
  } else {
    return parse::unparsable(kThing, dump_json(value), fmt::format("'{}' has no list of L3", label.name));
  }
  if (notes.value.level3_of(parent).is_normal()) without_level3();
  return {};
}

Result<void> add_label(std::string_view text, const Json& value, Notes& notes) {
  const Name name = name_of(text);
  if (const auto level2 = find_level2(name)) {
    if (denies(value)) {
      notes.tolerate(fmt::format("'{}' is named only to be denied", label_of(*level2).name));
      return {};
    }
    if (label_of(*level2).name != text) {
      notes.tolerate(fmt::format("the label '{}' in other words", excerpt(text)));
    }
    return add_level3_values(value, *level2, notes);
  }
  return parse::unparsable(kThing, text, fmt::format("'{}' is not a label at L2", excerpt(text)));
}

Result<void> add_types(const Json& types, Notes& notes) {
  if (types.is_object()) {
    for (const auto& [name, value] : types.items()) AWRY_TRY(add_label(name, value, notes));
    return {};
  }
  if (types.is_string()) {
    notes.tolerate("the type is a string, not an object");
    return add_label(types.get_ref<const std::string&>(), Json(true), notes);
  }
  if (types.is_array()) {
    notes.tolerate("the types are a list, not an object");
    for (const Json& item : types) {
      if (item.is_string()) {
        AWRY_TRY(add_label(item.get_ref<const std::string&>(), Json(true), notes));
      } else if (item.is_object()) {
        AWRY_TRY(add_types(item, notes));
      } else {
        return parse::unparsable(kThing, dump_json(item), "a type is neither a label nor an object");
      }
    }
    return {};
  }
  return parse::unparsable(kThing, dump_json(types), "the types are neither an object nor a list");
}

enum class Key { kNormal, kTypes, kOther };
Key key_of(std::string_view text) {
  const std::string words = parse::folded_words(replace_all(text, "_", " "));
  if (words == "whether normal") return Key::kNormal;
  for (const std::string_view kind : {"deformity", "deformities", "abnormality", "abnormalities"}) {
    if (words == fmt::format("type of {}", kind) || words == fmt::format("types of {}", kind))
      return Key::kTypes;
  }
  return Key::kOther;
}

Result<Notes> read_object(const Json& json) {
  Notes notes;
  const Json* normal = nullptr;
  const Json* types = nullptr;
  for (const auto& [name, value] : json.items()) {
    const Key key = key_of(name);
    if (key == Key::kOther) {
      notes.tolerate(fmt::format("the key '{}'", excerpt(name)));
      continue;
    }
    const Json*& slot = key == Key::kNormal ? normal : types;
    if (slot != nullptr)
      return parse::unparsable(kThing, name, fmt::format("'{}' comes twice", excerpt(name)));
    slot = &value;
    const std::string_view wanted = key == Key::kNormal ? "Whether Normal" : "Type of Deformity";
    if (name != wanted) notes.tolerate(fmt::format("'{}' for '{}'", excerpt(name), wanted));
  }
  const std::string text = dump_json(json);
  if (normal == nullptr) return parse::unparsable(kThing, text, "it has no 'Whether Normal'");
  const auto is_normal = yes_or_no(*normal);
  if (!is_normal) return parse::unparsable(kThing, text, "'Whether Normal' is neither true nor false");
  if (!normal->is_boolean()) notes.tolerate("'Whether Normal' is a string");

  if (types != nullptr && !types->is_null() && !denies(*types)) AWRY_TRY(add_types(*types, notes));
  if (*is_normal && notes.value.is_artifact()) {
    return parse::unparsable(kThing, text, "it calls the image normal and names what is wrong with it");
  }
  if (*is_normal && types != nullptr) notes.tolerate("a normal image with empty types");
  if (!*is_normal && notes.value.is_normal()) {
    notes.tolerate("an artifact without its type");
    notes.value = LabelSet::artifact();
  }
  return notes;
}

}  // namespace

Result<parse::Parsed<LabelSet>> read_loose_verdict(std::string_view reply) {
  const parse::Parsed<parse::ThinkSplit> split = parse::split_thinking(reply);
  AWRY_TRY_ASSIGN(const parse::Parsed<parse::LooseJson> found,
                  parse::find_json(split.value.answer, {.wanted = parse::JsonWanted::kObject}));
  AWRY_TRY_ASSIGN(Notes verdict, read_object(found.value.json));
  Notes all{.value = verdict.value};
  all.tolerate_all(split.tolerated);
  all.tolerate_all(found.tolerated);
  all.tolerate_all(verdict.tolerated);
  return all;
}

}  // namespace awry::benchmarks::magicmirror
