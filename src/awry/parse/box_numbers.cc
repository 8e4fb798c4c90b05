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

// A number, a string that is one, or "12%". Only the last sets `percent`.
struct Coordinate {
  double value = 0;
  bool percent = false;
};

std::optional<Coordinate> coordinate_of(const Json& json) {
  if (json.is_number()) return Coordinate{json.get<double>()};
  if (!json.is_string()) return std::nullopt;
  std::string_view text = trim(json.get_ref<const std::string&>());
  const bool percent = text.ends_with('%');
  if (percent) text = trim(text.substr(0, text.size() - 1));
  const auto value = parse_double(text);
  return value ? std::optional(Coordinate{*value, percent}) : std::nullopt;
}

// Every item of a list, or none at all.
std::vector<Coordinate> coordinates_of(const Json& list) {
  std::vector<Coordinate> coordinates;
  for (const Json& item : list) {
    const auto coordinate = coordinate_of(item);
    if (!coordinate) return {};
    coordinates.push_back(*coordinate);
  }
  return coordinates;
}

// Words that may stand between the numbers of one box.
bool is_box_word(std::string_view word) {
  static constexpr std::array<std::string_view, 30> kWords = {
      "x",     "y",      "w",     "h",      "x0",   "y0",   "x1",     "y1",   "x2",     "y2",
      "xmin",  "ymin",   "xmax",  "ymax",   "minx", "miny", "maxx",   "maxy", "left",   "top",
      "right", "bottom", "width", "height", "and",  "to",   "corner", "px",   "pixels", "pixel"};
  return std::ranges::find(kWords, word) != kWords.end();
}

struct TextNumbers {
  std::vector<KeyedNumber> numbers;  // each with the word before it: "x1=10, y1=20"
  std::size_t percents = 0;
  bool foreign_words = false;  // between the first and the last
};

TextNumbers numbers_in_text(std::string_view text) {
  TextNumbers found;
  std::string key;
  bool foreign = false;  // since the last number
  for (std::size_t at = 0; at < text.size();) {
    if (is_ascii_letter(text[at]) || text[at] == '_') {
      const std::size_t begin = at;
      while (at < text.size() && is_word_byte(text[at])) ++at;
      key = plain_key(text.substr(begin, std::min<std::size_t>(at - begin, 20)));
      foreign |= !is_box_word(key);
    } else if (const auto number = scan_number(text, at)) {
      found.foreign_words |= foreign && !found.numbers.empty();
      foreign = false;
      found.numbers.push_back({std::move(key), number->value});
      key.clear();
      at = number->end;
      if (const std::size_t sign = skip_blanks(text, at); sign < text.size() && text[sign] == '%') {
        ++found.percents;
        at = sign + 1;
      }
    } else {
      ++at;
    }
    if (found.numbers.size() > 4) break;
  }
  return found;
}

std::optional<FourNumbers> in_text(std::string_view text) {
  const TextNumbers found = numbers_in_text(plain_punctuation(text));
  if (found.numbers.size() != 4 || found.foreign_words || found.percents % 4 != 0) return std::nullopt;
  auto four = by_keys(found.numbers);
  if (!four) {
    std::vector<double> values;
    for (const KeyedNumber& number : found.numbers) values.push_back(number.value);
    four = with_values(values, std::nullopt);
  }
  if (four && found.percents == 4) four->frame = BoxFrame::kPercent;
  return four;
}

// Four coordinates that agree about being percentages.
std::optional<FourNumbers> with_coordinates(std::span<const Coordinate> coordinates,
                                            std::optional<BoxLayout> layout) {
  std::vector<double> values;
  for (const Coordinate& coordinate : coordinates) values.push_back(coordinate.value);
  auto four = with_values(values, layout);
  const auto percents = std::ranges::count_if(coordinates, &Coordinate::percent);
  if (!four || percents % 4 != 0) return std::nullopt;
  if (percents == 4) four->frame = BoxFrame::kPercent;
  return four;
}

bool names_a_box(std::string_view key) {
  const std::string plain = plain_key(key);
  return plain.find("box") != std::string::npos || plain.find("coord") != std::string::npos ||
         plain == "region" || plain == "location";
}

class BoxCollector {
 public:
  explicit BoxCollector(Parsed<std::vector<FourNumbers>>& parsed) : parsed_(parsed) {}

