// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/image_generation.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/inspectors/vlm/image_request.h"
#include "awry/inspectors/vlm/transfer.h"
#include "awry/pipeline/endpoint_model.h"
#include "awry/pipeline/generated_images.h"
#include "awry/pipeline/parallel.h"

namespace awry::pipeline {
namespace {

namespace vlm = inspectors::vlm;

constexpr int kFetches = 4;
constexpr auto kFirstPause = std::chrono::milliseconds(250);

struct Wanted {
  Json row;
  std::string prompt, key;
};

Result<std::vector<Wanted>> read_prompts(const ImagesOptions& options, const std::string& identity) {
  AWRY_TRY_ASSIGN(const std::string text, read_file(options.prompts));
  std::vector<Wanted> wanted;
  std::size_t number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    const std::string source = fmt::format("{}:{}", options.prompts.string(), number);
    AWRY_TRY_ASSIGN(Json row, parse_json(line, source));
    const char* field = row.is_object() && row.contains("prompt_t2i") ? "prompt_t2i" : "prompt";
    if (!row.is_object() || !row.contains(field) || !row[field].is_string()) {
      return fail({.what = "cannot read prompt",
                   .input = source,
                   .why = "there is no text 'prompt_t2i' or 'prompt'",
                   .hint = "awry bench prompts makes such files."});
    }
    std::string prompt = row[field].get<std::string>();
    std::string key = FieldHasher().add("image-v1").add(identity).add(prompt).hex();
    wanted.push_back({std::move(row), std::move(prompt), std::move(key)});
  }
  if (wanted.empty()) return fail({.what = "there are no prompts", .input = options.prompts.string()});
  if (options.range) {
    const auto [first, last] = options.range(wanted.size());
    wanted = std::vector<Wanted>(wanted.begin() + static_cast<std::ptrdiff_t>(first),
                                 wanted.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return wanted;
}

// Works through the prompts with as many threads as pictures may be under way: each waits for its own.
class Generation {
 public:
  Generation(const ImagesOptions& options, std::string model, vlm::ModelArgs args, GeneratedImages& images,
             std::vector<vlm::Endpoint> endpoints)
      : options_(options),
        model_(std::move(model)),
        args_(std::move(args)),
        price_(options.prices.of(model_)),
        images_(images),
        budget_(options.budget, images.spent()),
        redactor_(endpoints),
        client_(std::move(endpoints), options.endpoint.client) {}

  void run(const std::vector<Wanted>& wanted, ImagesResult& result) {
    std::vector<const Wanted*> missing;
    for (const Wanted& one : wanted) {
      const bool twice =
          std::ranges::any_of(missing, [&](const Wanted* other) { return other->key == one.key; });
      if (!twice && !images_.find(one.key)) missing.push_back(&one);
    }
    result.known = wanted.size() - missing.size();
    Progress progress("making pictures", missing.size(), options_.progress);
    for_each_index(missing.size(), {.threads = std::max(1, options_.at_once)}, [&](std::size_t i) {
      if (!is_stopping()) make(*missing[i], result);
      progress.add();
    });
    result.spent = budget_.spent();
    result.budget_used_up = budget_.is_used_up();
    result.interrupted = is_stopping();
  }

 private:
  bool is_cancelled() const { return options_.cancel != nullptr && options_.cancel->requested(); }
  bool is_stopping() const { return stopping_.load() || is_cancelled(); }

  Usage expected() const {
    Usage usage;
    if (price_) usage.cost_usd = price_->image_usd;
    return usage;
  }

  void make(const Wanted& wanted, ImagesResult& result) {
    if (!budget_.admit(expected())) return stopping_.store(true);
    Reply reply = ask(wanted);
    if (reply.outcome == Outcome::kAnswered && price_ && !reply.usage.cost_usd) {
      reply.usage.cost_usd = price_->image_usd + cost_of(reply.usage, *price_);
    }
    vlm::was_cancelled(reply) ? budget_.take_back(expected()) : budget_.settle(expected(), reply.usage);
    const Result<void> kept = keep(wanted, reply);
    const std::lock_guard lock(mutex_);
    if (kept) {
      ++result.made;
    } else {
      result.failures.push_back(
          fmt::format("{}: {}", shorten(wanted.prompt, 60), redactor_.clean_message(kept.error().message())));
    }
  }

  Reply ask(const Wanted& wanted) {
    std::promise<Reply> promise;
    client_.post(vlm::make_image_request(wanted.key, model_, wanted.prompt, args_),
                 [&](Reply reply) { promise.set_value(std::move(reply)); });
    Reply reply = promise.get_future().get();
    reply.model = "openai:" + model_;
    return reply;
  }

  Result<void> keep(const Wanted& wanted, const Reply& reply) {
    if (reply.outcome != Outcome::kAnswered) {
      return fail({.what = std::string(name_of(reply.outcome)), .why = reply.error});
    }
    AWRY_TRY_ASSIGN(vlm::Generated picture, vlm::read_generated(reply.text));
    if (picture.bytes.empty()) {
      AWRY_TRY_ASSIGN(picture.bytes, fetch(picture.url));
    }
    return images_.keep(wanted.key, wanted.prompt, picture, reply);
  }

  // Without the endpoint's key: the address may be anywhere. The picture is paid for, so it is tried for,
  // also after the budget is used up, and at least once when the user stops.
  Result<std::string> fetch(const std::string& url) {
    std::string why;
    auto pause = kFirstPause;
    for (int attempt = 0; attempt < kFetches && (attempt == 0 || !is_cancelled()); ++attempt, pause *= 2) {
      if (attempt > 0) std::this_thread::sleep_for(pause);
      std::promise<vlm::HttpResponse> promise;
      downloads_->submit({.url = url, .timeout = options_.endpoint.client.attempt_timeout},
                         [&](vlm::HttpResponse response) { promise.set_value(std::move(response)); });
      vlm::HttpResponse response = promise.get_future().get();
      if (response.fault == vlm::Fault::kNone && response.status == 200) return std::move(response.body);
      why = response.fault == vlm::Fault::kNone ? fmt::format("HTTP {}", response.status) : response.why;
    }
    return fail({.what = "cannot fetch the picture", .input = url.substr(0, url.find('?')), .why = why});
  }

  const ImagesOptions& options_;
  const std::string model_;
  const vlm::ModelArgs args_;
  const std::optional<Price> price_;
  GeneratedImages& images_;
  Budget budget_;
  const vlm::Redactor redactor_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  vlm::ChatClient client_;
  std::unique_ptr<vlm::TransferQueue> downloads_ = vlm::make_curl_queue();
};

std::string rows_with_pictures(const std::vector<Wanted>& wanted, const GeneratedImages& images) {
  std::string lines;
  for (const Wanted& one : wanted) {
    const std::optional<std::string> file = images.find(one.key);
    if (!file) continue;
    Json row = one.row;
    row["gen_images"] = Json::array({*file});
    lines += dump_json(row) + "\n";
  }
  return lines;
}

}  // namespace

Result<ImagesResult> generate_images(const ImagesOptions& options) {
  const std::string model(endpoint_model_name(options.model));
  if (!options.model.starts_with("openai:") || model.empty()) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot make pictures with",
                 .input = options.model,
                 .why = "only models behind an endpoint make pictures",
                 .hint = "Name one: --model openai:NAME."});
  }
  if (options.budget.max_cost_usd && !options.prices.of(model)) {
    return fail(
        {.kind = ErrorKind::kUsage,
         .what = "cannot keep to --max-cost",
         .input = options.model,
         .why = "its price is not known",
         .hint = R"(Name a file with it: --price-file prices.json, {"models": {"NAME": {"image": 0.04}}}.)"});
  }
  AWRY_TRY_ASSIGN(const std::string identity, endpoint_identity(model, options.endpoint));
  AWRY_TRY_ASSIGN(vlm::ModelArgs args, vlm::parse_model_args(options.endpoint.model_args));
  AWRY_TRY_ASSIGN(std::vector<vlm::Endpoint> endpoints,
                  vlm::resolve_endpoints(options.endpoint.endpoints, options.endpoint.environment));
  AWRY_TRY_ASSIGN(const std::vector<Wanted> wanted, read_prompts(options, identity));
  AWRY_TRY_ASSIGN(GeneratedImages images, GeneratedImages::open(options.output));

  ImagesResult result{.prompts = wanted.size(), .rows = options.output / "rows.jsonl"};
  Generation(options, model, std::move(args), images, std::move(endpoints)).run(wanted, result);
  std::ranges::sort(result.failures);
  AWRY_TRY(write_file(result.rows, rows_with_pictures(wanted, images)));
  return result;
}

}  // namespace awry::pipeline
