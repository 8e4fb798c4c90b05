// SPDX-License-Identifier: Apache-2.0
// Files: what is read, and what is refused with file and line.
#include "awry/benchmarks/magicmirror/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "awry/base/files.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"

namespace awry::benchmarks::magicmirror {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class RowFiles : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, std::string_view content) {
    const std::filesystem::path path = folder_.path() / name;
    EXPECT_TRUE(write_file(path, content).has_value());
    return path;
  }
  std::string mirror_error(std::string_view truth, std::string_view answers) {
    const auto summary = score_magicmirror_files(file("truth.jsonl", truth), file("answers.jsonl", answers),
                                                 {{"resamples", "0"}});
    return summary ? "scored" : summary.error().message();
  }
  TemporaryFolder folder_;
};

constexpr std::string_view kGood =
    R"({"images": "a.jpg", "response": "{\"Whether Normal\": true}"}
{"images": "b.jpg", "response": {"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Object Morphology": true}}}
)";

TEST_F(RowFiles, LinesComeOutWhateverTheirEndings) {
  const std::string large(3 << 20, 'x');  // more than a block
  auto lines = LineReader::open(file("lines.txt", "one\r\n\n" + large + "\nlast")).value();
  EXPECT_EQ(lines.next().value(), "one");
  EXPECT_EQ(lines.next().value(), "");
  EXPECT_EQ(lines.next().value(), large);
  EXPECT_EQ(lines.next().value(), "last");
  EXPECT_EQ(lines.line(), 4u);
  EXPECT_EQ(lines.next().value(), std::nullopt);
  EXPECT_EQ(lines.next().value(), std::nullopt);
}

TEST_F(RowFiles, OneDocumentHoldsTheSameRows) {
  const std::string normal = R"("<think>fine</think> \\boxed{{\"Whether Normal\": true}}")";
  const std::string verdict =
      R"({"Whether Normal": false, "Type of Deformity": {"L2: Abnormal Object Morphology": true}})";
  const std::string list = R"([{"images": "a.jpg", "response": {"Whether Normal": true}},
    {"images": ["b.jpg"], "response": )" +
                           verdict + "}]";
  for (const std::string& truth : {std::string(kGood), list, R"({"data": )" + list + "}"}) {
    for (const std::string& answers :
         {R"({"a.jpg": )" + normal + R"(, "b.jpg": )" + verdict + "}",
          "{\n\"a.jpg\": {\"prediction\": " + normal + "},\n\"b.jpg\": " + verdict + "\n}\n",
          R"([{"id": "a.jpg", "output": )" + normal + R"(}, {"id": "b.jpg", "answer": )" + verdict + "}]",
          R"({"image": "a.jpg", "model_output": )" + normal + "}\n" + R"({"image": "b.jpg", "completion": )" +
              verdict + "}"}) {
      const auto summary = score_magicmirror_files(file("truth.json", truth), file("answers.json", answers),
                                                   {{"resamples", "0"}});
      ASSERT_TRUE(summary) << answers << ": " << summary.error().message();
      EXPECT_EQ(summary->outcomes.of(Outcome::kAnswered), 2u) << answers;
    }
  }
  EXPECT_THAT(mirror_error(list, "[{\"id\": \"a.jpg\", \"output\": 3}]"),
              HasSubstr("entry 1: field 'output' is a number"));
  EXPECT_THAT(mirror_error(list, R"([{"id": "a.jpg", "output": "x", "answer": "y"}])"),
              HasSubstr("either could be the reply"));
  EXPECT_THAT(mirror_error("[{\"id\": \"a", kGood), HasSubstr("broken or cut off"));
}

TEST_F(RowFiles, EveryFieldIsFound) {
  auto rows =
      RowReader::open(
          file(
              "r.jsonl",
              R"({"id": 7, "prompt_t2i": "a \"cat\"", "subject": "cat", "class": "animal", "detail_class": "animal_single", "gen_images": ["./x.jpg"], "has_subject": 0, "response": "r", "unknown": [1, {"a": 2}]})"
              "\n\n"
              R"({"image": "y.jpg", "has_subject": true, "output": null, "Whether Normal": true})"))
          .value();
  const Row* row = rows.next().value();
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->id, "7");
  EXPECT_EQ(row->prompt, "a \"cat\"");
  EXPECT_EQ(row->subject_class, "animal");
  EXPECT_THAT(row->images, ElementsAre("./x.jpg"));
  EXPECT_EQ(row->has_subject, false);
  EXPECT_EQ(reply_text(*row), "r");
  row = rows.next().value();
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->line, 3u);
  EXPECT_EQ(mirror_id(*row), "y.jpg");
  EXPECT_EQ(row->has_subject, true);
  EXPECT_EQ(reply_text(*row), "");
  EXPECT_EQ(truth_text(*row), R"({"Whether Normal": true})");
  EXPECT_EQ(rows.next().value(), nullptr);
}

