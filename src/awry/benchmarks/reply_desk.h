// SPDX-License-Identifier: Apache-2.0
// The replies of a file, laid out by id, each handed out once.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/asking.h"

namespace awry::benchmarks {

class ReplyDesk {
 public:
  // Any of the forms that replies_file.h names, in a file or in the files of a folder. Errors name the line,
  // or the entry of a single document.
  static Result<ReplyDesk> open(const std::filesystem::path& path);

  bool has(std::string_view id) const { return waiting_.contains(id); }

  // The reply to a question, which may be called by its sample's name where it is the only one.
  Result<std::optional<Reply>> take(const Question& question, bool only_one);

  // Forgets the replies about these samples.
  void pass_over(std::span<const std::string> samples);

  // An error when there is a reply that nobody asked for.
  Result<void> finish() const;

 private:
  friend class ReplyFileReader;
  struct File {
    std::filesystem::path path;
    bool in_lines = true;  // JSON lines rather than one document
  };
  struct Waiting {
    std::size_t file = 0;
    std::size_t entry = 0;   // line of the file, or entry of the document
    std::string_view text;   // in words_, where all that is known is what was said
    Reply* whole = nullptr;  // in whole_, where a file says more

    bool is_before(const Waiting& other) const {
      return file != other.file ? file < other.file : entry < other.entry;
    }
  };

  ReplyDesk() = default;
  Result<void> lay_out(std::string_view id, Waiting reply);
  Error complaint(const Waiting& at, std::string why, std::string hint = {}) const;
  Error repeated(std::string_view id, const Waiting& later, const Waiting& earlier) const;

  bool of_folder_ = false;
  std::vector<File> files_;
  // Ids and texts of each file, end to end; room is made beforehand, so that views stay good.
  std::deque<std::vector<char>> words_;
  std::deque<Reply> whole_;
  std::unordered_map<std::string_view, Waiting> waiting_;
};

}  // namespace awry::benchmarks