  void collect(const Json& json) { collect(json, true); }

 private:
  void add(std::optional<FourNumbers> four) {
    if (four) parsed_.value.push_back(*four);
  }

  // `asked_for`: the reply as a whole, or what stands under a key that names a box.
  void collect(const Json& json, bool asked_for) {
    if (parsed_.value.size() > kMostBoxes) return;
    if (json.is_object()) return collect_object(json);
    if (json.is_string() && asked_for) return add(in_text(json.get_ref<const std::string&>()));
    if (!json.is_array()) return;
    if (json.size() == 4) {
      if (auto four = with_coordinates(coordinates_of(json), std::nullopt)) return add(four);
    }
    if (json.size() == 2 && json[0].is_array() && json[1].is_array()) {
      if (auto four = with_corners(json[0], json[1])) return add(four);
    }
    for (const Json& item : json) collect(item, asked_for);
  }

  void collect_object(const Json& object) {
    std::vector<KeyedNumber> keyed;
    std::size_t percents = 0;
    const Json *first = nullptr, *second = nullptr;  // {"top_left": [x, y], "bottom_right": [x, y]}
    bool has_box_key = false;
    for (const auto& [key, value] : object.items()) {
      const std::string plain = plain_key(key);
      if (const auto coordinate = coordinate_of(value)) {
        keyed.push_back({plain, coordinate->value});
        percents += coordinate->percent;
      }
      if (plain == "topleft") first = &value;
      if (plain == "bottomright") second = &value;
      has_box_key |= names_a_box(key);
    }
    if (auto four = by_keys(keyed)) {
      if (percents % 4 != 0) return;
      if (percents == 4) four->frame = BoxFrame::kPercent;
      return add(four);
    }
    if (first && second) return add(with_corners(*first, *second));
    for (const auto& [key, value] : object.items()) {
      const bool box_key = names_a_box(key);
      if (!box_key && has_box_key) continue;
      const std::size_t before = parsed_.value.size();
      collect(value, box_key);
      if (plain_key(key) == "box2d") put_x_first(before);
    }
  }

  static std::optional<FourNumbers> with_corners(const Json& corner, const Json& opposite) {
    std::vector<Coordinate> coordinates = coordinates_of(corner);
    const std::vector<Coordinate> others = coordinates_of(opposite);
    if (coordinates.size() != 2 || others.size() != 2) return std::nullopt;
    std::ranges::copy(others, std::back_inserter(coordinates));
    return with_coordinates(coordinates, BoxLayout::kCorners);
  }

  void put_x_first(std::size_t from) {
    for (std::size_t i = from; i < parsed_.value.size(); ++i) {
      FourNumbers& four = parsed_.value[i];
      if (four.layout) continue;  // its keys say which is which
      std::swap(four.values[0], four.values[1]);
      std::swap(four.values[2], four.values[3]);
      four.layout = BoxLayout::kCorners;
      parsed_.tolerate("box_2d read as y before x");
    }
  }

  Parsed<std::vector<FourNumbers>>& parsed_;
};

bool mentions_no_number(std::string_view text) {
  const std::string words = folded_words(text);
  return std::ranges::any_of(split(words, ' '), [](std::string_view word) {
    return word == "nan" || word == "inf" || word == "infinity";
  });
}

}  // namespace

Result<Parsed<std::vector<FourNumbers>>> four_numbers_in(std::string_view reply) {
  Parsed<std::vector<FourNumbers>> parsed;
  const auto values = find_all_json(reply, {.repeated_keys = RepeatedKeys::kNumber});
  if (values) {
    BoxCollector collector(parsed);
    for (const LooseJson& value : values->value) collector.collect(value.json);
    if (parsed.value.size() > kMostBoxes) return unparsable(kThing, reply, "it holds far too many boxes");
    if (!parsed.value.empty()) {
      parsed.tolerate_all(values->tolerated);
      return parsed;
    }
  }
  if (mentions_no_number(reply)) return unparsable(kThing, reply, "a coordinate is not a finite number");
  if (auto four = in_text(reply)) {
    parsed.value.push_back(*four);
    parsed.tolerate("four numbers in plain text");
    return parsed;
  }
  if (!values && values.error().kind != ErrorKind::kNotFound) return fail(values.error());
  return unparsable(kThing, reply, "there are no four numbers that make a box");
}

}  // namespace awry::parse
