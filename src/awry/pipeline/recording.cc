// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/recording.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/text.h"
#include "awry/records/json.h"

namespace awry::pipeline {
namespace {

constexpr int kSchemaVersion = 1;

class ReplayModel final : public Model {
 public:
  ReplayModel(Recording recording, Role role) : recording_(std::move(recording)), role_(role) {
    for (std::size_t i = 0; i < recording_.replies.size(); ++i) {
      const RecordedReply& recorded = recording_.replies[i];
      by_key_.emplace(recorded.reply.key, i);
      by_prompt_.emplace(recorded.reply.question_id + '\n' + recorded.prompt_sha256, i);
    }
  }

  std::string name() const override {
    if (role_ == Role::kAnswers) return recording_.run.model;
    const auto judge = recording_.run.settings.find("judge");
    return judge == recording_.run.settings.end() ? "" : judge->second;
  }
  std::string identity() const override {
    return role_ == Role::kAnswers ? recording_.identity : recording_.judge_identity;
  }
  const Run* recorded_run() const override { return &recording_.run; }

  void begin(const Sample&, const Question& question, const std::string& key, Done done) override {
    auto found = by_key_.find(key);
    if (found == by_key_.end() || recording_.replies[found->second].reply.question_id != question.id) {
      // Two questions of one run may share a key; each has its own line.
      const auto by_prompt = by_prompt_.find(question.id + '\n' + prompt_hash(question));
      if (by_prompt != by_prompt_.end()) {
        done(recording_.replies[by_prompt->second].reply);
        return;
      }
    }
    if (found == by_key_.end()) {
      done({.key = key,
            .question_id = question.id,
            .outcome = Outcome::kTransport,
            .model = name(),
            .error = "the recording has no reply to this question"});
      return;
    }
    Reply reply = recording_.replies[found->second].reply;
    reply.question_id = question.id;
    done(std::move(reply));
  }

 private:
  const Recording recording_;
  const Role role_;
  std::unordered_map<std::string, std::size_t> by_key_, by_prompt_;
};

Result<std::string> text_field(const Json& json, const char* name, const std::string& source) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_string()) {
    return fail({.what = "cannot read recording",
                 .input = source,
                 .why = fmt::format("'{}' is missing or no text", name)});
  }
  return found->get<std::string>();
}

Result<void> read_first_line(const Json& json, const std::string& source, Recording& recording) {
  const auto header = json.find("recording");
  if (header == json.end() || !header->is_object() || !header->contains("run")) {
    return fail({.what = "cannot read recording",
                 .input = source,
                 .why = "its first line does not say which run it is",
                 .hint = "Recordings are the files replies.jsonl in the folders of runs."});
  }
  AWRY_TRY_ASSIGN(recording.run, from_json<Run>((*header)["run"], source));
  AWRY_TRY_ASSIGN(recording.identity, text_field(*header, "identity", source));
  AWRY_TRY_ASSIGN(recording.judge_identity, text_field(*header, "judge_identity", source));
  return {};
}

}  // namespace

std::string prompt_hash(const Question& question) {
  FieldHasher hasher;
  for (const EarlierTurn& turn : question.earlier) hasher.add(turn.prompt).add(turn.reply);
  hasher.add(question.prompt).add(static_cast<std::uint64_t>(question.repeat));
  return hasher.hex();
}

std::string write_recording(const Recording& recording) {
  const Json first = {{"schema", kSchemaVersion},
                      {"recording",
                       {{"run", to_json(recording.run)},
                        {"identity", recording.identity},
                        {"judge_identity", recording.judge_identity}}}};
  std::string lines = dump_json(first) + '\n';
  for (const RecordedReply& recorded : recording.replies) {
    Json line = {{"prompt_sha256", recorded.prompt_sha256}};
    line["reply"] = to_json(recorded.reply);
    lines += dump_json(line) + '\n';
  }
  return lines;
}

Result<Recording> read_recording(const std::filesystem::path& file_or_run_folder) {
  const bool is_folder = std::filesystem::is_directory(file_or_run_folder);
  const std::filesystem::path path = is_folder ? file_or_run_folder / "replies.jsonl" : file_or_run_folder;
  AWRY_TRY_ASSIGN(const std::string content, read_file(path));
  Recording recording;
  std::size_t number = 0;
  for (const std::string_view line : split_lines(content)) {
    ++number;
    if (trim(line).empty()) continue;
    const std::string source = fmt::format("{}:{}", path.string(), number);
    AWRY_TRY_ASSIGN(const Json json, parse_json(line, source));
    if (!json.is_object()) {
      return fail({.what = "cannot read recording", .input = source, .why = "the line is no JSON object"});
    }
    if (number == 1) {
      AWRY_TRY(read_first_line(json, source, recording));
      continue;
    }
    RecordedReply recorded;
    AWRY_TRY_ASSIGN(recorded.prompt_sha256, text_field(json, "prompt_sha256", source));
    if (!json.contains("reply")) {
      return fail({.what = "cannot read recording", .input = source, .why = "'reply' is missing"});
    }
    AWRY_TRY_ASSIGN(recorded.reply, from_json<Reply>(json["reply"], source));
    recording.replies.push_back(std::move(recorded));
  }
  if (number == 0)
    return fail({.what = "cannot read recording", .input = path.string(), .why = "it is empty"});
  return recording;
}

std::unique_ptr<Model> make_replay_model(Recording recording, Role role) {
  return std::make_unique<ReplayModel>(std::move(recording), role);
}

}  // namespace awry::pipeline
