// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/bench_prompts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "awry/base/json.h"
#include "awry/base/random.h"
#include "awry/base/text.h"
#include "awry/benchmarks/embedded_files.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"

namespace awry::benchmarks::magicmirror {
namespace {

constexpr std::size_t kMostPerClass = 5000;

using Words = std::vector<std::string>;

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = to_upper_ascii(text.substr(0, 1))[0];
  return text;
}

BenchPrompt draw(const DetailClass& detail, const Json& lists, const Json& file, RandomStream& random) {
  const auto pick = [&](const Json& list) { return random.pick(list).get<std::string>(); };
  const std::string subject = pick(lists.at("subjects")), action = pick(lists.at("actions")),
                    place = pick(lists.at("places")), style = pick(file.at("styles")),
                    view = pick(file.at("views"));
  std::string lead = replace_all(lists.at("lead").get<std::string>(), "{subject}", subject);
  lead = replace_all(lead, "{Subject}", capitalised(subject));
  return {.prompt = fmt::format("{} {} {}. {}, {}. The picture must show all of '{}'.", lead, action, place,
                                capitalised(style), view, subject),
          .subject = subject,
          .subject_class = std::string(detail.subject_class),
          .detail_class = std::string(detail.name)};
}

}  // namespace

Result<std::vector<BenchPrompt>> make_bench_prompts(const BenchPromptOptions& options) {
  const auto refuse = [](std::string what, std::string input, std::string why) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = std::move(what),
                 .input = std::move(input),
                 .why = std::move(why)});
  };
  if (options.per_class == 0 || options.per_class > kMostPerClass) {
    return refuse("cannot make prompts", fmt::format("{}", options.per_class),
                  fmt::format("a class has from 1 to {} of them", kMostPerClass));
  }
  for (const std::string& name : options.classes) {
    const bool known = std::any_of(kDetailClasses.begin(), kDetailClasses.end(),
                                   [&](const DetailClass& detail) { return detail.name == name; });
    if (known) continue;
    Words names;
    for (const DetailClass& detail : kDetailClasses) names.emplace_back(detail.name);
    return refuse("unknown detail class", name, fmt::format("known are {}", fmt::join(names, ", ")));
  }
  constexpr const char* kFile = "magicmirror/entities.json";
  AWRY_TRY_ASSIGN(const Json file, parse_json(embedded_file(kFile).value_or(""), kFile));
  std::vector<BenchPrompt> prompts;
  for (const DetailClass& detail : kDetailClasses) {
    const bool wanted = options.classes.empty() || std::find(options.classes.begin(), options.classes.end(),
                                                             detail.name) != options.classes.end();
    if (!wanted) continue;
    const Json& lists = file.at("classes").at(std::string(detail.name));
    const RandomStream stream = RandomStream(options.seed).fork("magicbench").fork(detail.name);
    std::set<std::string> drawn;
    for (std::uint64_t attempt = 0; drawn.size() < options.per_class; ++attempt) {
      RandomStream random = stream.fork(attempt);
      BenchPrompt prompt = draw(detail, lists, file, random);
      if (drawn.insert(prompt.prompt).second) prompts.push_back(std::move(prompt));
    }
  }
  return prompts;
}

std::string bench_prompt_lines(const std::vector<BenchPrompt>& prompts) {
  std::string lines;
  for (const BenchPrompt& prompt : prompts) {
    lines += dump_json({{"prompt_t2i", prompt.prompt},
                        {"subject", prompt.subject},
                        {"class", prompt.subject_class},
                        {"detail_class", prompt.detail_class}}) +
             "\n";
  }
  return lines;
}

}  // namespace awry::benchmarks::magicmirror
