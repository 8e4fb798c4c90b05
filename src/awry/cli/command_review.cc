// SPDX-License-Identifier: Apache-2.0
// awry review RUN: one key for each decision, saved at once.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "awry/annotate/review.h"
#include "awry/base/text.h"
#include "awry/cli/annotation_run.h"
#include "awry/cli/command.h"
#include "awry/cli/key_reader.h"

namespace awry::cli {
namespace {

struct ReviewOptions {
  std::string run;
  std::string person, stage = "format";
  std::filesystem::path runs = "runs";
};

void declare(ReviewOptions& options, OptionSet& set) {
  set.describe(
      "Shows the anomalies of a run one by one and takes one key for each: a or Enter accepts, x or "
      "Backspace "
      "rejects, u or Space is unsure, s skips, z goes back to decide again, q ends. Every decision is saved "
      "at once; what you have decided before is passed over, but z goes back to it. Keys may also come "
      "through "
      "a pipe.");
  set.positional(options.run, "run",
                 {.help = "A run of `awry annotate`: a folder, an id, or latest.", .required = true});
  set.value(options.person, "by", {.placeholder = "NAME", .help = "Who decides.", .default_text = "USER"});
  set.value(
      options.stage, "stage",
      {.placeholder = "STAGE",
       .help = "Decide on the candidates of another stage: analyse.verify, relate.verify, integrate.state."});
  declare_runs_folder(set, options.runs);
  set.example("awry review runs/latest --by maria", "the final anomalies of the last run");
}

std::string person_of(const ReviewOptions& options, const Context& context) {
  if (!options.person.empty()) return options.person;
  if (const auto user = context.sources.environment.find("USER")) return user->value;
  return "";
}

void show(const annotate::ReviewItem& item, std::optional<Decision> before, std::size_t number,
          std::size_t total, Context& context) {
  Writer& out = context.out;
  out.print("\n{} {}\n", out.paint(Tone::kDim, fmt::format("{}/{}", number, total)),
            out.paint(Tone::kStrong, printable(item.image)));
  out.print("{}\n", out.paint(Tone::kStrong, printable(item.name)));
  out.print("  {}\n", printable(item.phenomenon));
  if (!item.reasoning.empty()) out.print("  {}\n", out.paint(Tone::kDim, printable(item.reasoning)));
  if (item.severity)
    out.print("  {}\n", out.paint(Tone::kDim, fmt::format("severity {}/100", *item.severity)));
  if (before) out.print("  you said: {}\n", annotate::name_of(*before));
  out.print("[a]ccept  [x] reject  [u]nsure  [s]kip  [z] back  [q]uit\n");
  out.flush();
}

std::optional<Decision> decision_of(char key) {
  switch (key) {
    case 'a':
    case '\n':
    case '\r':
      return Decision::kAccept;
    case 'x':
    case 127:
    case 8:
      return Decision::kReject;
    case 'u':
    case ' ':
      return Decision::kUnsure;
    default:
      return std::nullopt;
  }
}

// What there is to decide on, and where this person stands in it.
struct Standing {
  std::vector<annotate::ReviewItem> items;
  std::vector<std::optional<Decision>> decisions;  // parallel

  std::size_t next_open(std::size_t from) const {
    while (from < items.size() && decisions[from]) ++from;
    return from;
  }
  std::size_t left() const {
    return static_cast<std::size_t>(std::ranges::count(decisions, std::optional<Decision>()));
  }
};

Standing standing_in(std::vector<annotate::ReviewItem> items, const std::vector<Verdict>& verdicts,
                     const std::string& person) {
  std::map<std::string_view, Decision> own;
  for (const Verdict& verdict : verdicts) {
    if (verdict.by.name == person) own[verdict.finding_id] = verdict.decision;
  }
  Standing standing{.items = std::move(items)};
  for (const annotate::ReviewItem& item : standing.items) {
    const auto found = own.find(item.id);
    standing.decisions.push_back(found == own.end() ? std::nullopt : std::optional(found->second));
  }
  return standing;
}

Result<int> run(const ReviewOptions& options, Context& context) {
  const auto stage = agents::stage_named(options.stage);
  if (!stage) return fail({.kind = ErrorKind::kUsage, .what = "unknown stage", .input = options.stage});
  const std::string person = person_of(options, context);
  if (person.empty()) {
    return fail(
        {.kind = ErrorKind::kUsage, .what = "nobody is named", .hint = "Say who decides: --by NAME."});
  }
  AWRY_TRY_ASSIGN(const AnnotationRun annotated, find_annotation_run(options.runs, options.run));
  AWRY_TRY_ASSIGN(const std::unique_ptr<store::Store> store, open_store_of(annotated));
  AWRY_TRY_ASSIGN(const std::vector<Verdict> verdicts, store->verdicts_of(annotated.id));
  Standing standing = standing_in(annotate::review_items(annotated.annotations, *stage), verdicts, person);
  const std::vector<annotate::ReviewItem>& items = standing.items;

  std::size_t decided = 0, at = standing.next_open(0);
  {
    KeyReader keys(context.cancel);
    bool shown = false;
    while (at < items.size() && !context.cancel.requested()) {
      if (!shown) show(items[at], standing.decisions[at], at + 1, items.size(), context);
      shown = true;
      const std::optional<char> key = keys.next();
      if (!key || *key == 'q') break;
      if (*key == 's') at = standing.next_open(at + 1), shown = false;
      if (*key == 'z' && at > 0) --at, shown = false;
      if (const auto decision = decision_of(*key)) {
        AWRY_TRY(store->put_verdict(annotated.id, annotate::make_verdict(items[at].id, *decision, person)));
        context.out.print("{}\n", annotate::name_of(*decision));
        standing.decisions[at] = decision;
        ++decided, at = standing.next_open(at + 1), shown = false;
      }
    }
  }
  context.say("{} decisions saved; {} of {} left for {}.", decided, standing.left(), items.size(), person);
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_review() {
  return make_command<ReviewOptions>(declare, run);
}

}  // namespace awry::cli
