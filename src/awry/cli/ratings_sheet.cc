// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/ratings_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "awry/base/text.h"

namespace awry::cli {

namespace {

constexpr auto kWhat = "cannot read ratings";
constexpr std::size_t kMostEntries = 50'000'000;
constexpr std::string_view kUnitNames[] = {"unit", "item", "id", "sample", "sample_id", "image"};
// Believed where both are there; a table with a column for each rater may have one of them by accident.
constexpr std::string_view kRaterNames[] = {"annotator", "coder", "judge", "worker", "reviewer", "observer"};
constexpr std::string_view kRatingNames[] = {"score", "label", "value", "vote", "annotation", "category"};

std::optional<std::size_t> column_named(const RowFile& file, std::string_view name) {
  for (std::size_t i = 0; i < file.columns.size(); ++i) {
    if (equals_ignoring_case(file.columns[i], name)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> first_of(const RowFile& file, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (const auto found = column_named(file, name)) return found;
  }
  return std::nullopt;
}

// The column the user named, which must be there, or the usual one, which need not.
Result<std::optional<std::size_t>> find_column(const RowFile& file, const std::string& wanted,
                                               std::span<const std::string_view> usual) {
  if (wanted.empty()) return first_of(file, usual);
  if (const auto found = column_named(file, wanted)) return found;
  Error error{.kind = ErrorKind::kUsage,
              .what = kWhat,
              .input = file.source,
              .why = fmt::format("there is no column '{}'; there are {}", wanted, join(file.columns, ", "))};
  if (const auto near = did_you_mean(wanted, file.columns)) {
    error.hint = fmt::format("Did you mean '{}'?", *near);
  }
  return fail(std::move(error));
}

Error at(const RowFile& file, const Row& row, std::string why, std::string hint = "") {
  return {.what = kWhat, .input = file.place(row), .why = std::move(why), .hint = std::move(hint)};
}

class NumberOf {
 public:
  std::size_t operator()(const std::string& name) {
    return numbers_.emplace(name, numbers_.size()).first->second;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names(numbers_.size());
    for (const auto& [name, number] : numbers_) names[number] = name;
    return names;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

Result<RatingsSheet> read_long(const RowFile& file, std::size_t unit, std::size_t rater, std::size_t rating) {
  RatingsSheet sheet{.form = RatingsSheet::Form::kLong, .source = file.source};
  NumberOf unit_number, rater_number;
  for (const Row& row : file.rows) {
    for (const std::size_t column : {unit, rater}) {
      if (row.fields[column].empty()) {
        return fail(at(file, row, fmt::format("column '{}' is empty", file.columns[column])));
      }
    }
    unit_number(row.fields[unit]);
    rater_number(row.fields[rater]);
  }
  sheet.units = unit_number.names();
  sheet.raters = rater_number.names();
  if (sheet.units.size() * sheet.raters.size() > kMostEntries) {
    return fail(
        {.kind = ErrorKind::kLimit,
         .what = kWhat,
         .input = file.source,
         .why = fmt::format("{} units by {} raters are too many", sheet.units.size(), sheet.raters.size()),
         .hint = "Number the ratings of each unit instead of naming who gave them: most coefficients "
                 "do not ask who."});
  }
  sheet.entries.resize(sheet.units.size() * sheet.raters.size());
  for (const Row& row : file.rows) {
    const std::size_t place =
        unit_number(row.fields[unit]) * sheet.raters.size() + rater_number(row.fields[rater]);
    RatingsSheet::Entry& entry = sheet.entries[place];
    if (entry.line != 0) {
      return fail(at(
          file, row,
          fmt::format("'{}' rated '{}' before, in line {}", row.fields[rater], row.fields[unit], entry.line),
          "Keep one of the two."));
    }
    entry = {row.fields[rating], row.line};
  }
  return sheet;
}

Result<RatingsSheet> read_wide(const RowFile& file, std::optional<std::size_t> unit) {
  RatingsSheet sheet{.form = RatingsSheet::Form::kWide, .source = file.source};
  for (std::size_t i = 0; i < file.columns.size(); ++i) {
    if (i != unit) sheet.raters.push_back(file.columns[i]);
  }
  std::map<std::string, std::size_t> seen;
  for (const Row& row : file.rows) {
    const std::string name = unit ? row.fields[*unit] : fmt::format("{}", sheet.units.size() + 1);
    if (name.empty()) return fail(at(file, row, fmt::format("column '{}' is empty", file.columns[*unit])));
    if (const auto [before, is_new] = seen.emplace(name, row.line); !is_new) {
      return fail(at(file, row, fmt::format("unit '{}' was there before, in line {}", name, before->second)));
    }
    sheet.units.push_back(name);
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      if (i != unit) sheet.entries.push_back({row.fields[i], row.fields[i].empty() ? 0 : row.line});
    }
  }
  return sheet;
}

// Ratings without a line of names above them would lose their first line without a word.
Result<void> check_header(const RowFile& file, std::optional<std::size_t> unit) {
  const bool numbers = !unit && std::ranges::all_of(file.columns, [](const std::string& name) {
    return parse_double(name).has_value();
  });
  if (!numbers) return {};
  return fail({.what = kWhat,
               .input = file.source,
               .why = fmt::format("its first line ({}) holds numbers where names of raters are wanted",
                                  join(file.columns, ", ")),
               .hint = "Put a line with a name for each column above the ratings."});
}

// How programs write "not rated" among numbers. Among words they could be an answer.
bool means_missing(std::string_view text) {
  static constexpr std::string_view kWords[] = {"na",      "n/a", "nan", "null", "none",
                                                "missing", "*",   ".",   "-",    "?"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return equals_ignoring_case(text, word); });
}

void empty_what_means_missing(RatingsSheet& sheet) {
  const bool numbers = std::ranges::all_of(sheet.entries, [](const RatingsSheet::Entry& entry) {
    return entry.text.empty() || means_missing(entry.text) || parse_double(entry.text);
  });
  const bool any_number = std::ranges::any_of(sheet.entries, [](const RatingsSheet::Entry& entry) {
    return !means_missing(entry.text) && parse_double(entry.text);
  });
  if (!numbers || !any_number) return;
  for (RatingsSheet::Entry& entry : sheet.entries) {
    if (means_missing(entry.text)) entry.text.clear();
  }
}

// Names of images in a column that nobody called an id would count as a rater who never agrees.
Result<void> check_raters(const RatingsSheet& sheet) {
  for (std::size_t rater = 0; rater < sheet.raters.size() && sheet.units.size() > 2; ++rater) {
    std::set<std::string_view> different;
    std::size_t unit = 0;
    for (; unit < sheet.units.size(); ++unit) {
      const std::string_view text = sheet.entries[unit * sheet.raters.size() + rater].text;
      if (text.empty() || parse_double(text) || !different.insert(text).second) break;
    }
    if (unit < sheet.units.size()) continue;
    const std::string& name = sheet.raters[rater];
    return fail({.what = kWhat,
                 .input = sheet.source,
                 .why = fmt::format("column '{}' has another text in every row, so it is no rater", name),
                 .hint = fmt::format("If it names what was rated, pass --unit {}.", name)});
  }
  return {};
}

Error bad_rating(const RatingsSheet& sheet, std::size_t place, std::string why, std::string hint) {
  const RatingsSheet::Entry& entry = sheet.entries[place];
  return {.what = kWhat,
          .input = fmt::format("{}:{}", sheet.source, entry.line),
          .why = fmt::format("the rating '{}' of {} {}", entry.text,
                             sheet.raters[place % sheet.raters.size()], why),
          .hint = std::move(hint)};
}

// Every rating by its category's number, given all categories.
Result<NumberedRatings> by_name(const RatingsSheet& sheet, std::vector<std::string> names, RatingsKind kind) {
  NumberedRatings result{.kind = kind, .ratings = {.raters = sheet.raters.size()}};
  std::map<std::string_view, double> number;
  for (const std::string& name : names) {
    result.categories.push_back(static_cast<double>(number.size()));
    number.emplace(name, result.categories.back());
  }
  for (std::size_t i = 0; i < sheet.entries.size(); ++i) {
    const std::string& text = sheet.entries[i].text;
    if (text.empty()) {
      result.ratings.values.push_back(score::kNotRated);
      continue;
    }
    const auto found = number.find(text);
    if (found == number.end()) {
      return fail(bad_rating(sheet, i, "is not on the scale", "Correct it or extend --scale."));
    }
    result.ratings.values.push_back(found->second);
  }
  result.category_names = std::move(names);
  return result;
}

Result<NumberedRatings> by_value(const RatingsSheet& sheet, std::span<const std::string> scale) {
  NumberedRatings result{.kind = RatingsKind::kNumbers, .ratings = {.raters = sheet.raters.size()}};
  std::set<double> categories;
  for (const std::string& text : scale) categories.insert(*parse_double(text));
  for (std::size_t i = 0; i < sheet.entries.size(); ++i) {
    const std::string& text = sheet.entries[i].text;
    const double value = text.empty() ? score::kNotRated : *parse_double(text);
    if (!text.empty() && !std::isfinite(value)) {
      return fail(bad_rating(sheet, i, "is not a finite number", "Leave missing ratings empty."));
    }
    if (!text.empty() && !scale.empty() && !categories.contains(value)) {
      return fail(bad_rating(sheet, i, "is not on the scale", "Correct it or extend --scale."));
    }
    if (!text.empty()) categories.insert(value);
    result.ratings.values.push_back(value);
  }
  result.categories.assign(categories.begin(), categories.end());
  for (const double value : result.categories) result.category_names.push_back(fmt::format("{}", value));
  return result;
}

}  // namespace

std::size_t RatingsSheet::given() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(entries, [](const Entry& entry) { return !entry.text.empty(); }));
}

Result<RatingsSheet> read_ratings(const RowFile& file, const RatingsColumns& columns) {
  static constexpr std::string_view kRater[] = {"rater"}, kRating[] = {"rating"};
  AWRY_TRY_ASSIGN(const auto unit, find_column(file, columns.unit, kUnitNames));
  AWRY_TRY_ASSIGN(auto rater, find_column(file, columns.rater, kRater));
  AWRY_TRY_ASSIGN(auto rating, find_column(file, columns.rating, kRating));
  const auto other_rater = first_of(file, kRaterNames), other_rating = first_of(file, kRatingNames);
  if (unit && (rater || other_rater) && (rating || other_rating)) {
    if (!rater) rater = other_rater;
    if (!rating) rating = other_rating;
  }
  if (rater.has_value() != rating.has_value() || (rater && !unit)) {
    return fail({.what = kWhat,
                 .input = file.source,
                 .why = fmt::format("the columns are {}; with one rating per row, unit, rater and rating are "
                                    "wanted",
                                    join(file.columns, ", ")),
                 .hint = "Name them with --unit, --rater and --rating."});
  }
  if (!rater) AWRY_TRY(check_header(file, unit));
  AWRY_TRY_ASSIGN(RatingsSheet sheet,
                  rater ? read_long(file, *unit, *rater, *rating) : read_wide(file, unit));
  empty_what_means_missing(sheet);
  if (sheet.form == RatingsSheet::Form::kWide) AWRY_TRY(check_raters(sheet));
  if (sheet.raters.size() < 2 || sheet.given() == 0) {
    return fail({.what = kWhat,
                 .input = file.source,
                 .why = sheet.given() == 0 ? "nothing is rated" : "there is only one rater",
                 .hint = "Agreement needs two ratings of a unit."});
  }
  return sheet;
}

Result<NumberedRatings> number_ratings(const RatingsSheet& sheet, const RatingsOptions& options) {
  std::optional<std::size_t> number, name;  // the first of each kind
  for (std::size_t i = 0; i < sheet.entries.size(); ++i) {
    if (sheet.entries[i].text.empty()) continue;
    std::optional<std::size_t>& kind = parse_double(sheet.entries[i].text) ? number : name;
    if (!kind) kind = i;
  }
  const bool scale_of_numbers = std::ranges::all_of(
      options.scale, [](const std::string& text) { return parse_double(text).has_value(); });
  if (options.nominal || (!number && options.scale.empty())) {
    std::vector<std::string> names = options.scale;
    if (names.empty()) {
      std::set<std::string> occurring;
      for (const auto& entry : sheet.entries) {
        if (!entry.text.empty()) occurring.insert(entry.text);
      }
      names.assign(occurring.begin(), occurring.end());
    }
    return by_name(sheet, std::move(names), RatingsKind::kNames);
  }
  if (!options.scale.empty() && !scale_of_numbers)
    return by_name(sheet, options.scale, RatingsKind::kOrdered);
  if (name) {
    return fail(bad_rating(sheet, *name, "is not a number, though others are",
                           "Leave missing ratings empty, or pass --nominal for names without order."));
  }
  return by_value(sheet, options.scale);
}

}  // namespace awry::cli
