// SPDX-License-Identifier: Apache-2.0
// One row of a MagicData or MagicBench file, as far as anybody here needs it, without copying.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/benchmarks/magicmirror/line_reader.h"

namespace awry::benchmarks::magicmirror {

// Fields that the row lacks, or has as null, are empty. Texts hold a verdict, as JSON or as a whole reply.
struct Row {
  std::size_t line = 0;
  std::string_view id;                   // id
  std::vector<std::string_view> images;  // images | gen_images | image | image_path: a list or a string
  std::string_view prompt;               // prompt_t2i | prompt
  std::string_view subject, subject_class, detail_class;  // subject, class, detail_class
  std::optional<bool> has_subject;                        // true | false | 1 | 0
  std::string_view response;      // response: the label in MagicData, the assessor's reply in MagicBench
  std::string_view output;        // output | reply | prediction ...: a model's reply beside the label
  std::string_view ground_truth;  // ground_truth | label | labels
  std::string_view bare;          // {"Whether Normal": ...} spread over the row itself
  bool has_output = false;        // the field is there, if only as null
  bool is_of_a_run = false;       // a line of a run's samples.jsonl: it has the field `asked`
};

// Where a row keeps the label, where it is read as truth, and the reply, where it is read as an answer.
// MagicData and MagicBench both use `response`, for the one and for the other.
std::string_view truth_text(const Row& row);
std::string_view reply_text(const Row& row);

// Rows are JSON lines, the elements of a JSON list (which may stand in an object), or the values of one
// object {id: row}, where a text is a row's reply. Errors name the file and the line or entry: JSON that is
// broken or cut off, a field of the wrong type.
class RowReader {
 public:
  static Result<RowReader> open(const std::filesystem::path& path);
  ~RowReader();
  RowReader(RowReader&&) noexcept;
  RowReader& operator=(RowReader&&) noexcept;

  // nullptr at the end. Blank lines are passed over. Valid until the next call.
  Result<const Row*> next();

  const std::string& file() const;
  // For what callers find wrong with the last row.
  tl::unexpected<Error> error(std::string why, std::string hint = "") const;

 private:
  struct State;
  explicit RowReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The file itself, or the one file of rows in a folder: the last stage of a generator's folder, whose name
// ends in _vllm.jsonl, before any other.
Result<std::filesystem::path> rows_file(const std::filesystem::path& path);

// "./a.jpg" and "a.jpg" are the same image.
std::string_view image_name(std::string_view path);

}  // namespace awry::benchmarks::magicmirror
