// SPDX-License-Identifier: Apache-2.0
// One try at a question, for each category: the file of the same name says how. A try fills in the item that
// it is given; after a rejection the item is thrown away.
#pragma once

#include <optional>
#include <string>

#include "awry/base/result.h"
#include "awry/forge/themis_item.h"

namespace awry::forge {

// What a try leaves behind: nothing on success, the reason it has to be given up, or an error that no other
// try can mend.
using Rejection = std::optional<std::string>;

// try_splice.cc
Result<Rejection> try_splice(ThemisItem& item, const SeedPath& seed);
// try_single_panel.cc
Result<Rejection> try_copy_move(ThemisItem& item, const SeedPath& seed);
Result<Rejection> try_resynthesis(ThemisItem& item, const SeedPath& seed);
Result<Rejection> take_authentic(ThemisItem& item, const SeedPath& seed);
// try_generated.cc
Result<Rejection> try_ai_whole(ThemisItem& item, const SeedPath& seed);
Result<Rejection> try_ai_region(ThemisItem& item, const SeedPath& seed);
// try_duplicate.cc
Result<Rejection> try_global_duplicate(ThemisItem& item, const SeedPath& seed);
Result<Rejection> try_local_duplicate(ThemisItem& item, const SeedPath& seed);
Result<Rejection> take_unrelated(ThemisItem& item, const SeedPath& seed);
// try_text.cc
Result<Rejection> try_text(ThemisItem& item, const SeedPath& seed);

}  // namespace awry::forge
