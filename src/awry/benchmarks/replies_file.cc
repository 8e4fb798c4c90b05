// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/replies_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

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

struct ReplyLine {
  std::string id;
  Reply reply;
  std::size_t line = 0;
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
      replies.push_back({std::move(id), std::move(reply), number});
    }
    return replies;
  }
  for (const char* field : {"id", "reply"}) {
    if (!line.contains(field) || !line[field].is_string()) {
      return fail(complaint(path, number, fmt::format("it has no text field '{}'", field),
                            "Each line should look like {\"id\": \"12\", \"reply\": \"...\"}."));
    }
  }
  replies.push_back({line["id"].get<std::string>(), {.text = line["reply"].get<std::string>()}, number});
  return replies;
}

// A line of just {"id", "reply"}, by far the most frequent kind, without building a document for it.
// nullopt: the line is something else, or broken, which the ordinary reader explains.
std::optional<ReplyLine> plain_reply(simdjson::dom::parser& parser, std::string_view line,
                                     std::size_t number) {
  simdjson::dom::object object;
  if (parser.parse(line.data(), line.size(), false).get(object) || object.size() != 2) return std::nullopt;
  std::string_view id, reply;
  if (object["id"].get(id) || object["reply"].get(reply)) return std::nullopt;
  return ReplyLine{.id = std::string(id), .reply = {.text = std::string(reply)}, .line = number};
}

// All replies of a file, each handed out once.
class Desk {
 public:
  static Result<Desk> open(const std::filesystem::path& path) {
    AWRY_TRY_ASSIGN(std::string text, read_file(path));
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);  // simdjson reads, without using, that far behind
    Desk desk(path);
    simdjson::dom::parser parser;
    const auto lines = split_lines(text);
    for (std::size_t number = 1; number <= lines.size(); ++number) {
      const std::string_view text_of_line = lines[number - 1];
      if (trim(text_of_line).empty()) continue;
      if (auto plain = plain_reply(parser, text_of_line, number)) {
        AWRY_TRY(desk.lay_out(std::move(*plain)));
        continue;
      }
      AWRY_TRY_ASSIGN(const Json line,
                      parse_json(text_of_line, fmt::format("{}, line {}", path.string(), number)));
      AWRY_TRY_ASSIGN(std::vector<ReplyLine> replies, replies_in(line, path, number));
      for (ReplyLine& each : replies) AWRY_TRY(desk.lay_out(std::move(each)));
    }
    return desk;
  }

  bool has(const std::string& id) const { return waiting_.contains(id); }

  // The reply to a question, which may be called by its sample's name where it is the only one.
  Result<std::optional<Reply>> take(const Question& question, bool only_one) {
    const auto found = waiting_.find(question.id);
    const auto by_sample = only_one ? waiting_.find(question.sample_id) : waiting_.end();
    if (found != waiting_.end() && by_sample != waiting_.end() && found != by_sample) {
      return fail(repeated(question.id, std::max(found->second.line, by_sample->second.line),
                           std::min(found->second.line, by_sample->second.line)));
    }
    const auto place = found != waiting_.end() ? found : by_sample;
    if (place == waiting_.end()) return std::nullopt;
    Reply reply = std::move(place->second.reply);
    reply.question_id = question.id;
    waiting_.erase(place);
    return reply;
  }

  // What nobody asked for.
  Result<void> finish() const {
    const auto first =
        std::ranges::min_element(waiting_, {}, [](const auto& each) { return each.second.line; });
    if (first == waiting_.end()) return {};
    return fail(complaint(path_, first->second.line, fmt::format("no question is called '{}'", first->first),
                          "Ids are those of the truth file."));
  }

 private:
  explicit Desk(std::filesystem::path path) : path_(std::move(path)) {}
  Result<void> lay_out(ReplyLine reply) {
    std::string id = reply.id;
    const std::size_t line = reply.line;
    const auto [place, is_new] = waiting_.try_emplace(std::move(id), std::move(reply));
    if (!is_new) return fail(repeated(place->first, line, place->second.line));
    return {};
  }
  Error repeated(const std::string& id, std::size_t line, std::size_t earlier) const {
    return complaint(path_, line, fmt::format("'{}' was already answered in line {}", id, earlier));
  }

  std::filesystem::path path_;
  std::unordered_map<std::string, ReplyLine> waiting_;
};

// One sample's conversation, as far as the file holds it.
Result<AnsweredSample> replay(const Protocol& protocol, Sample sample, const ProtocolOptions& options,
                              Desk& desk, const std::string& file) {
  const auto ask = protocol.outline != nullptr ? protocol.outline : protocol.ask;
  AWRY_TRY_ASSIGN(std::vector<Question> asked, ask(sample, options));
  AnsweredSample answered{.sample = std::move(sample)};
  std::vector<Reply> replies;
  const bool only_one = asked.size() == 1;
  while (!asked.empty()) {
    for (Question& question : asked) {
      AWRY_TRY_ASSIGN(std::optional<Reply> reply,
                      desk.take(question, only_one && answered.questions.empty()));
      if (!reply) {
        reply = Reply{.question_id = question.id,
                      .outcome = Outcome::kTransport,
                      .error = fmt::format("{} holds no reply to it", file)};
      }
      answered.answers.push_back(
          reply->outcome == Outcome::kAnswered
              ? protocol.parse(answered.sample, question, *reply)
              : Answer{.question_id = question.id, .outcome = reply->outcome, .complaint = reply->error});
      answered.questions.push_back(std::move(question));
      replies.push_back(std::move(*reply));
    }
    asked.clear();
    if (protocol.follow_up == nullptr) break;
    AWRY_TRY_ASSIGN(std::vector<Question> next, protocol.follow_up(answered, replies, options));
    // Nobody needs to have asked further; what was asked has its reply or its failure in the file.
    for (Question& question : next) {
      if (desk.has(question.id)) asked.push_back(std::move(question));
    }
  }
  return answered;
}

}  // namespace

Result<std::vector<AnsweredSample>> read_replies_file(const Protocol& protocol,
                                                      const std::filesystem::path& path,
                                                      std::vector<Sample> samples,
                                                      const ProtocolOptions& options) {
  AWRY_TRY_ASSIGN(Desk desk, Desk::open(path));
  std::vector<AnsweredSample> answered;
  answered.reserve(samples.size());
  for (Sample& sample : samples) {
    AWRY_TRY_ASSIGN(AnsweredSample each, replay(protocol, std::move(sample), options, desk, path.string()));
    answered.push_back(std::move(each));
  }
  AWRY_TRY(desk.finish());
  return answered;
}

Result<std::vector<AnsweredSample>> read_answers(const Protocol& protocol, const std::filesystem::path& path,
                                                 std::vector<Sample> samples,
                                                 const ProtocolOptions& options) {
  if (protocol.read_answers != nullptr) return protocol.read_answers(path, std::move(samples), options);
  return read_replies_file(protocol, path, std::move(samples), options);
}

}  // namespace awry::benchmarks
