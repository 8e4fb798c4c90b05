// SPDX-License-Identifier: Apache-2.0
// What reading samples and scoring files have in common.
#pragma once

#include <filesystem>
#include <vector>

#include "awry/benchmarks/magicmirror/labels.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "awry/benchmarks/magicmirror/rows.h"
#include "awry/benchmarks/magicmirror/verdict.h"

namespace awry::benchmarks::magicmirror {

Result<std::vector<ImageRef>> image_refs(const RowReader& rows, const Row& row, const Options& options);

// Whether the answers are in awry's own form (replies_file.h) beyond what rows can hold: a run's
// samples.jsonl, or replies to MagicBench that name a question instead of a prompt.
Result<bool> is_own_form(const std::filesystem::path& file, const Protocol& protocol);

// awry's own rows may name a question, "<sample>/assess", instead of a sample.
std::string_view sample_named_by(std::string_view id);

// The label that people gave. An error names the line.
Result<LabelSet> truth_of(const RowReader& rows, const Row& row, VerdictReader& verdicts);

// A row that asks for an image: its class is known, and its detail class belongs to it.
Result<void> check_bench_prompt(const RowReader& rows, const Row& row);

// A row of MagicBench answers against its prompt: the same class, and a word on the subject unless the
// options or the prompt's own row (`subject_unknown` false) make it unnecessary.
Result<void> check_bench_row(const RowReader& rows, const Row& row, std::string_view subject_class,
                             const Options& options, bool subject_unknown);

tl::unexpected<Error> no_rows(const std::filesystem::path& file);

}  // namespace awry::benchmarks::magicmirror
