// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/batch_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/inspectors/vlm/request.h"
#include "awry/inspectors/vlm/response.h"
#include "awry/pipeline/endpoint_model.h"

namespace awry::pipeline {
namespace {

namespace fs = std::filesystem;
namespace vlm = inspectors::vlm;

using Results = std::unordered_map<std::string, Reply>;  // by reply key

// One line of a result file: {"custom_id": key, "response": {"status_code", "body"}, "error"}.
Result<void> read_result_line(std::string_view line, const std::string& source, Results& results) {
  AWRY_TRY_ASSIGN(const Json json, parse_json(line, source));
  if (!json.is_object() || !json.contains("custom_id") || !json["custom_id"].is_string()) {
    return fail({.what = "cannot read batch result", .input = source, .why = "it has no custom_id"});
  }
  vlm::HttpResponse response;
  if (const auto found = json.find("response"); found != json.end() && found->is_object()) {
    const auto status = found->find("status_code");
    response.status = status != found->end() && status->is_number_integer() ? status->get<int>() : 200;
    if (const auto body = found->find("body"); body != found->end()) response.body = dump_json(*body);
  } else {
    response.status = 500;
    if (const auto error = json.find("error"); error != json.end()) response.body = dump_json(*error);
  }
  Reply reply = vlm::read_response(response).reply;
  const std::string key = json["custom_id"].get<std::string>();
  // A question may have been sent again after it failed: an answer wins over a failure, whatever the order.
  const auto known = results.find(key);
  if (known == results.end() || known->second.outcome != Outcome::kAnswered) results[key] = std::move(reply);
  return {};
}

Result<Results> read_results(const fs::path& folder) {
  Results results;
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    AWRY_TRY_ASSIGN(const std::string content, read_file(file));
    std::size_t number = 0;
    for (const std::string_view line : split_lines(content)) {
      ++number;
      if (trim(line).empty()) continue;
      AWRY_TRY(read_result_line(line, fmt::format("{}:{}", file.string(), number), results));
    }
  }
  return results;
}

class BatchModel final : public Model {
 public:
  BatchModel(std::string name, std::string identity, vlm::ModelArgs args, const EndpointSettings& settings,
             const BatchLimits& limits, Results results)
      : name_(std::move(name)),
        identity_(std::move(identity)),
        args_(std::move(args)),
        pictures_(settings.pictures),
        folder_(settings.batch_folder),
        limits_(limits),
        results_(std::move(results)) {
    std::error_code ignored;
    fs::create_directories(folder_ / "results", ignored);
    // What an earlier call wrote and is still unanswered is written again, with everything else.
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored)) {
      if (entry.path().filename().string().starts_with("requests-")) fs::remove(entry.path(), ignored);
    }
  }

  std::string name() const override { return "batch:" + name_; }
  std::string identity() const override { return identity_; }

  void begin(const Sample& sample, const Question& question, const std::string& key, Done done) override {
    if (const auto found = results_.find(key); found != results_.end()) {
      Reply reply = found->second;
      reply.question_id = question.id;
      reply.model = name();
      return done(std::move(reply));
    }
    const Result<vlm::ChatRequest> request =
        vlm::make_chat_request(sample, question, name_, args_, pictures_);
    if (!request) {
      return done({.question_id = question.id,
                   .outcome = Outcome::kUnreadable,
                   .model = name(),
                   .error = request.error().message()});
    }
    const Result<void> written = append(
        fmt::format(R"({{"custom_id":"{}","method":"POST","url":"/v1/chat/completions","body":)", key) +
        vlm::write_chat_body(*request).json + "}\n");
    done(not_asked(question, written ? "it waits in a batch file" : written.error().message()));
  }

 private:
  Result<void> append(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (files_ == 0 || lines_ + 1 > limits_.max_lines || bytes_ + line.size() > limits_.max_bytes) {
      ++files_;
      lines_ = bytes_ = 0;
      out_.close();
      out_.open(folder_ / fmt::format("requests-{:03}.jsonl", files_), std::ios::binary | std::ios::trunc);
    }
    out_.write(line.data(), static_cast<std::streamsize>(line.size()));
    out_.flush();
    if (!out_) return fail({.kind = ErrorKind::kIo, .what = "cannot write batch requests", .input = folder_});
    ++lines_;
    bytes_ += line.size();
    return {};
  }

  const std::string name_, identity_;
  const vlm::ModelArgs args_;
  const vlm::PictureLimits pictures_;
  const fs::path folder_;
  const BatchLimits limits_;
  const Results results_;
  std::mutex mutex_;
  std::ofstream out_;
  std::size_t files_ = 0, lines_ = 0, bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<Model>> make_batch_model(const std::string& name, const EndpointSettings& settings,
                                                const BatchLimits& limits) {
  AWRY_TRY_ASSIGN(std::string identity, endpoint_identity(name, settings));
  AWRY_TRY_ASSIGN(vlm::ModelArgs args, vlm::parse_model_args(settings.model_args));
  AWRY_TRY(make_folder(settings.batch_folder / "results"));
  AWRY_TRY_ASSIGN(Results results, read_results(settings.batch_folder / "results"));
  if (settings.batch_again) {
    std::erase_if(results, [](const auto& entry) { return entry.second.outcome == Outcome::kTransport; });
  }
  return std::make_unique<BatchModel>(name, std::move(identity), std::move(args), settings, limits,
                                      std::move(results));
}

}  // namespace awry::pipeline
