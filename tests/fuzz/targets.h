// SPDX-License-Identifier: Apache-2.0
// The fuzz bodies: each feeds one input to one parser and checks what must hold whatever the input is.
#pragma once

#include <span>
#include <string_view>

namespace awry::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
};

std::span<const Target> targets();
const Target* target_named(std::string_view name);  // nullptr if there is none

// Prints `property` and aborts when it does not hold.
void require(bool holds, const char* property);

void run_anomalies(std::string_view input);
void run_blocks(std::string_view input);
void run_boxed(std::string_view input);
void run_boxes(std::string_view input);
void run_choices(std::string_view input);
void run_lists(std::string_view input);
void run_loose_json(std::string_view input);
void run_object_lines(std::string_view input);
void run_replies(std::string_view input);
void run_sentences(std::string_view input);
void run_severity(std::string_view input);
void run_tags(std::string_view input);
void run_think(std::string_view input);

}  // namespace awry::fuzz
