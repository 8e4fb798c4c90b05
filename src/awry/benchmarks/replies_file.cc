// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/replies_file.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/records/json.h"

namespace awry::benchmarks {
namespace {

Error complaint(const std::filesystem::path& path, std::size_t line, std::string why, std::string hint = {}) {
  return {.what = "cannot read answers",
          .input = fmt::format("{}:{}", path.string(), line),
          .why = std::move(why),
          .hint = std::move(hint)};
}

// Where each question waits for its reply; a sample's name reaches its only question.
class Desk {
 public:
  explicit Desk(std::vector<AnsweredSample>& samples) {
    for (std::size_t s = 0; s < samples.size(); ++s) {
      auto& [sample, questions, answers] = samples[s];
      for (std::size_t q = 0; q < questions.size(); ++q) places_[questions[q].id] = {s, q};
      if (questions.size() == 1) places_.try_emplace(sample.id, Place{s, 0});
    }
  }
  struct Place {
    std::size_t sample = 0, question = 0;
    std::size_t line = 0;  // where its reply stood; 0: none yet
  };
  // Both names of a single question lead to one line number, so that a repeat is noticed under either.
  Place* find(const std::string& id, const std::vector<AnsweredSample>& samples) {
    const auto found = places_.find(id);
    if (found == places_.end()) return nullptr;
    const Question& question = samples[found->second.sample].questions[found->second.question];
    return &places_.at(question.id);
  }

 private:
  std::map<std::string, Place, std::less<>> places_;
};

struct ReplyLine {
  std::string id;
  Reply reply;
};

// A bare {"id", "reply"}, or one element of "asked" in a run's samples.jsonl.
Result<std::vector<ReplyLine>> replies_in(const Json& line, const std::filesystem::path& path,
                                          std::size_t number) {
  std::vector<ReplyLine> replies;
  if (!line.is_object()) return fail(complaint(path, number, "the line is not a JSON object"));
  if (line.contains("asked") && line["asked"].is_array()) {
    for (const Json& asked : line["asked"]) {
      if (!asked.is_object() || !asked.contains("reply")) {
        return fail(complaint(path, number, "an element of 'asked' has no reply"));
      }
      AWRY_TRY_ASSIGN(Reply reply,
                      from_json<Reply>(asked["reply"], fmt::format("{}:{}", path.string(), number)));
      std::string id = reply.question_id;
      replies.push_back({std::move(id), std::move(reply)});
    }
    return replies;
  }
  for (const char* field : {"id", "reply"}) {
    if (!line.contains(field) || !line[field].is_string()) {
      return fail(complaint(path, number, fmt::format("it has no text field '{}'", field),
                            "Each line should look like {\"id\": \"12\", \"reply\": \"...\"}."));
    }
  }
  replies.push_back({line["id"].get<std::string>(), {.text = line["reply"].get<std::string>()}});
  return replies;
}

}  // namespace

Result<std::vector<AnsweredSample>> read_replies_file(const Protocol& protocol,
                                                      const std::filesystem::path& path,
                                                      std::vector<Sample> samples,
                                                      const ProtocolOptions& options) {
  AWRY_TRY_ASSIGN(const std::string text, read_file(path));
  std::vector<AnsweredSample> answered;
  answered.reserve(samples.size());
  for (Sample& sample : samples) {
    AWRY_TRY_ASSIGN(std::vector<Question> questions, protocol.ask(sample, options));
    std::vector<Answer> answers;
    for (const Question& question : questions) {
      answers.push_back({.question_id = question.id,
                         .outcome = Outcome::kTransport,
                         .complaint = fmt::format("{} holds no reply to it", path.string())});
    }
    answered.push_back({std::move(sample), std::move(questions), std::move(answers)});
  }

  Desk desk(answered);
  const auto lines = split_lines(text);
  for (std::size_t number = 1; number <= lines.size(); ++number) {
    if (trim(lines[number - 1]).empty()) continue;
    AWRY_TRY_ASSIGN(const Json line,
                    parse_json(lines[number - 1], fmt::format("{}, line {}", path.string(), number)));
    AWRY_TRY_ASSIGN(std::vector<ReplyLine> replies, replies_in(line, path, number));
    for (ReplyLine& each : replies) {
      Desk::Place* place = desk.find(each.id, answered);
      if (place == nullptr) {
        return fail(complaint(path, number, fmt::format("no question is called '{}'", each.id),
                              "Ids are those of the truth file."));
      }
      if (place->line != 0) {
        return fail(complaint(path, number,
                              fmt::format("'{}' was already answered in line {}", each.id, place->line)));
      }
      place->line = number;
      AnsweredSample& of = answered[place->sample];
      const Question& question = of.questions[place->question];
      each.reply.question_id = question.id;
      of.answers[place->question] =
          each.reply.outcome == Outcome::kAnswered
              ? protocol.parse(of.sample, question, each.reply)
              : Answer{
                    .question_id = question.id, .outcome = each.reply.outcome, .complaint = each.reply.error};
    }
  }
  return answered;
}

Result<std::vector<AnsweredSample>> read_answers(const Protocol& protocol, const std::filesystem::path& path,
                                                 std::vector<Sample> samples,
                                                 const ProtocolOptions& options) {
  if (protocol.read_answers != nullptr) return protocol.read_answers(path, std::move(samples), options);
  return read_replies_file(protocol, path, std::move(samples), options);
}

}  // namespace awry::benchmarks
