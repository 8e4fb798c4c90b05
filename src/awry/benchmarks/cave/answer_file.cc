// SPDX-License-Identifier: Apache-2.0
// Answers with their verdicts, image by image (README, Answers). Text answers are parsed like fresh replies.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "awry/base/text.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/cave/json_rows.h"
#include "awry/benchmarks/cave/judging.h"
#include "awry/benchmarks/replies_file.h"
#include "awry/benchmarks/reply_entry.h"

namespace awry::benchmarks::cave {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhat = "cannot read CAVE answers";

// Where each kind of answer about one anomaly stands.
struct AnomalyField {
  std::string_view field, kind;
};
constexpr std::array kAnomalyFields = {AnomalyField{"box", kLocate},
                                       AnomalyField{"explanation", kExplain},
                                       AnomalyField{"justification", kJustify},
                                       AnomalyField{"severity", "severity"},
                                       AnomalyField{"surprisal", "surprisal"},
                                       AnomalyField{"complexity", "complexity"}};

bool is_reply_row(const Json& row) {
  if (!row.is_object() || row.contains("descriptions") || row.contains("anomalies")) return false;
  return row.contains("asked") ||
         std::ranges::any_of(row.items(), [](const auto& each) { return is_reply_name(each.key()); });
}

// Tasks that occur nowhere in the file were not asked.
std::set<std::string> tasks_in(const std::vector<Json>& rows) {
  std::set<std::string> tasks;
  for (const Json& row : rows) {
    if (!row.is_object()) continue;
    if (row.contains("descriptions") || row.contains("outcome")) tasks.emplace(kDescribe);
    const auto anomalies = row.find("anomalies");
    if (anomalies == row.end() || !anomalies->is_array()) continue;
    for (const Json& anomaly : *anomalies) {
      if (!anomaly.is_object()) continue;
      for (const auto& [field, kind] : kAnomalyFields) {
        if (anomaly.contains(std::string(field))) tasks.emplace(kind);
      }
      const auto outcomes = anomaly.find("outcomes");
      if (outcomes == anomaly.end() || !outcomes->is_object()) continue;
      for (const auto& [kind, outcome] : outcomes->items()) {
        if (std::find(kTasks.begin(), kTasks.end(), kind) != kTasks.end()) tasks.insert(kind);
      }
    }
  }
  return tasks;
}

Result<std::vector<AnsweredSample>> pose_questions(std::vector<Sample> samples,
                                                   const std::set<std::string>& tasks,
                                                   ProtocolOptions options, const std::string& unanswered) {
  AWRY_TRY_ASSIGN(const Options read, read_options(options));
  options["tasks"] = fmt::format("{}", fmt::join(tasks, ","));
  // The answers are final ones, also where drafts or other turns came before.
  if (read.prompt == "consistency" || read.prompt == "multi-turn") options["prompt"] = "cot";
  std::vector<AnsweredSample> answered;
  for (Sample& sample : samples) {
    std::vector<Question> questions;
    if (!tasks.empty()) {
      AWRY_TRY_ASSIGN(questions, ask(sample, options));
    }
    std::vector<Answer> answers;
    for (Question& question : questions) {
      question.attributes[kPromptAttribute] = read.prompt;
      answers.push_back(
          {.question_id = question.id, .outcome = Outcome::kTransport, .complaint = unanswered});
    }
    answered.push_back({std::move(sample), std::move(questions), std::move(answers)});
  }
  return answered;
}

// People rate justifications of a part of the anomalies, as the paper did, so one that the file does not hold
// was not asked for.
void drop_unposed_justifications(std::vector<AnsweredSample>& answered, const std::string& unanswered) {
  for (AnsweredSample& of : answered) {
    for (std::size_t i = of.questions.size(); i-- > 0;) {
      if (of.questions[i].kind != kJustify || of.answers[i].complaint != unanswered) continue;
      of.questions.erase(of.questions.begin() + static_cast<std::ptrdiff_t>(i));
      of.answers.erase(of.answers.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

// Fills the answers of one image and collects the verdicts about them.
class ImageAnswers {
 public:
  ImageAnswers(AnsweredSample& of, std::string model, std::string judge, std::vector<Judgement>& judgements)
      : of_(of), model_(std::move(model)), judge_(std::move(judge)), judgements_(judgements) {}

  Result<void> read(JsonRow& row) {
    AWRY_TRY(read_description(row));
    AWRY_TRY_ASSIGN(const Json* anomalies, row.find({"anomalies"}));
    if (anomalies != nullptr) {
      if (!anomalies->is_array()) return row.error("field 'anomalies' is not a list");
      std::set<int> seen;
      for (std::size_t i = 0; i < anomalies->size(); ++i) {
        AWRY_TRY_ASSIGN(JsonRow inner,
                        row.inside((*anomalies)[i], fmt::format("element {} of 'anomalies'", i + 1)));
        AWRY_TRY_ASSIGN(const int number, number_up_to(inner, "anomaly", of_.sample.truth.size()));
        if (!seen.insert(number).second) return inner.error(fmt::format("anomaly {} is there twice", number));
        AWRY_TRY(read_anomaly(inner, number));
      }
    }
    return row.finish();
  }

 private:
  Result<int> number_up_to(JsonRow& row, std::string_view field, std::size_t most) {
    AWRY_TRY_ASSIGN(const int number, row.positive_integer({field}));
    if (number == 0) return row.error(fmt::format("field '{}' is missing", field));
    if (static_cast<std::size_t>(number) > most) {
      return row.error(fmt::format("{} {} is out of range: '{}' has {}", field, number, of_.sample.id, most));
    }
    return number;
  }

  std::size_t find_question(std::string_view kind, int anomaly) const {
    const std::string number = anomaly == 0 ? "" : fmt::format("{}", anomaly);
    for (std::size_t i = 0; i < of_.questions.size(); ++i) {
      if (of_.questions[i].kind == kind && attribute(of_.questions[i], kAnomalyAttribute) == number) return i;
    }
    return of_.questions.size();  // not reached: tasks_in() saw the field
  }

  Result<Outcome> outcome_in(const JsonRow& row, const Json& value) const {
    const auto outcome = value.is_string() ? outcome_named(value.get<std::string>()) : std::nullopt;
    if (outcome) return *outcome;
    std::vector<std::string_view> names;
    for (const Outcome each : kAllOutcomes) names.push_back(name_of(each));
    return row.error(fmt::format("outcome {} is none of {}", dump_json(value), fmt::join(names, ", ")));
  }

  // A string is what the model wrote; anything else is JSON that it might have written.
  void answer(std::size_t question, const Json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : dump_json(value);
    of_.answers[question] = parse(of_.sample, of_.questions[question],
                                  {.question_id = of_.questions[question].id, .text = text, .model = model_});
  }

  // Text is a reply to be parsed. A list or an object is taken entry by entry, so that verdicts can count
  // them.
  Result<void> take_descriptions(const JsonRow& row, const Json& value) {
    const std::size_t question = find_question(kDescribe, 0);
    if (value.is_string()) {
      answer(question, value);
      return {};
    }
    if (!value.is_structured())
      return row.error("field 'descriptions' is neither a list, an object nor text");
    Answer given{.question_id = of_.questions[question].id};
    for (const Json& each : value) {
      const std::string text = each.is_string() ? each.get<std::string>() : "";
      if (trim(text).empty()) {
        return row.error(fmt::format("description {} is not a text, or empty", given.findings.size() + 1));
      }
      given.findings.push_back({.id = fmt::format("{}/{}", given.question_id, given.findings.size() + 1),
                                .phenomenon = text,
                                .by = {.kind = AuthorKind::kModel, .name = model_}});
    }
    of_.answers[question] = std::move(given);
    return {};
  }

  Result<void> read_description(JsonRow& row) {
    AWRY_TRY_ASSIGN(const Json* descriptions, row.find({"descriptions"}));
    AWRY_TRY_ASSIGN(const Json* outcome, row.find({"outcome"}));
    AWRY_TRY_ASSIGN(const Json* verdicts, row.find({"verdicts"}));
    AWRY_TRY_ASSIGN(const Json* matches, row.find({"matches"}));
    if (descriptions != nullptr && !descriptions->is_null()) AWRY_TRY(take_descriptions(row, *descriptions));
    std::size_t described = 0;
    if (descriptions != nullptr || outcome != nullptr) {
      Answer& given = of_.answers[find_question(kDescribe, 0)];
      if (outcome != nullptr) {
        AWRY_TRY_ASSIGN(given.outcome, outcome_in(row, *outcome));
        given.complaint.clear();
      }
      described = given.findings.size();
    }
    if (verdicts != nullptr && matches != nullptr) return row.error("it has both 'verdicts' and 'matches'");
    if (verdicts != nullptr) return read_verdicts(row, *verdicts, described);
    if (matches != nullptr) return read_matches(row, *matches, described);
    return {};
  }

  void judge_pair(const JsonRow& row, int prediction, int truth, std::optional<double> value) {
    const Answer& given = of_.answers[find_question(kDescribe, 0)];
    judgements_.push_back({.finding_id = given.findings[static_cast<std::size_t>(prediction - 1)].id,
                           .kind = kSameAnomaly,
                           .truth_id = of_.sample.truth[static_cast<std::size_t>(truth - 1)].id,
                           .by = judge_,
                           .value = value,
                           .place = row.place()});
  }

  // true, false or null; "yes", "no", "true", "false" as judges write them.
  Result<std::optional<double>> verdict_in(const JsonRow& row, const Json& value) const {
    if (value.is_null()) return std::nullopt;
    if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
    const std::string word = value.is_string() ? to_lower_ascii(trim(value.get<std::string>())) : "";
    if (word == "yes" || word == "true") return 1;
    if (word == "no" || word == "false") return 0;
    return row.error(fmt::format("verdict {} is none of true, false, null", dump_json(value)));
  }

  Result<void> read_verdicts(JsonRow& row, const Json& list, std::size_t described) {
    if (!list.is_array()) return row.error("field 'verdicts' is not a list");
    std::set<std::pair<int, int>> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      AWRY_TRY_ASSIGN(JsonRow pair, row.inside(list[i], fmt::format("verdict {}", i + 1)));
      AWRY_TRY_ASSIGN(const int prediction, number_up_to(pair, "prediction", described));
      AWRY_TRY_ASSIGN(const int truth, number_up_to(pair, "truth", of_.sample.truth.size()));
      AWRY_TRY_ASSIGN(const Json* same, pair.find({"same"}));
      AWRY_TRY(pair.find({"note"}));
      AWRY_TRY(pair.finish());
      if (same == nullptr) return pair.error("field 'same' is missing");
      AWRY_TRY_ASSIGN(const std::optional<double> value, verdict_in(pair, *same));
      if (!seen.insert({prediction, truth}).second) {
        return pair.error(fmt::format("prediction {} and truth {} are there twice", prediction, truth));
      }
      judge_pair(pair, prediction, truth, value);
    }
    return {};
  }

  // The pairs that are the same; all others are not.
  Result<void> read_matches(JsonRow& row, const Json& list, std::size_t described) {
    if (!list.is_array()) return row.error("field 'matches' is not a list");
    std::set<std::pair<int, int>> same;
    const auto number = [](const Json& value, std::size_t most) {
      return value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 &&
             value.get<std::uint64_t>() <= most;
    };
    for (const Json& pair : list) {
      if (!pair.is_array() || pair.size() != 2 || !number(pair[0], described) ||
          !number(pair[1], of_.sample.truth.size())) {
        return row.error(fmt::format("match {} is not [prediction, truth] with numbers up to {} and {}",
                                     dump_json(pair), described, of_.sample.truth.size()));
      }
      if (!same.insert({pair[0].get<int>(), pair[1].get<int>()}).second) {
        return row.error(fmt::format("match {} is there twice", dump_json(pair)));
      }
    }
    for (int p = 1; p <= static_cast<int>(described); ++p) {
      for (int t = 1; t <= static_cast<int>(of_.sample.truth.size()); ++t) {
        judge_pair(row, p, t, same.contains({p, t}) ? 1.0 : 0.0);
      }
    }
    return {};
  }

  Result<void> read_anomaly(JsonRow& row, int number) {
    for (const auto& [field, kind] : kAnomalyFields) {
      AWRY_TRY_ASSIGN(const Json* value, row.find({field}));
      if (value != nullptr && !value->is_null()) answer(find_question(kind, number), *value);
    }
    AWRY_TRY_ASSIGN(const Json* correct, row.find({"explanation_correct"}));
    if (correct != nullptr) {
      AWRY_TRY_ASSIGN(const std::optional<double> value, verdict_in(row, *correct));
      if (!row_has_finding(kExplain, number)) {
        if (value) return row.error("'explanation_correct' is given without a readable 'explanation'");
      } else {
        push(row, kExplain, number, kRightExplanation, judge_, value);
      }
    }
    AWRY_TRY(read_ratings(row, number));
    AWRY_TRY_ASSIGN(const Json* outcomes, row.find({"outcomes"}));
    if (outcomes != nullptr) {
      if (!outcomes->is_object()) return row.error("field 'outcomes' is not an object");
      for (const auto& [kind, name] : outcomes->items()) {
        if (kind == kDescribe || std::find(kTasks.begin(), kTasks.end(), kind) == kTasks.end()) {
          return row.error(fmt::format("'outcomes' names '{}', which is asked about no anomaly", kind));
        }
        Answer& given = of_.answers[find_question(kind, number)];
        AWRY_TRY_ASSIGN(given.outcome, outcome_in(row, name));
        given.complaint.clear();
      }
    }
    return row.finish();
  }

  bool row_has_finding(std::string_view kind, int number) const {
    const std::size_t question = find_question(kind, number);
    return question < of_.answers.size() && !of_.answers[question].findings.empty();
  }

  void push(const JsonRow& row, std::string_view kind, int number, std::string_view verdict, std::string by,
            std::optional<double> value) {
    judgements_.push_back({.finding_id = of_.answers[find_question(kind, number)].findings.front().id,
                           .kind = std::string(verdict),
                           .by = std::move(by),
                           .value = value,
                           .place = row.place()});
  }

  Result<void> read_ratings(JsonRow& row, int number) {
    AWRY_TRY_ASSIGN(const Json* ratings, row.find({"justification_ratings"}));
    if (ratings == nullptr) return {};
    if (!ratings->is_array()) return row.error("field 'justification_ratings' is not a list");
    if (!ratings->empty() && !row_has_finding(kJustify, number)) {
      return row.error("'justification_ratings' are given without a readable 'justification'");
    }
    for (std::size_t i = 0; i < ratings->size(); ++i) {
      AWRY_TRY_ASSIGN(JsonRow rating, row.inside((*ratings)[i], fmt::format("rating {}", i + 1)));
      AWRY_TRY_ASSIGN(std::string by, rating.name({"by"}));
      if (by.empty()) by = fmt::format("rater {}", i + 1);
      for (const std::string_view criterion : kCriteria) {
        AWRY_TRY_ASSIGN(const std::string word, rating.text({criterion}));
        if (word.empty()) continue;
        const auto value = rating_named(word);
        if (!value) {
          return rating.error(fmt::format("{}: '{}' is none of better, similar, worse", criterion, word));
        }
        push(rating, kJustify, number, criterion, by, value);
      }
      AWRY_TRY(rating.finish());
    }
    return {};
  }

  AnsweredSample& of_;
  std::string model_, judge_;
  std::vector<Judgement>& judgements_;
};

}  // namespace

Result<std::vector<AnsweredSample>> read_answers(const fs::path& path, std::vector<Sample> samples,
                                                 const ProtocolOptions& options) {
  AWRY_TRY_ASSIGN(const JsonRows read, read_json_rows(path, "answers", "descriptions", kWhat));
  if (!read.rows.empty() && is_reply_row(read.rows.front())) {
    return read_replies_file(kProtocol, path, std::move(samples), options);
  }
  AWRY_TRY_ASSIGN(JsonRow head, JsonRow::open(read.head, kWhat, path.string(), ""));
  AWRY_TRY_ASSIGN(const std::string model, head.text({"model"}));
  AWRY_TRY_ASSIGN(const std::string judge, head.text({"judge"}));
  AWRY_TRY(head.finish());

  const std::string unanswered = fmt::format("{} holds no answer to it", path.string());
  AWRY_TRY_ASSIGN(std::vector<AnsweredSample> answered,
                  pose_questions(std::move(samples), tasks_in(read.rows), options, unanswered));
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < answered.size(); ++i) index[answered[i].sample.id] = i;

  std::vector<Judgement> judgements;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < read.rows.size(); ++i) {
    AWRY_TRY_ASSIGN(JsonRow row, JsonRow::open(read.rows[i], kWhat, path.string(), read.places[i]));
    AWRY_TRY_ASSIGN(const std::string id, row.name({"id", "image_id"}));
    if (id.empty()) return row.error("field 'id' is missing or empty");
    const auto sample = index.find(id);
    if (sample == index.end()) {
      return row.error(fmt::format("no image has the id '{}'", id), "Ids are those of the annotations.");
    }
    if (!seen.insert(id).second) return row.error(fmt::format("the id '{}' is there twice", id));
    AWRY_TRY(ImageAnswers(answered[sample->second], model, judge, judgements).read(row));
  }
  drop_unposed_justifications(answered, unanswered);
  AWRY_TRY(write_judgements(judgements, answered));
  return answered;
}

}  // namespace awry::benchmarks::cave
