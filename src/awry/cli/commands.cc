// SPDX-License-Identifier: Apache-2.0
// Every command of awry, one line each. command.h says how to add one.
#include "awry/cli/command.h"

namespace awry::cli {

std::unique_ptr<CommandInstance> make_agree();
std::unique_ptr<CommandInstance> make_annotate();
std::unique_ptr<CommandInstance> make_bench_images();
std::unique_ptr<CommandInstance> make_audit();
std::unique_ptr<CommandInstance> make_bench_prompts();
std::unique_ptr<CommandInstance> make_bench_text_prompts();
std::unique_ptr<CommandInstance> make_compare();
std::unique_ptr<CommandInstance> make_config_path();
std::unique_ptr<CommandInstance> make_config_show();
std::unique_ptr<CommandInstance> make_demo();
std::unique_ptr<CommandInstance> make_doctor();
std::unique_ptr<CommandInstance> make_export();
std::unique_ptr<CommandInstance> make_extract();
std::unique_ptr<CommandInstance> make_forge();
std::unique_ptr<CommandInstance> make_forge_panel_ad();
std::unique_ptr<CommandInstance> make_forge_parts();
std::unique_ptr<CommandInstance> make_forge_themis();
std::unique_ptr<CommandInstance> make_inspect();
std::unique_ptr<CommandInstance> make_leaderboard();
std::unique_ptr<CommandInstance> make_models();
std::unique_ptr<CommandInstance> make_models_fetch();
std::unique_ptr<CommandInstance> make_paint();
std::unique_ptr<CommandInstance> make_rejudge();
std::unique_ptr<CommandInstance> make_review();
std::unique_ptr<CommandInstance> make_review_export();
std::unique_ptr<CommandInstance> make_review_import();
std::unique_ptr<CommandInstance> make_review_report();
std::unique_ptr<CommandInstance> make_run();
std::unique_ptr<CommandInstance> make_score();
std::unique_ptr<CommandInstance> make_score_audit();
std::unique_ptr<CommandInstance> make_score_maps();
std::unique_ptr<CommandInstance> make_split();

std::span<const Command> commands() {
  using enum CommandGroup;
  static constexpr auto kExplains = BrokenConfiguration::kGoOn;
  static constexpr Command kTable[] = {
      {"inspect", "Tell what is wrong in images", kInspect, make_inspect},
      {"extract", "Take figures, captions and panels out of PDFs", kInspect, make_extract},
      {"run", "Ask a model every question of a benchmark, and score", kEvaluate, make_run},
      {"rejudge", "Have a run's stored answers judged by another model", kEvaluate, make_rejudge},
      {"score", "Score answers you already have", kEvaluate, make_score},
      {"score maps", "Score anomaly maps against masks", kEvaluate, make_score_maps},
      {"score audit", "Tell how often and how badly generators go wrong", kEvaluate, make_score_audit},
      {"audit", "Compare image generators by their anomalies", kEvaluate, make_audit},
      {"compare", "Tell whether two runs really differ", kEvaluate, make_compare},
      {"leaderboard", "Show a paper's table, with your runs among it", kEvaluate, make_leaderboard},
      {"bench prompts", "Make MagicBench prompts for image generators", kMake, make_bench_prompts},
      {"bench images", "Have an image generator draw MagicBench prompts", kMake, make_bench_images},
      {"bench text-prompts", "Show TGAD's prompts for detectors that take text", kMake,
       make_bench_text_prompts},
      {"paint", "Paint panels of scientific figures", kMake, make_paint},
      {"forge", "Make a forged set again, byte for byte", kMake, make_forge},
      {"forge themis", "Forge panels and questions about them", kMake, make_forge_themis},
      {"forge panel-ad", "Paint assembled panels with defects", kMake, make_forge_panel_ad},
      {"forge parts", "Paint objects with defects on known parts", kMake, make_forge_parts},
      {"split", "Divide images into parts that share nothing", kMake, make_split},
      {"export", "Write verified anomalies as training files", kMake, make_export},
      {"annotate", "List what is wrong in images, by a crew of agents", kPeople, make_annotate},
      {"review", "Accept or reject anomalies, one key each", kPeople, make_review},
      {"review export", "Write what is to be reviewed, for other tools", kPeople, make_review_export},
      {"review import", "Take decisions made in other tools", kPeople, make_review_import},
      {"review report", "Tell how much of the annotations people accept", kPeople, make_review_report},
      {"agree", "Tell how far raters agree", kPeople, make_agree},
      {"demo", "Forge, inspect, score and report, in a minute", kSetUp, make_demo},
      {"models", "List the text encoders on this machine", kSetUp, make_models},
      {"models fetch", "Download a text encoder, verified", kSetUp, make_models_fetch},
      {"doctor", "Check that awry works on this machine", kSetUp, make_doctor, kExplains},
      {"config show", "Show every setting and where it comes from", kSetUp, make_config_show},
      {"config path", "Show which configuration files are read", kSetUp, make_config_path, kExplains},
  };
  return kTable;
}

std::span<const Example> overview_examples() {
  static const Example kExamples[] = {
      {"awry demo", "the whole thread on freshly forged panels"},
      {"awry inspect figures/", "what is wrong in these images?"},
      {"awry leaderboard themis", "how well do models tell?"},
      {"awry config show --origin", "what is set, and by whom?"},
  };
  return kExamples;
}

LiveCommand bring_to_life(const Command& command) {
  LiveCommand live{.instance = command.make(), .talk = std::make_unique<TalkOptions>()};
  live.instance->declare(live.set);
  declare_talk(live.set, *live.talk);
  return live;
}

}  // namespace awry::cli
