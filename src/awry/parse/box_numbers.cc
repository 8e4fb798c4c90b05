// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/box_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/parse/loose_json.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

constexpr std::string_view kThing = "box";
constexpr std::size_t kMostBoxes = 10'000;

struct KeySet {
  std::array<std::string_view, 4> keys;
  BoxLayout layout;
};

// x1 y1 x2 y2 before x0 y0 x1 y1: both hold "x1", but only one of them fits all four.
constexpr std::array<KeySet, 8> kKeySets = {{
    {{"x1", "y1", "x2", "y2"}, BoxLayout::kCorners},
    {{"x0", "y0", "x1", "y1"}, BoxLayout::kCorners},
    {{"xmin", "ymin", "xmax", "ymax"}, BoxLayout::kCorners},
    {{"left", "top", "right", "bottom"}, BoxLayout::kCorners},
    {{"minx", "miny", "maxx", "maxy"}, BoxLayout::kCorners},
    {{"x", "y", "w", "h"}, BoxLayout::kCornerAndSize},
    {{"x", "y", "width", "height"}, BoxLayout::kCornerAndSize},
    {{"left", "top", "width", "height"}, BoxLayout::kCornerAndSize},
}};

std::string plain_key(std::string_view key) {
  std::string plain;
  for (char c : key) {
    if (is_ascii_letter(c) || is_digit(c)) plain += lower_ascii(c);
  }
  return plain;
}

struct KeyedNumber {
  std::string key;
  double value = 0;
};

std::optional<FourNumbers> with_values(std::span<const double> values, std::optional<BoxLayout> layout) {
  if (values.size() != 4) return std::nullopt;
  FourNumbers four{.layout = layout};
  std::ranges::copy(values, four.values.begin());
  four.has_fraction = std::ranges::any_of(values, [](double v) { return v != std::floor(v); });
  return four;
}

std::optional<FourNumbers> by_keys(std::span<const KeyedNumber> numbers) {
  for (const KeySet& set : kKeySets) {
    std::vector<double> values;
    for (std::string_view key : set.keys) {
      const auto found = std::ranges::find(numbers, key, &KeyedNumber::key);
      if (found != numbers.end()) values.push_back(found->value);
    }
    if (values.size() == 4) return with_values(values, set.layout);
  }
  return std::nullopt;
}

std::optional<double> number_of(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  return parse_double(trim(json.get_ref<const std::string&>()));
}

std::vector<double> numbers_of(const Json& list) {
  std::vector<double> numbers;
  for (const Json& item : list) {
    if (const auto number = number_of(item)) numbers.push_back(*number);
  }
  return numbers.size() == list.size() ? numbers : std::vector<double>{};
}

// Every number of a text with the word before it: "x1=10, y1=20".
std::vector<KeyedNumber> numbers_in_text(std::string_view text) {
  std::vector<KeyedNumber> numbers;
  std::string key;
  for (std::size_t at = 0; at < text.size();) {
    if (is_ascii_letter(text[at]) || text[at] == '_') {
      const std::size_t begin = at;
      while (at < text.size() && is_word_byte(text[at])) ++at;
      key = plain_key(text.substr(begin, std::min<std::size_t>(at - begin, 20)));
    } else if (const auto number = scan_number(text, at)) {
      numbers.push_back({std::move(key), number->value});
      key.clear();
      at = number->end;
    } else {
      ++at;
    }
    if (numbers.size() > 4) break;
  }
  return numbers;
}

std::optional<FourNumbers> in_text(std::string_view text) {
  const std::string plain = plain_punctuation(text);
  const std::vector<KeyedNumber> numbers = numbers_in_text(plain);
  if (numbers.size() != 4) return std::nullopt;
  if (auto keyed = by_keys(numbers)) return keyed;
  std::vector<double> values;
  for (const KeyedNumber& number : numbers) values.push_back(number.value);
  return with_values(values, std::nullopt);
}

bool names_a_box(std::string_view key) {
  const std::string plain = plain_key(key);
  return plain.find("box") != std::string::npos || plain.find("coord") != std::string::npos ||
         plain == "region" || plain == "location";
}

void collect(const Json& json, bool asked_for, std::vector<FourNumbers>& boxes);

void collect_object(const Json& object, std::vector<FourNumbers>& boxes) {
  std::vector<KeyedNumber> keyed;
  const Json *first = nullptr, *second = nullptr;  // {"top_left": [x, y], "bottom_right": [x, y]}
  bool has_box_key = false;
  for (const auto& [key, value] : object.items()) {
    const std::string plain = plain_key(key);
    if (const auto number = number_of(value)) keyed.push_back({plain, *number});
    if (plain == "topleft") first = &value;
    if (plain == "bottomright") second = &value;
    has_box_key |= names_a_box(key);
  }
  if (auto four = by_keys(keyed)) {
    boxes.push_back(*four);
    return;
  }
  if (first && second) {
    std::vector<double> values = numbers_of(*first);
    std::ranges::copy(numbers_of(*second), std::back_inserter(values));
    if (auto four = with_values(values, BoxLayout::kCorners)) boxes.push_back(*four);
    return;
  }
  for (const auto& [key, value] : object.items()) {
    const bool box_key = names_a_box(key);
    if (box_key || !has_box_key) collect(value, box_key, boxes);
  }
}

void collect(const Json& json, bool asked_for, std::vector<FourNumbers>& boxes) {
  if (boxes.size() > kMostBoxes) return;
  if (json.is_object()) return collect_object(json, boxes);
  if (json.is_string() && asked_for) {
    if (auto four = in_text(json.get_ref<const std::string&>())) boxes.push_back(*four);
    return;
  }
  if (!json.is_array()) return;
  if (auto four = with_values(numbers_of(json), std::nullopt)) {
    boxes.push_back(*four);
    return;
  }
  if (json.size() == 2 && json[0].is_array() && json[1].is_array()) {
    std::vector<double> corner = numbers_of(json[0]);
    const std::vector<double> opposite = numbers_of(json[1]);
    if (corner.size() == 2 && opposite.size() == 2) {
      std::ranges::copy(opposite, std::back_inserter(corner));
      boxes.push_back(*with_values(corner, BoxLayout::kCorners));
      return;
    }
  }
  for (const Json& item : json) collect(item, asked_for, boxes);
}

}  // namespace

Result<Parsed<std::vector<FourNumbers>>> four_numbers_in(std::string_view reply) {
  Parsed<std::vector<FourNumbers>> parsed;
  const auto values = find_all_json(reply, {.repeated_keys = RepeatedKeys::kNumber});
  if (values) {
    for (const LooseJson& value : values->value) collect(value.json, true, parsed.value);
    if (parsed.value.size() > kMostBoxes) return unparsable(kThing, reply, "it holds far too many boxes");
    if (!parsed.value.empty()) {
      parsed.tolerate_all(values->tolerated);
      return parsed;
    }
  }
  if (auto four = in_text(reply)) {
    parsed.value.push_back(*four);
    parsed.tolerate("four numbers in plain text");
    return parsed;
  }
  if (!values && values.error().kind != ErrorKind::kNotFound) return fail(values.error());
  return unparsable(kThing, reply, "there are no four numbers that make a box");
}

}  // namespace awry::parse