TEST_F(RowFiles, WrongFilesAreRefusedWithFileAndLine) {
  const std::string answers = R"({"images": "a.jpg", "output": "{\"Whether Normal\": true}"})";
  EXPECT_EQ(mirror_error(kGood, answers), "scored");
  const auto second = [](std::string_view row) { return std::string(kGood) + std::string(row); };
  EXPECT_THAT(mirror_error(second(R"({"images": "c.jpg", "respon)"), answers),
              AllOf(HasSubstr("truth.jsonl"), HasSubstr("line 3"), HasSubstr("cut off")));
  EXPECT_THAT(mirror_error(second("[1]"), answers),
              AllOf(HasSubstr("line 3"), HasSubstr("a list, not an object")));
  EXPECT_THAT(mirror_error(second(R"({"images": 3, "response": "x"})"), answers),
              AllOf(HasSubstr("line 3"), HasSubstr("'images' is a number")));
  EXPECT_THAT(mirror_error(second(R"({"images": "c.jpg", "response": 1})"), answers),
              AllOf(HasSubstr("line 3"), HasSubstr("'response' is a number")));
  EXPECT_THAT(mirror_error(second(R"({"images": "c.jpg", "response": "fine"})"), answers),
              AllOf(HasSubstr("line 3"), HasSubstr("label cannot be read")));
  EXPECT_THAT(mirror_error(second(R"({"response": "{\"Whether Normal\": true}"})"), answers),
              AllOf(HasSubstr("line 3"), HasSubstr("nothing names the row")));
  EXPECT_THAT(
      mirror_error(second(R"({"images": "./a.jpg", "response": "{\"Whether Normal\": true}"})"), answers),
      AllOf(HasSubstr("line 3"), HasSubstr("line 1")));
  EXPECT_THAT(
      mirror_error(kGood, answers + "\n" + answers),
      AllOf(HasSubstr("answers.jsonl"), HasSubstr("line 2"), HasSubstr("already answered on line 1")));
  EXPECT_THAT(mirror_error(kGood, R"({"images": "z.jpg", "output": "x"})"),
              AllOf(HasSubstr("line 1"), HasSubstr("z.jpg")));
  EXPECT_THAT(mirror_error("\n", answers), AllOf(HasSubstr("truth.jsonl"), HasSubstr("has none")));
  EXPECT_THAT(mirror_error(R"({"images": "a.jpg"})", answers), HasSubstr("no image has a label"));
}

TEST_F(RowFiles, TruthIsNotScoredAgainstItself) {
  const auto truth = file("truth.jsonl", kGood);
  const auto summary = score_magicmirror_files(truth, truth, {});
  ASSERT_FALSE(summary.has_value());
  EXPECT_THAT(summary.error().message(), HasSubstr("no 'output'"));
}

TEST_F(RowFiles, AFolderIsReadByItsLastStage) {
  file("merged_result_x.jsonl", "");
  const auto last = file("merged_result_x_vllm.jsonl", "");
  EXPECT_EQ(rows_file(folder_.path()).value(), last);
  std::filesystem::remove(last);
  file("other.jsonl", "");
  EXPECT_THAT(rows_file(folder_.path()).error().message(), HasSubstr("2 .jsonl files"));
  EXPECT_FALSE(RowReader::open(folder_.path() / "none.jsonl").has_value());
}

TEST_F(RowFiles, ImagesStayInsideTheDataset) {
  const auto leaving =
      file("truth.jsonl", R"({"images": "../../etc/passwd", "response": {"Whether Normal": true}})");
  EXPECT_THAT(read_mirror_samples(leaving, {}).error().message(),
              AllOf(HasSubstr("line 1"), HasSubstr("leaves")));
}

TEST_F(RowFiles, OptionsNobodyKnowsAreRefused) {
  EXPECT_FALSE(read_mirror_options({{"variant", "released"}}).has_value());
  EXPECT_FALSE(read_bench_options({{"variant", "best"}}).has_value());
  EXPECT_EQ(read_mirror_options({}).value().reading, "tolerant");
  EXPECT_EQ(read_bench_options({}).value().reading, "strict");
}

}  // namespace
}  // namespace awry::benchmarks::magicmirror
