// SPDX-License-Identifier: Apache-2.0
// What a command is, and how to add one.
//
// 1. Write command_<name>.cc: options on top, then what they are called, then what is done.
//
//      namespace awry::cli {
//      namespace {
//
//      struct InspectOptions {
//        std::vector<std::string> images;
//        std::filesystem::path output;
//        int jobs = 0;
//      };
//
//      void declare(InspectOptions& options, OptionSet& set) {
//        set.describe("Looks at each image and reports what is wrong with it.");
//        set.positionals(options.images, "image", {.help = "Files or folders.", .required = true});
//        declare_output(set, options.output);
//        declare_jobs(set, options.jobs);
//        set.example("awry inspect figures/", "everything in a folder");
//      }
//
//      Result<int> run(const InspectOptions& options, Context& context) {
//        AWRY_TRY_ASSIGN(auto found, ...);
//        context.say("looked at {} images", found.size());         // stderr; silent with -q
//        AWRY_TRY(write_table(context.out, table, {.file = options.output}));   // stdout or the file
//        return found.empty() ? kExitDone : kExitGate;
//      }
//
//      }  // namespace
//
//      std::unique_ptr<CommandInstance> make_inspect() { return make_command<InspectOptions>(declare, run); }
//
//      }  // namespace awry::cli
//
// 2. Add one line to the table in commands.cc. A name of two words is a command with a sub-verb:
//    {"score themis", ...} is `awry score themis`, and its own table in awry.toml is [score.themis].
// 3. Add golden cases to tests/cli/<name>/.
//
// declare() opens no file and does no work; tests declare every command. run() returns an exit code of
// exit_codes.h, or an error: kUsage ends with 2, everything else with 1.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "awry/base/result.h"
#include "awry/cli/context.h"
#include "awry/cli/exit_codes.h"
#include "awry/cli/options.h"

namespace awry::cli {

class CommandInstance {
 public:
  virtual ~CommandInstance() = default;
  virtual void declare(OptionSet& set) = 0;
  virtual Result<int> run(Context& context) = 0;
};

enum class CommandGroup { kInspect, kEvaluate, kMake, kPeople, kSetUp };

enum class BrokenConfiguration {
  kStop,  // with an error, before run()
  kGoOn,  // run() sees it in Context::configuration_error; for commands that explain configuration
};

struct Command {
  std::string_view name, summary;
  CommandGroup group = CommandGroup::kSetUp;
  std::unique_ptr<CommandInstance> (*make)() = nullptr;
  BrokenConfiguration broken_configuration = BrokenConfiguration::kStop;
};

std::span<const Command> commands();           // in the order in which help lists them
std::span<const Example> overview_examples();  // at the foot of `awry --help`

template <class Options>
using DeclareFunction = void (*)(Options&, OptionSet&);
template <class Options>
using RunFunction = Result<int> (*)(const Options&, Context&);

template <class Options>
std::unique_ptr<CommandInstance> make_command(DeclareFunction<Options> declare_function,
                                              RunFunction<Options> run_function) {
  struct Instance final : CommandInstance {
    Options options;
    DeclareFunction<Options> declare_function = nullptr;
    RunFunction<Options> run_function = nullptr;
    void declare(OptionSet& set) override { declare_function(options, set); }
    Result<int> run(Context& context) override { return run_function(options, context); }
  };
  auto instance = std::make_unique<Instance>();
  instance->declare_function = declare_function;
  instance->run_function = run_function;
  return instance;
}

// A command brought to life: its instance, the options bound to it, and the talk options all share.
struct LiveCommand {
  std::unique_ptr<CommandInstance> instance;
  std::unique_ptr<TalkOptions> talk;
  OptionSet set;
};
LiveCommand bring_to_life(const Command& command);

}  // namespace awry::cli
