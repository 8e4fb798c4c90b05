// SPDX-License-Identifier: Apache-2.0
// How a command declares its options.
//
//   struct ForgeOptions {
//     std::vector<std::string> sources;
//     double hardness = 0.5;
//     std::uint64_t seed = 1;
//   };
//   void declare(ForgeOptions& options, OptionSet& set) {
//     set.positionals(options.sources, "source", {.help = "Images or folders to start from."});
//     set.value(options.hardness, "hardness",
//               {.placeholder = "H", .help = "From 0 (plain) to 1.", .minimum = 0, .maximum = 1});
//     declare_seed(set, options.seed);   // common_options.h: what several commands share
//   }
//
// The option is bound to the field, whose initial value is the default that help shows. Every option
// `hardness` can also be given as AWRY_HARDNESS and as the key `hardness` of awry.toml; resolve.h says
// which one wins. --no-x takes the flag `x` back, --x the flag `no-x`. Declaring touches nothing but the set.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "awry/base/result.h"
#include "awry/cli/option_values.h"

namespace awry::cli {

struct OptionDetails {
  char letter = 0;           // 'n' for -n
  std::string also;          // another spelling of the name, understood wherever the name is: "color"
  std::string placeholder;   // what help shows for the value; default: the name in capitals
  std::string help;          // one or two sentences
  std::string default_text;  // what help says instead of the field's value: "all cores"
  std::string group = "Options";
  std::optional<double> minimum, maximum;  // of numbers; both included
  std::vector<std::string> endings;        // of paths: ".json"; told before any work is done; empty: any
  bool required = false;
  bool secret = false;   // never printed, whatever asks
  bool in_files = true;  // false: makes no sense as a key of a configuration file
};

enum class OptionShape { kFlag, kValue, kList, kPositional, kPositionals };
enum class OptionType { kBoolean, kNumber, kText, kPath };

// Where the value in force came from.
struct Origin {
  enum class Kind { kDefault, kUserFile, kProjectFile, kDotEnv, kEnvironment, kFlag };
  Kind kind = Kind::kDefault;
  std::string text = "default";  // "--seed", "AWRY_SEED", "AWRY_SEED in .env:3", "awry.toml:7"
};

// One declared option. Commands use OptionSet; this is what parsing, help and `config show` look at.
struct Option {
  std::string name;
  OptionShape shape = OptionShape::kValue;
  OptionType type = OptionType::kText;
  OptionDetails details;
  std::vector<std::string> choices;  // empty: anything that parses
  std::function<Result<void>(std::span<const std::string>)> assign;
  std::function<std::vector<std::string>()> current;  // the bound field now; empty when unset
  Origin origin;

  bool is_positional() const {
    return shape == OptionShape::kPositional || shape == OptionShape::kPositionals;
  }
  bool takes_many() const { return shape == OptionShape::kList || shape == OptionShape::kPositionals; }
  bool is_called(std::string_view word) const {
    return word == name || (word == details.also && !word.empty());
  }
  std::vector<std::string> names() const;      // the name first
  std::vector<std::string> variables() const;  // AWRY_DRY_RUN; one for each of the names
  std::string placeholder() const;             // N
};

// More that help explains behind the options: a column of labels and one of texts.
struct Explanation {
  std::string title;
  std::vector<std::pair<std::string, std::string>> rows;
};

struct Example {
  std::string command_line, meaning;
};

class OptionSet {
 public:
  void flag(bool& target, std::string name, OptionDetails details);

  template <class T>
  void value(T& target, std::string name, OptionDetails details) {
    bind(target, std::move(name), OptionShape::kValue, std::move(details));
  }
  // Given several times: --model a --model b; in the environment a,b; in files ["a", "b"].
  template <class T>
  void list(std::vector<T>& target, std::string name, OptionDetails details) {
    bind_many(target, std::move(name), OptionShape::kList, std::move(details));
  }
  template <class T>
  void positional(T& target, std::string name, OptionDetails details) {
    bind(target, std::move(name), OptionShape::kPositional, std::move(details));
  }
  // All remaining arguments; declare it last.
  template <class T>
  void positionals(std::vector<T>& target, std::string name, OptionDetails details) {
    bind_many(target, std::move(name), OptionShape::kPositionals, std::move(details));
  }
  // One of a fixed list of names.
  template <class T>
  void choice(T& target, std::string name, const std::vector<std::pair<std::string, T>>& meanings,
              OptionDetails details);

