// SPDX-License-Identifier: Apache-2.0
// Dataset files -> Samples, with truth where people labelled them.
#include <fmt/format.h>

#include <algorithm>

#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "awry/benchmarks/magicmirror/row_ids.h"
#include "awry/benchmarks/magicmirror/samples.h"
#include "awry/benchmarks/magicmirror/verdict.h"

namespace awry::benchmarks::magicmirror {
namespace {

namespace fs = std::filesystem;

void set(Sample& sample, const char* name, std::string_view value) {
  if (!value.empty()) sample.attributes[name] = value;
}

void set_prompt(Sample& sample, std::string_view prompt) {
  if (!prompt.empty()) sample.passages = {{"prompt", std::string(prompt)}};
}

}  // namespace

Result<std::vector<ImageRef>> image_refs(const RowReader& rows, const Row& row, const Options& options) {
  const fs::path root =
      options.images.empty() ? fs::path(rows.file()).parent_path() : fs::path(options.images);
  std::vector<ImageRef> images;
  for (const std::string_view name : row.images) {
    const fs::path path(image_name(name));
    const bool leaves = std::ranges::any_of(path, [](const fs::path& part) { return part == ".."; });
    if (path.empty() || path.is_absolute() || leaves) {
      return rows.error(fmt::format("the image path '{}' leaves the folder of the dataset", name),
                        "Paths are relative to the file of rows, or to the folder given as images=DIR.");
    }
    images.push_back({.path = (root / path).string()});
  }
  return images;
}

Result<bool> is_own_form(const fs::path& file, const Protocol& protocol) {
  AWRY_TRY_ASSIGN(RowReader rows, RowReader::open(file));
  AWRY_TRY_ASSIGN(const Row* first, rows.next());
  if (first == nullptr) return false;
  return first->is_of_a_run || (protocol.name == kMagicBench.name && first->prompt.empty() &&
                                !first->id.empty() && first->has_output);
}

std::string_view sample_named_by(std::string_view id) {
  constexpr std::string_view kSuffix = "/assess";
  static_assert(kSuffix.substr(1) == kAssess);
  if (id.ends_with(kSuffix)) id.remove_suffix(kSuffix.size());
  return id;
}

Result<LabelSet> truth_of(const RowReader& rows, const Row& row, VerdictReader& verdicts) {
  const Result<Verdict> verdict = verdicts.read(truth_text(row));
  if (!verdict) return rows.error(fmt::format("its label cannot be read: {}", verdict.error().message()));
  return verdict->labels;
}

Result<Dataset> read_mirror_samples(const fs::path& path, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_mirror_options(protocol_options));
  AWRY_TRY_ASSIGN(const fs::path file, rows_file(path));
  AWRY_TRY_ASSIGN(RowReader rows, RowReader::open(file));
  Dataset dataset;
  RowIds ids;
  VerdictReader verdicts;
  for (;;) {
    AWRY_TRY_ASSIGN(const Row* row, rows.next());
    if (row == nullptr) break;
    AWRY_TRY(ids.add(mirror_id(*row), rows, row->line));
    Sample sample{.id = std::string(mirror_id(*row))};
    AWRY_TRY_ASSIGN(sample.images, image_refs(rows, *row, options));
    set_prompt(sample, row->prompt);
    if (!truth_text(*row).empty()) {
      AWRY_TRY_ASSIGN(const LabelSet labels, truth_of(rows, *row, verdicts));
      sample.has_truth = true;
      sample.truth =
          findings_of(labels, sample.id + "/truth", {.kind = AuthorKind::kPerson, .name = "MagicData"});
    }
    dataset.samples.push_back(std::move(sample));
  }
  if (dataset.samples.empty()) return no_rows(file);
  return dataset;
}

Result<Dataset> read_bench_samples(const fs::path& path, const ProtocolOptions& protocol_options) {
  AWRY_TRY_ASSIGN(const Options options, read_bench_options(protocol_options));
  AWRY_TRY_ASSIGN(const fs::path file, rows_file(path));
  AWRY_TRY_ASSIGN(RowReader rows, RowReader::open(file));
  Dataset dataset;
  RowIds ids;
  for (;;) {
    AWRY_TRY_ASSIGN(const Row* row, rows.next());
    if (row == nullptr) break;
    const std::string id = bench_id(*row);
    AWRY_TRY(ids.add(id, rows, row->line));
    AWRY_TRY(check_bench_prompt(rows, *row));
    Sample sample{.id = id};
    AWRY_TRY_ASSIGN(sample.images, image_refs(rows, *row, options));
    set_prompt(sample, row->prompt);
    set(sample, kClassAttribute, row->subject_class);
    set(sample, kDetailAttribute, row->detail_class);
    set(sample, kSubjectAttribute, row->subject);
    if (row->has_subject) set(sample, kHasSubjectAttribute, *row->has_subject ? "true" : "false");
    dataset.samples.push_back(std::move(sample));
  }
  if (dataset.samples.empty()) return no_rows(file);
  return dataset;
}

Result<void> check_bench_prompt(const RowReader& rows, const Row& row) {
  if (row.subject_class.empty()) return rows.error("it has no 'class'");
  bool known = false;
  for (const DetailClass& detail : kDetailClasses) {
    known = known || detail.subject_class == row.subject_class;
    if (detail.name == row.detail_class && detail.subject_class != row.subject_class) {
      return rows.error(
          fmt::format("its detail_class is '{}', but its class '{}'", row.detail_class, row.subject_class));
    }
  }
  if (known) return {};
  return rows.error(fmt::format("its class '{}' is neither human, animal nor object", row.subject_class));
}

Result<void> check_bench_row(const RowReader& rows, const Row& row, std::string_view subject_class,
                             const Options& options, bool subject_unknown) {
  if (!row.subject_class.empty() && row.subject_class != subject_class) {
    return rows.error(
        fmt::format("its class is '{}', but that of its prompt is '{}'", row.subject_class, subject_class));
  }
  if (!row.has_subject && subject_unknown && !reply_text(row).empty() && options.subject != "assumed") {
    return rows.error("it does not say whether the image has its subject",
                      "Add has_subject to the rows, or pass subject=assumed.");
  }
  return {};
}

tl::unexpected<Error> no_rows(const fs::path& file) {
  return fail({.what = "cannot read rows", .input = file.string(), .why = "the file has none"});
}

}  // namespace awry::benchmarks::magicmirror
