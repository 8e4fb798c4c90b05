// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/replies_file.h"

#include <fmt/format.h>

#include "awry/benchmarks/read_reply.h"
#include "awry/benchmarks/reply_desk.h"

namespace awry::benchmarks {
namespace {

// One sample's conversation, as far as the file holds it.
Result<AnsweredSample> replay(const Protocol& protocol, Sample sample, const ProtocolOptions& options,
                              ReplyDesk& desk, const std::string& file) {
  const auto ask = protocol.outline != nullptr ? protocol.outline : protocol.ask;
  AWRY_TRY_ASSIGN(std::vector<Question> asked, ask(sample, options));
  AnsweredSample answered{.sample = std::move(sample)};
  answered.questions.reserve(asked.size());
  answered.answers.reserve(asked.size());
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
              ? read_reply(protocol, answered.sample, question, *reply)
              : Answer{.question_id = question.id, .outcome = reply->outcome, .complaint = reply->error});
      answered.questions.push_back(std::move(question));
      if (protocol.follow_up != nullptr) replies.push_back(std::move(*reply));
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
                                                      const ProtocolOptions& options,
                                                      std::span<const std::string> left_out) {
  AWRY_TRY_ASSIGN(ReplyDesk desk, ReplyDesk::open(path));
  std::vector<AnsweredSample> answered;
  answered.reserve(samples.size());
  for (Sample& sample : samples) {
    AWRY_TRY_ASSIGN(AnsweredSample each, replay(protocol, std::move(sample), options, desk, path.string()));
    answered.push_back(std::move(each));
  }
  desk.pass_over(left_out);
  AWRY_TRY(desk.finish());
  return answered;
}

Result<std::vector<AnsweredSample>> read_answers(const Protocol& protocol, const std::filesystem::path& path,
                                                 std::vector<Sample> samples, const ProtocolOptions& options,
                                                 std::span<const std::string> left_out) {
  if (protocol.read_answers != nullptr) return protocol.read_answers(path, std::move(samples), options);
  return read_replies_file(protocol, path, std::move(samples), options, left_out);
}

}  // namespace awry::benchmarks
