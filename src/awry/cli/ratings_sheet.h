// SPDX-License-Identifier: Apache-2.0
// Who rated what how: rows of a file turned into one rating per unit and rater.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "awry/base/result.h"
#include "awry/cli/row_file.h"
#include "awry/score/agreement.h"

namespace awry::cli {

struct RatingsColumns {
  std::string unit, rater, rating;  // names in the file; empty: the usual ones, see read_ratings
};

struct RatingsSheet {
  enum class Form { kLong, kWide };
  Form form = Form::kWide;
  std::string source;
  std::vector<std::string> units, raters;
  struct Entry {
    std::string text;      // as written; empty: not rated
    std::size_t line = 0;  // 0: not rated
  };
  std::vector<Entry> entries;  // unit by unit

  std::size_t given() const;
};

// Long form has the columns unit, rater and rating, one row per rating. Wide form has one row per unit and
// one column per rater; a column named unit, item, id, sample, sample_id or image (or as `columns` says)
// names the units, else they are numbered. A unit that a rater rated twice is an error.
Result<RatingsSheet> read_ratings(const RowFile& file, const RatingsColumns& columns = {});

enum class RatingsKind {
  kNames,    // categories without order
  kOrdered,  // categories in the order of a scale
  kNumbers,
};

struct RatingsOptions {
  bool nominal = false;            // names, even where they look like numbers
  std::vector<std::string> scale;  // every category there is, in order; empty: those that occur
};

struct NumberedRatings {
  RatingsKind kind = RatingsKind::kNames;
  score::Ratings ratings;
  std::vector<double> categories;           // every value that may occur, ascending
  std::vector<std::string> category_names;  // the same, as written
};

// Numbers when every rating is one, names when none is; a mixture is an error that shows the odd one, as is
// a rating that is not on the scale.
Result<NumberedRatings> number_ratings(const RatingsSheet& sheet, const RatingsOptions& options = {});

}  // namespace awry::cli
