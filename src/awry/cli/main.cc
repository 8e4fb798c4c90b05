// SPDX-License-Identifier: Apache-2.0
// The edge: everything that goes wrong below is turned into a sentence and an exit code here, once.
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>

#include "awry/cli/colour.h"
#include "awry/cli/dispatch.h"

namespace {

using namespace awry;
using namespace awry::cli;

int exit_code_of(const Error& error) {
  return error.kind == ErrorKind::kUsage ? kExitUsage : kExitFailed;
}

int complain(Writer& err, std::string_view message, int exit_code) {
  err.print("{} {}\n", err.paint(Tone::kBad, "awry:"), printable(message));
  return exit_code;
}

int run_at_the_edge(std::span<char*> arguments, Writer& out, Writer& err) {
  CancelToken cancel;
  const SignalScope signals(cancel);
  int exit_code = kExitFailed;
  try {
    Environment environment = Environment::of_process();
    const bool out_is_terminal = ::isatty(STDOUT_FILENO) != 0, err_is_terminal = ::isatty(STDERR_FILENO) != 0;
    std::error_code no_folder;
    out.set_colour(wants_colour(ColourChoice::kAuto, environment, out_is_terminal));
    err.set_colour(wants_colour(ColourChoice::kAuto, environment, err_is_terminal));
    const auto result = dispatch({.words = {arguments.begin(), arguments.end()},
                                  .environment = std::move(environment),
                                  .working_folder = std::filesystem::current_path(no_folder),
                                  .out = out,
                                  .err = err,
                                  .cancel = cancel,
                                  .out_is_terminal = out_is_terminal,
                                  .err_is_terminal = err_is_terminal},
                                 commands());
    exit_code = result ? *result : complain(err, result.error().message(), exit_code_of(result.error()));
  } catch (const CommandError& error) {
    exit_code = complain(err, error.what(), error.exit_code());
  } catch (const std::bad_alloc&) {
    exit_code = complain(err, "out of memory. Try fewer jobs (-j) or smaller images.", kExitFailed);
  } catch (const std::exception& error) {
    exit_code = complain(err, fmt::format("unexpected failure: {}", error.what()), kExitFailed);
  }
  if (const auto written = out.finish(); !written) {
    exit_code = complain(err, written.error().message(), kExitFailed);
  }
  const int signal = SignalScope::signal_received();
  return signal != 0 ? kExitSignalBase + signal : exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, which Writer understands
  Writer out(stdout, false), err(stderr, false);
  return run_at_the_edge({argv + (argc > 0 ? 1 : 0), argv + argc}, out, err);
}
