// SPDX-License-Identifier: Apache-2.0
#include "awry/reading/limited_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "awry/base/text.h"

namespace awry::reading {
namespace {

using Clock = std::chrono::steady_clock;

// A file descriptor that is closed when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  void reset(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor reading, writing;
};

bool open_pipe(Pipe& pipe) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  pipe.reading.reset(ends[0]);
  pipe.writing.reset(ends[1]);
  return true;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void limit(int resource, std::uint64_t most) {
  const rlimit both{most, most};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

// Between fork and exec only calls that are safe in a process whose other threads have vanished.
[[noreturn]] void become(const char* file, char* const* arguments, char* const* environment,
                         const LimitedProcess& process, int input, int output, int errors) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const auto seconds = static_cast<std::uint64_t>((process.limits.time.count() + 999) / 1000);
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_AS, process.limits.memory_bytes);
  limit(RLIMIT_FSIZE, process.limits.file_bytes);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 64);
  if (::dup2(input, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(errors, 2) < 0) ::_exit(127);
  if (::chdir(process.folder.c_str()) != 0) ::_exit(127);
  ::execve(file, arguments, environment);
  ::_exit(127);
}

struct Capture {
  Descriptor* from = nullptr;
  std::string* text = nullptr;
  std::uint64_t most = 0;
  bool overflowed = false;

  void take() {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(from->number(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) return from->close();
    const std::uint64_t room = most - std::min<std::uint64_t>(most, text->size());
    const auto taken = std::min<std::uint64_t>(room, static_cast<std::uint64_t>(count));
    text->append(buffer.data(), taken);
    overflowed |= taken < static_cast<std::uint64_t>(count);
  }
};

enum class Ending { kByItself, kOutOfTime, kTooMuchOutput };

// Reads until the program closes both outputs, and waits for it to end.
Ending follow(pid_t child, Capture& out, Capture& err, Clock::time_point deadline, int& status) {
  const auto give_up = [&](Ending ending) {
    ::kill(-child, SIGKILL);
    ::waitpid(child, &status, 0);
    return ending;
  };
  while (out.from->open() || err.from->open()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return give_up(Ending::kOutOfTime);
    std::array<pollfd, 2> waiting = {pollfd{out.from->number(), POLLIN, 0},
                                     pollfd{err.from->number(), POLLIN, 0}};
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(left)) < 0 && errno != EINTR) break;
    if (waiting[0].revents != 0) out.take();
    if (waiting[1].revents != 0) err.take();
    if (out.overflowed) return give_up(Ending::kTooMuchOutput);
  }
  // Outputs are closed; what remains is ending.
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() >= deadline) return give_up(Ending::kOutOfTime);
    ::poll(nullptr, 0, 2);
  }
  ::kill(-child, SIGKILL);  // whatever it left behind
  return Ending::kByItself;
}

std::string why_killed(int signal, const ProcessLimits& limits) {
  if (signal == SIGXCPU || signal == SIGKILL) {
    return fmt::format("it needed more than {} s", limits.time.count() / 1000);
  }
  if (signal == SIGXFSZ) {
    return fmt::format("it wanted to write more than {}", human_bytes(limits.file_bytes));
  }
  return fmt::format("it crashed ({})", ::strsignal(signal));
}

}  // namespace

std::optional<std::filesystem::path> find_program(std::string_view name) {
  const auto usable = [](const std::string& file) { return ::access(file.c_str(), X_OK) == 0; };
  if (name.find('/') != std::string_view::npos) {
    if (usable(std::string(name))) return std::filesystem::path(name);
    return std::nullopt;
  }
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    const std::string file = fmt::format("{}/{}", folder, name);
    if (!folder.empty() && usable(file)) return std::filesystem::path(file);
  }
  return std::nullopt;
}

Result<ProcessOutput> run_limited(const LimitedProcess& process) {
  const auto cannot = [&](ErrorKind kind, std::string why, std::string hint = "") {
    return fail({.kind = kind,
                 .what = "cannot run",
                 .input = process.program,
                 .why = std::move(why),
                 .hint = std::move(hint)});
  };
  const auto file = find_program(process.program);
  if (!file) {
    return cannot(
        ErrorKind::kNotFound, "the program is not installed",
        process.package.empty() ? "" : fmt::format("Install it: apt-get install {}.", process.package));
  }
  std::vector<std::string> words = {process.program};
  words.insert(words.end(), process.arguments.begin(), process.arguments.end());
  std::vector<std::string> environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "OMP_THREAD_LIMIT=1",
                                          "HOME=" + process.folder.string(),
                                          "TMPDIR=" + process.folder.string()};
  const std::vector<char*> arguments = pointers_to(words), variables = pointers_to(environment);
  Pipe out, err;
  Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!open_pipe(out) || !open_pipe(err) || !nothing.open())
    return cannot(ErrorKind::kIo, std::strerror(errno));

  const auto deadline = Clock::now() + process.limits.time;
  const pid_t child = ::fork();
  if (child < 0) return cannot(ErrorKind::kIo, std::strerror(errno));
  if (child == 0) {
    become(file->c_str(), arguments.data(), variables.data(), process, nothing.number(), out.writing.number(),
           err.writing.number());
  }
  ::setpgid(child, child);  // also here: whoever comes first
  out.writing.close();
  err.writing.close();
  ProcessOutput output;
  Capture out_capture{&out.reading, &output.out, process.limits.output_bytes};
  Capture err_capture{&err.reading, &output.err, 64 << 10};
  int status = 0;
  switch (follow(child, out_capture, err_capture, deadline, status)) {
    case Ending::kOutOfTime:
      return cannot(ErrorKind::kLimit, why_killed(SIGKILL, process.limits));
    case Ending::kTooMuchOutput:
      return cannot(ErrorKind::kLimit,
                    fmt::format("it printed more than {}", human_bytes(process.limits.output_bytes)));
    case Ending::kByItself:
      break;
  }
  if (WIFSIGNALED(status)) return cannot(ErrorKind::kLimit, why_killed(WTERMSIG(status), process.limits));
  output.exit_code = WEXITSTATUS(status);
  return output;
}

}  // namespace awry::reading
