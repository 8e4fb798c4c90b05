// SPDX-License-Identifier: Apache-2.0
// What is known of images beside their pixels: the prompt they were made from, the generator, the source.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/records/sample.h"

namespace awry::annotate {

// Sample::attributes.
inline constexpr const char* kPrompt = "prompt";
inline constexpr const char* kGenerator = "generator";
inline constexpr const char* kSource = "source";  // "real" or "generated"

// "" when the sample has no such attribute.
std::string_view attribute(const Sample& sample, const char* name);

// From JSON lines as Hugging Face's image folders have them: {"file_name": "a/cat.png", "prompt": ...,
// "generator": ...}; every text field beside file_name becomes an attribute. Without a file, the
// nearest metadata.jsonl in each image's folder or in one above is used if there is one. A line that names no
// image of the samples is overlooked, since files often describe more than one wants; a line that cannot be
// read is an error.
//
// The folders 1_fake and 0_real in a path tell the source where nothing else does.
Result<void> add_metadata(std::span<Sample> samples, const std::filesystem::path& file);

}  // namespace awry::annotate
