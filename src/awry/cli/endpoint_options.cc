// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/endpoint_options.h"

#include <fmt/format.h>

#include <chrono>

#include "awry/base/text.h"

namespace awry::cli {
namespace {

constexpr std::string_view kGroup = "Models behind an endpoint";

std::string group() {
  return std::string(kGroup);
}

std::string shell_word(const std::string& word) {
  const bool is_plain = !word.empty() && word.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU"
                                             "VWXYZ0123456789_-+=.,:/@%") == std::string::npos;
  return is_plain ? word : "'" + replace_all(word, "'", "'\\''") + "'";
}

}  // namespace

void declare_endpoint(OptionSet& set, EndpointOptions& options) {
  set.list(options.base_urls, "base-url",
           {.placeholder = "URL",
            .help = "Where the model is, instead of OPENAI_BASE_URL. Several share the load.",
            .group = group()});
  set.list(
      options.headers, "header",
      {.placeholder = "NAME: VALUE", .help = "Sent with every request.", .group = group(), .secret = true});
  set.list(options.model_args, "model-arg",
           {.placeholder = "KEY=VALUE",
            .help = "Sent beside the question: temperature=0, seed=7, max_tokens=512, reasoning_effort=low.",
            .group = group()});
  set.value(options.concurrency, "concurrency",
            {.placeholder = "N",
             .help = "Most requests at once.",
             .group = group(),
             .minimum = 1,
             .maximum = 4096});
  set.value(options.retries, "retries",
            {.placeholder = "N",
             .help = "How often a request that failed is sent again.",
             .group = group(),
             .minimum = 0,
             .maximum = 100});
  set.value(options.timeout_s, "timeout",
            {.placeholder = "S",
             .help = "Seconds until an attempt counts as failed.",
             .group = group(),
             .minimum = 1,
             .maximum = 86400});
  set.value(options.max_edge, "max-edge",
            {.placeholder = "PX",
             .help = "Shrink images whose longer side exceeds this.",
             .default_text = "as they are",
             .group = group(),
             .minimum = 0});
  set.value(options.max_pixels, "max-pixels",
            {.placeholder = "N",
             .help = "Then shrink by tenths until no more pixels than this are left.",
             .default_text = "as they are",
             .group = group(),
             .minimum = 0});
  set.value(options.max_image_bytes, "max-image-bytes",
            {.placeholder = "N",
             .help = "Likewise for the bytes of an encoded image.",
             .default_text = "as they are",
             .group = group(),
             .minimum = 0});
}

void declare_judge(OptionSet& set, JudgeOptions& options) {
  const std::string judging = "Judge of free-text answers; what is not said is as for the model";
  set.value(options.judge, "judge",
            {.placeholder = "M",
             .help = "Who judges, where the protocol wants it: openai:NAME.",
             .group = judging});
  set.list(options.base_urls, "judge-base-url",
           {.placeholder = "URL", .help = "Where it is, instead of JUDGE_BASE_URL.", .group = judging});
  set.list(options.headers, "judge-header",
           {.placeholder = "NAME: VALUE",
            .help = "Sent with every request to it.",
            .group = judging,
            .secret = true});
  set.list(
      options.model_args, "judge-arg",
      {.placeholder = "KEY=VALUE", .help = "Like --model-arg; never the model's own.", .group = judging});
  set.value(options.concurrency, "judge-concurrency",
            {.placeholder = "N",
             .help = "Most requests at once.",
             .group = judging,
             .minimum = 1,
             .maximum = 4096});
  set.value(options.retries, "judge-retries",
            {.placeholder = "N", .help = "Like --retries.", .group = judging, .minimum = 0, .maximum = 100});
  set.value(
      options.timeout_s, "judge-timeout",
      {.placeholder = "S", .help = "Like --timeout.", .group = judging, .minimum = 1, .maximum = 86400});
  set.value(options.max_edge, "judge-max-edge",
            {.placeholder = "PX", .help = "Like --max-edge.", .group = judging, .minimum = 0});
  set.value(options.max_pixels, "judge-max-pixels",
            {.placeholder = "N", .help = "Like --max-pixels.", .group = judging, .minimum = 0});
  set.value(options.max_image_bytes, "judge-max-image-bytes",
            {.placeholder = "N", .help = "Like --max-image-bytes.", .group = judging, .minimum = 0});
}