  void describe(std::string text) { description_ = std::move(text); }  // a paragraph below the summary
  void example(std::string command_line, std::string meaning) {
    examples_.push_back({std::move(command_line), std::move(meaning)});
  }

  void explain(Explanation explanation) { explanations_.push_back(std::move(explanation)); }

  std::span<Option> options() { return options_; }
  std::span<const Option> options() const { return options_; }
  const Option* find(std::string_view name) const;
  const std::string& description() const { return description_; }
  std::span<const Example> examples() const { return examples_; }
  std::span<const Explanation> explanations() const { return explanations_; }

 private:
  Option& add(std::string name, OptionShape shape, OptionType type, OptionDetails details);
  template <class T>
  void bind(T& target, std::string name, OptionShape shape, OptionDetails details);
  template <class T>
  void bind_many(std::vector<T>& target, std::string name, OptionShape shape, OptionDetails details);

  std::vector<Option> options_;
  std::vector<Example> examples_;
  std::vector<Explanation> explanations_;
  std::string description_;
};

// ---- details ----

template <class T>
struct ValueInside {
  using type = T;
};
template <class T>
struct ValueInside<std::optional<T>> {
  using type = T;
};

template <class T>
constexpr OptionType option_type_of() {
  using Value = typename ValueInside<T>::type;
  if constexpr (std::is_same_v<Value, bool>) return OptionType::kBoolean;
  if constexpr (std::is_arithmetic_v<Value>) return OptionType::kNumber;
  if constexpr (std::is_same_v<Value, std::filesystem::path>) return OptionType::kPath;
  return OptionType::kText;
}

Result<void> check_range(std::string_view text, const OptionDetails& details);
Result<void> check_ending(std::string_view text, const OptionDetails& details);
Result<void> check_choice(std::string_view text, std::span<const std::string> names);

template <class T>
void OptionSet::bind(T& target, std::string name, OptionShape shape, OptionDetails details) {
  Option& option = add(std::move(name), shape, option_type_of<T>(), std::move(details));
  option.assign = [&target, limits = option.details](std::span<const std::string> texts) -> Result<void> {
    AWRY_TRY(parse_value(texts.back(), target));
    AWRY_TRY(check_ending(texts.back(), limits));
    return check_range(texts.back(), limits);
  };
  option.current = [&target]() -> std::vector<std::string> {
    if (std::string text = format_value(target); !text.empty()) return {std::move(text)};
    return {};
  };
}

template <class T>
void OptionSet::bind_many(std::vector<T>& target, std::string name, OptionShape shape,
                          OptionDetails details) {
  Option& option = add(std::move(name), shape, option_type_of<T>(), std::move(details));
  option.assign = [&target, limits = option.details](std::span<const std::string> texts) -> Result<void> {
    std::vector<T> values(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      AWRY_TRY(parse_value(texts[i], values[i]));
      AWRY_TRY(check_range(texts[i], limits));
    }
    target = std::move(values);
    return {};
  };
  option.current = [&target] {
    std::vector<std::string> texts;
    for (const T& value : target) texts.push_back(format_value(value));
    return texts;
  };
}

template <class T>
void OptionSet::choice(T& target, std::string name, const std::vector<std::pair<std::string, T>>& meanings,
                       OptionDetails details) {
  Option& option = add(std::move(name), OptionShape::kValue, OptionType::kText, std::move(details));
  for (const auto& [word, meaning] : meanings) option.choices.push_back(word);
  option.assign = [&target, meanings,
                   names = option.choices](std::span<const std::string> texts) -> Result<void> {
    AWRY_TRY(check_choice(texts.back(), names));
    for (const auto& [word, meaning] : meanings) {
      if (word == texts.back()) target = meaning;
    }
    return {};
  };
  option.current = [&target, meanings]() -> std::vector<std::string> {
    for (const auto& [word, meaning] : meanings) {
      if (meaning == target) return {word};
    }
    return {};
  };
}

}  // namespace awry::cli
