// SPDX-License-Identifier: Apache-2.0
// What the metadata of a set remember of its pool, so that a replay need not read the pictures' words again.
#pragma once

#include <string>
#include <vector>

#include "awry/base/json.h"
#include "awry/forge/source_pool.h"

namespace awry::forge {

Json images_json(const SourcePool& pool);
Json figures_json(const SourcePool& pool);

// Names, and what was read; throws Json::exception when it is not what the two above wrote.
std::vector<PoolImage> pool_images_from(const Json& json);
std::vector<CaptionedFigure> pool_figures_from(const Json& json);

// All of it in one short word.
std::string digest_of(const SourcePool& pool);

}  // namespace awry::forge
