// SPDX-License-Identifier: Apache-2.0
// awry agree FILE: how far raters agree, beyond chance.
#include <algorithm>
#include <map>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/cli/command.h"
#include "awry/cli/rater_agreement.h"
#include "awry/cli/table.h"
#include "awry/score/signature.h"

namespace awry::cli {

namespace {

struct AgreeOptions {
  std::filesystem::path file;
  RatingsColumns columns;
  bool nominal = false;
  std::string scale;
  std::optional<int> resamples;
  std::uint64_t seed = 1;
  bool json = false;
  std::filesystem::path output;
};

void declare(AgreeOptions& options, OptionSet& set) {
  set.describe(
      "Reads ratings from CSV, TSV or JSON lines, either one rating per row (columns unit, rater, rating) or "
      "one row per unit and one column per rater. A missing rating is an empty field. Ratings that are "
      "numbers are compared as categories, as ranks and as measurements; others as categories.");
  set.positional(options.file, "file", {.help = "The ratings; - reads stdin.", .required = true});
  set.value(options.columns.unit, "unit",
            {.placeholder = "COLUMN",
             .help = "The column that names what was rated.",
             .default_text = "unit, item, id, sample, sample_id or image"});
  set.value(options.columns.rater, "rater",
            {.placeholder = "COLUMN", .help = "The column that names who rated.", .default_text = "rater"});
  set.value(options.columns.rating, "rating",
            {.placeholder = "COLUMN", .help = "The column with the rating.", .default_text = "rating"});
  set.flag(options.nominal, "nominal",
           {.help = "Ratings are names without order, even where they look like numbers."});
  set.value(options.scale, "scale",
            {.placeholder = "A,B,C",
             .help = "Every rating there could be, from low to high. It gives words an order, and chance "
                     "also counts what nobody chose.",
             .default_text = "what occurs"});
  set.value(options.resamples, "resamples",
            {.placeholder = "N",
             .help = "Draws of the bootstrap over units that the intervals come from; 0 for none.",
             .default_text = "1000, fewer for very large files",
             .minimum = 0,
             .maximum = 1000000});
  declare_seed(set, options.seed);
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry agree votes.csv", "every coefficient the ratings allow");
  set.example("awry agree votes.csv --scale poor,fair,good", "words with an order");
  set.example("awry agree votes.jsonl --json", "for a script");
}

constexpr std::size_t kMostPairsShown = 15;

Table coefficient_table(std::span<const Coefficient> coefficients) {
  Table table{.columns = {{"key"},
                          {"level"},
                          {"value"},
                          {"low", "95% from"},
                          {"high", "to"},
                          {"observed"},
                          {"expected"},
                          {"units"},
                          {"ratings"},
                          {"signature"}}};
  for (const Coefficient& each : coefficients) {
    std::vector<Cell> row(table.columns.size());
    row[0] = Cell(each.key);
    row[1] = Cell(each.level);
    if (each.agreement) {
      row[2] = Cell(each.agreement->value);
      row[5] = Cell(each.agreement->observed);
      row[6] = Cell(each.agreement->expected);
      row[7] = Cell(each.agreement->units);
      row[8] = Cell(each.agreement->ratings);
    }
    if (each.interval) row[3] = Cell(each.interval->low), row[4] = Cell(each.interval->high);
    row[9] = Cell(each.signature);
    table.rows.push_back(std::move(row));
  }
  return table;
}

// What a person wants to see of it.
Table short_table(std::span<const Coefficient> coefficients) {
  Table table{.columns = {{"coefficient"}, {"level"}, {"value"}, {"95% from"}, {"to"}, {"units"}}};
  for (const Coefficient& each : coefficients) {
    std::vector<Cell> row(table.columns.size());
    row[0] = Cell(each.label);
    row[1] = Cell(each.level);
    if (each.agreement) row[2] = Cell(each.agreement->value), row[5] = Cell(each.agreement->units);
    if (each.interval) row[3] = Cell(each.interval->low), row[4] = Cell(each.interval->high);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Cell cell_of(const std::optional<double>& value) {
  return value ? Cell(*value) : Cell();
}

Table pair_table(std::span<const PairAgreement> pairs, const RatingsSheet& sheet, RatingsKind kind) {
  Table table{.columns = {{"rater", "", 3, Align::kLeft, 24}, {"and", "", 3, Align::kLeft, 24}, {"kappa"}}};
  if (kind != RatingsKind::kNames) {
    for (const char* name : {"Spearman", "95% from", "to"}) table.columns.push_back({name});
  }
  if (kind == RatingsKind::kNumbers) {
    for (const char* name : {"Pearson", "95% from", "to"}) table.columns.push_back({name});
  }
  table.columns.push_back({"units"});
  for (const PairAgreement& pair : pairs) {
    std::vector<Cell> row = {sheet.raters[pair.first], sheet.raters[pair.second], cell_of(pair.kappa)};
    const auto add = [&](const std::optional<double>& value, const std::optional<Interval>& interval) {
      row.push_back(cell_of(value));
      row.push_back(interval ? Cell(interval->low) : Cell());
      row.push_back(interval ? Cell(interval->high) : Cell());
    };
    if (kind != RatingsKind::kNames) add(pair.spearman, pair.spearman_interval);
    if (kind == RatingsKind::kNumbers) add(pair.pearson, pair.pearson_interval);
    row.emplace_back(pair.units);
    table.rows.push_back(std::move(row));
  }
  return table;
}

template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? Json{{"low", interval->low}, {"high", interval->high}, {"level", interval->level}}
                  : Json();
}

Json coefficient_json(const Coefficient& each) {
  Json json = {{"key", each.key}, {"level", each.level}};
  json["value"] = each.agreement ? Json(each.agreement->value) : Json();
  if (!each.agreement) json["undefined"] = each.undefined;
  json["interval"] = interval_json(each.interval);
  if (each.agreement) {
    json["observed"] = each.agreement->observed;
    json["expected"] = each.agreement->expected;
    json["units"] = each.agreement->units;
    json["ratings"] = each.agreement->ratings;
  }
  json["signature"] = each.signature;
  return json;
}

struct Answer {
  RatingsSheet sheet;
  NumberedRatings ratings;
  std::vector<Coefficient> coefficients;
  std::vector<PairAgreement> pairs;
  std::size_t resamples = 0;
};

std::string as_json(const Answer& answer) {
  const RatingsSheet& sheet = answer.sheet;
  Json json = {{"file", sheet.source},
               {"form", sheet.form == RatingsSheet::Form::kLong ? "long" : "wide"},
               {"units", sheet.units.size()},
               {"raters", sheet.raters},
               {"ratings", sheet.given()},
               {"missing", sheet.entries.size() - sheet.given()},
               {"categories", answer.ratings.category_names},
               {"resamples", answer.resamples}};
  for (const Coefficient& each : answer.coefficients) {
    json[each.key] = each.agreement ? Json(each.agreement->value) : Json();
  }
  json["coefficients"] = Json::array();
  for (const Coefficient& each : answer.coefficients) json["coefficients"].push_back(coefficient_json(each));
  json["pairs_signature"] = score::Signature("agree/pairs")
                                .set("kappa_weights", "identity")
                                .set("spearman_ties", "mid-ranks")
                                .set("missing", "left_out_by_pair")
                                .set("interval", "bootstrap_units")
                                .set("resamples", static_cast<int>(answer.resamples))
                                .text();
  json["pairs"] = Json::array();
  for (const PairAgreement& pair : answer.pairs) {
    json["pairs"].push_back({{"first", sheet.raters[pair.first]},
                             {"second", sheet.raters[pair.second]},
                             {"units", pair.units},
                             {"cohen_kappa", json_or_null(pair.kappa)},
                             {"spearman", json_or_null(pair.spearman)},
                             {"spearman_interval", interval_json(pair.spearman_interval)},
                             {"pearson", json_or_null(pair.pearson)},
                             {"pearson_interval", interval_json(pair.pearson_interval)}});
  }
  return dump_json_pretty(json);
}

// Drawing gigabytes to sharpen an interval that is narrow anyway helps nobody.
std::size_t resamples_for(const AgreeOptions& options, std::size_t ratings) {
  if (options.resamples) return static_cast<std::size_t>(*options.resamples);
  return std::clamp<std::size_t>(20'000'000 / std::max<std::size_t>(ratings, 1), 100, 1000);
}

std::vector<std::string> scale_of(const AgreeOptions& options) {
  std::vector<std::string> scale;
  if (trim(options.scale).empty()) return scale;
  for (const std::string_view part : split(options.scale, ',')) scale.emplace_back(trim(part));
  return scale;
}

void say_what_was_read(const Answer& answer, Context& context) {
  const RatingsSheet& sheet = answer.sheet;
  static constexpr std::string_view kKinds[] = {"names", "an ordered scale", "numbers"};
  context.say("{}: {} units, {} raters, {} ratings ({} missing), read as {}", sheet.source,
              with_thousands(static_cast<long long>(sheet.units.size())), sheet.raters.size(),
              with_thousands(static_cast<long long>(sheet.given())),
              with_thousands(static_cast<long long>(sheet.entries.size() - sheet.given())),
              kKinds[static_cast<std::size_t>(answer.ratings.kind)]);
}

void say_what_is_undefined(const Answer& answer, Context& context) {
  std::map<std::string, int> reasons;
  for (const Coefficient& each : answer.coefficients) {
    if (!each.agreement) ++reasons[each.undefined];
  }
  for (const auto& [reason, count] : reasons) {
    context.say("{} {} undefined: {}", count, count == 1 ? "coefficient is" : "coefficients are", reason);
  }
}

Result<int> run(const AgreeOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const RowFile file, read_row_file(options.file));
  Answer answer;
  AWRY_TRY_ASSIGN(answer.sheet, read_ratings(file, options.columns));
  AWRY_TRY_ASSIGN(answer.ratings,
                  number_ratings(answer.sheet, {.nominal = options.nominal, .scale = scale_of(options)}));
  answer.resamples = resamples_for(options, answer.sheet.given());
  const RaterAgreementOptions how{
      .resamples = answer.resamples, .seed = options.seed, .cancel = &context.cancel};
  if (answer.sheet.given() * answer.resamples > 20'000'000) {
    context.say("drawing {} resamples of {} ratings for the intervals; --resamples 0 goes without",
                answer.resamples, with_thousands(static_cast<long long>(answer.sheet.given())));
  }
  answer.coefficients = agreement_coefficients(answer.ratings, how);
  const std::size_t raters = answer.sheet.raters.size(), pair_count = raters * (raters - 1) / 2;
  const bool few_pairs = pair_count <= kMostPairsShown;
  RaterAgreementOptions for_pairs = how;
  if (!few_pairs) for_pairs.resamples = 0;
  answer.pairs = pairwise_agreement(answer.ratings, for_pairs);
  if (context.cancel.requested()) {
    return fail({.kind = ErrorKind::kCancelled, .what = "stopped before the intervals were done"});
  }

  const bool any = std::ranges::any_of(answer.coefficients,
                                       [](const Coefficient& each) { return each.agreement.has_value(); });
  if (!any) {
    return fail({.what = "cannot compute agreement",
                 .input = answer.sheet.source,
                 .why = answer.coefficients.front().undefined});
  }

  say_what_was_read(answer, context);
  const bool to_stdout = options.output.empty() || options.output == "-";
  if (!to_stdout || options.json) {
    AWRY_TRY(write_result(context.out, coefficient_table(answer.coefficients), as_json(answer),
                          {.json = options.json, .file = options.output}));
  } else {
    AWRY_TRY(write_table(context.out, short_table(answer.coefficients), {}));
    if (few_pairs && (raters > 2 || answer.ratings.kind != RatingsKind::kNames)) {
      context.out.write("\n");
      AWRY_TRY(write_table(context.out, pair_table(answer.pairs, answer.sheet, answer.ratings.kind), {}));
    }
  }
  say_what_is_undefined(answer, context);
  if (!few_pairs) context.say("{} pairs of raters are in --json", pair_count);
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_agree() {
  return make_command<AgreeOptions>(declare, run);
}

}  // namespace awry::cli
