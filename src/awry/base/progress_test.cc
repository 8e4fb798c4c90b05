// SPDX-License-Identifier: Apache-2.0
#include "awry/base/progress.h"

#include <gmock/gmock.h>

#include <memory>

namespace awry {
namespace {

using std::chrono::duration;
using testing::HasSubstr;

struct Capture {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::tmpfile(), &std::fclose};
  std::string text() const {
    std::string content(4096, '\0');
    std::rewind(file.get());
    content.resize(std::fread(content.data(), 1, content.size(), file.get()));
    return content;
  }
};

TEST(Describe, TellsRateAndTimeLeft) {
  const std::string line = Progress::describe("inspect", 25, 100, duration<double>(5), "1 failed");
  EXPECT_THAT(line, HasSubstr("25/100"));
  EXPECT_THAT(line, HasSubstr("25%"));
  EXPECT_THAT(line, HasSubstr("5.0/s"));
  EXPECT_THAT(line, HasSubstr("15s left"));
  EXPECT_THAT(line, HasSubstr("1 failed"));
}

TEST(Describe, SurvivesNothingDoneAndNothingToDo) {
  EXPECT_THAT(Progress::describe("x", 0, 10, duration<double>(0), ""), HasSubstr("0/10"));
  EXPECT_THAT(Progress::describe("x", 0, 0, duration<double>(1), ""), HasSubstr("0/0"));
}

TEST(Progress, IsSilentWhenAskedToBe) {
  const Capture capture;
  {
    Progress progress("x", 2, {.style = ProgressStyle::kSilent, .stream = capture.file.get()});
    progress.add(2);
  }
  EXPECT_EQ(capture.text(), "");
}

TEST(Progress, OffATerminalPrintsPlainLinesAndOneAtTheEnd) {
  const Capture capture;
  {
    Progress progress("x", 3, {.style = ProgressStyle::kLines, .stream = capture.file.get()});
    for (int i = 0; i < 3; ++i) progress.add();
    progress.finish();
  }
  const std::string text = capture.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << "too early for interval lines";
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_THAT(text, HasSubstr("3/3"));
}

TEST(Progress, ANewNoteIsShownThoughNothingGotDone) {
  const Capture capture;
  Progress progress("x", 3,
                    {.style = ProgressStyle::kLines,
                     .line_interval = std::chrono::milliseconds(0),
                     .stream = capture.file.get()});
  progress.set_note("7 in flight");
  EXPECT_THAT(capture.text(), HasSubstr("0/3  0%  7 in flight"));
  progress.finish();
  const std::string before = capture.text();
  progress.set_note("too late");
  EXPECT_EQ(capture.text(), before) << "the closing line stays the last one";
}

TEST(HumanDuration, ChoosesTheUnit) {
  EXPECT_EQ(human_duration(duration<double>(4.4)), "4s");
  EXPECT_EQ(human_duration(duration<double>(200)), "3m20s");
  EXPECT_EQ(human_duration(duration<double>(7500)), "2h05m");
  EXPECT_EQ(human_duration(duration<double>(-1)), "0s");
}

}  // namespace
}  // namespace awry