pipeline::EndpointSettings endpoint_settings(const EndpointOptions& options, const Context& context) {
  pipeline::EndpointSettings settings;
  settings.endpoints.base_urls = options.base_urls;
  settings.endpoints.headers = options.headers;
  settings.model_args = options.model_args;
  settings.pictures = {.max_long_edge = options.max_edge,
                       .max_pixels = static_cast<std::int64_t>(options.max_pixels),
                       .max_bytes = options.max_image_bytes};
  settings.client.pacing.max_concurrency = options.concurrency;
  settings.client.pacing.max_retries = options.retries;
  settings.client.attempt_timeout = std::chrono::seconds(options.timeout_s);
  settings.environment =
      [&environment = context.sources.environment](std::string_view name) -> std::optional<std::string> {
    if (const auto found = environment.find(name)) return found->value;
    return std::nullopt;
  };
  return settings;
}

pipeline::EndpointSettings judge_settings(const JudgeOptions& judge, const EndpointOptions& model,
                                          const Context& context) {
  pipeline::EndpointSettings settings =
      endpoint_settings({.base_urls = judge.base_urls,
                         .headers = judge.headers,
                         .model_args = judge.model_args,
                         .concurrency = judge.concurrency.value_or(model.concurrency),
                         .retries = judge.retries.value_or(model.retries),
                         .timeout_s = judge.timeout_s.value_or(model.timeout_s),
                         .max_edge = judge.max_edge.value_or(model.max_edge),
                         .max_pixels = judge.max_pixels.value_or(model.max_pixels),
                         .max_image_bytes = judge.max_image_bytes.value_or(model.max_image_bytes)},
                        context);
  settings.endpoints.variables = {
      .api_key = {"JUDGE_API_KEY", "OPENAI_API_KEY"},
      .base_url = {"JUDGE_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_URL"}};
  return settings;
}

pipeline::BudgetLimits BudgetOptions::limits() const {
  return {.max_cost_usd = max_cost, .max_tokens = max_tokens, .max_calls = max_calls};
}

void declare_budget(OptionSet& set, BudgetOptions& options) {
  const std::string group = "Budget of the whole run, judge included";
  set.value(options.max_cost, "max-cost",
            {.placeholder = "USD", .help = "Needs --price-file.", .group = group, .minimum = 0});
  set.value(options.max_tokens, "max-tokens",
            {.placeholder = "N", .help = "Tokens sent and received.", .group = group, .minimum = 0});
  set.value(options.max_calls, "max-calls",
            {.placeholder = "N", .help = "Questions that leave.", .group = group, .minimum = 0});
  set.value(options.price_file, "price-file",
            {.placeholder = "FILE",
             .help = R"(Dollars a million tokens: {"models": {"NAME": {"input": 2.5, "output": 10}}}.)",
             .group = group,
             .endings = {".json"}});
}

std::vector<std::string> command_words(std::vector<std::string> words, const Context& context) {
  for (const Option& option : context.settings.options()) {
    if (option.is_positional() || option.details.secret || option.origin.kind != Origin::Kind::kFlag)
      continue;
    if (option.shape == OptionShape::kFlag) {
      words.push_back("--" + option.name);
      continue;
    }
    for (const std::string& value : option.current()) {
      words.push_back("--" + option.name);
      words.push_back(value);
    }
  }
  return words;
}

std::string command_to_go_on(std::vector<std::string> words, const BudgetOptions& budget) {
  const auto raise = [&](std::string_view name, const std::string& value) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == name) words[i + 1] = value;
    }
  };
  if (budget.max_cost) raise("--max-cost", fmt::format("{}", *budget.max_cost * 2));
  if (budget.max_tokens) raise("--max-tokens", fmt::format("{}", *budget.max_tokens * 2));
  if (budget.max_calls) raise("--max-calls", fmt::format("{}", *budget.max_calls * 2));
  for (std::string& word : words) word = shell_word(word);
  return join(words, " ");
}

}  // namespace awry::cli
