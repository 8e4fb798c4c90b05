// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/endpoint_options.h"

#include <chrono>

namespace awry::cli {
namespace {

constexpr std::string_view kGroup = "Models behind an endpoint";

std::string group() {
  return std::string(kGroup);
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

void declare_judge(OptionSet& set, std::string& judge, EndpointOptions& options) {
  set.value(judge, "judge",
            {.placeholder = "M",
             .help = "Who judges free-text answers, where the protocol wants it: openai:NAME.",
             .group = group()});
  set.list(
      options.base_urls, "judge-base-url",
      {.placeholder = "URL", .help = "Where the judge is, instead of JUDGE_BASE_URL.", .group = group()});
  set.list(options.headers, "judge-header",
           {.placeholder = "NAME: VALUE",
            .help = "Sent with every request to the judge.",
            .group = group(),
            .secret = true});
  set.list(options.model_args, "judge-arg",
           {.placeholder = "KEY=VALUE", .help = "Like --model-arg, for the judge.", .group = group()});
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

pipeline::EndpointSettings judge_settings(const EndpointOptions& judge, const EndpointOptions& model,
                                          const Context& context) {
  EndpointOptions joined = model;
  joined.base_urls = judge.base_urls;
  joined.headers = judge.headers;
  joined.model_args = judge.model_args;
  pipeline::EndpointSettings settings = endpoint_settings(joined, context);
  settings.endpoints.variables = {
      .api_key = {"JUDGE_API_KEY", "OPENAI_API_KEY"},
      .base_url = {"JUDGE_BASE_URL", "OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_URL"}};
  return settings;
}

}  // namespace awry::cli
