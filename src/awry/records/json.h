// SPDX-License-Identifier: Apache-2.0
// Records to and from JSON: lossless, and fields this version does not know survive the round trip.
#pragma once

#include <string_view>

#include "awry/base/json.h"
#include "awry/records/asking.h"
#include "awry/records/finding.h"
#include "awry/records/judging.h"
#include "awry/records/run.h"
#include "awry/records/sample.h"
#include "awry/records/scoring.h"

namespace awry {

Json to_json(const Finding&);
Json to_json(const Sample&);
Json to_json(const Question&);
Json to_json(const Reply&);
Json to_json(const Answer&);
Json to_json(const Verdict&);
Json to_json(const Score&);
Json to_json(const Metric&);
Json to_json(const Summary&);
Json to_json(const Run&);

// T is any record above. `source` names the input in errors. Missing fields keep their defaults; a field
// of the wrong type is an error that names it.
template <class T>
Result<T> from_json(const Json& json, std::string_view source);

}  // namespace awry
