// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/tags.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "awry/base/text.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

constexpr std::size_t kMaxAttributeBytes = 200;  // "<mask" followed by a novel is not a tag

using Tag = Tags::Tag;

std::optional<Tag> tag_at(std::string_view text, std::size_t begin, std::span<const std::string_view> names) {
  Tag tag{.begin = begin};
  std::size_t at = skip_blanks(text.substr(0, begin + 8), begin + 1);
  if (at < text.size() && text[at] == '/') {
    tag.closing = true;
    ++at;
  }
  at = skip_blanks(text.substr(0, at + 8), at);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t behind = at + names[i].size();
    if (!starts_with_at(text, at, names[i])) continue;
    if (behind < text.size() && (is_word_byte(text[behind]) || text[behind] == '-')) continue;
    const std::string_view rest = text.substr(behind, kMaxAttributeBytes);
    const std::size_t close = rest.find_first_of("<>");
    if (close == std::string_view::npos || rest[close] == '<') return std::nullopt;
    const std::string_view attributes = trim(rest.substr(0, close));
    tag.self_closing = attributes.ends_with('/');
    tag.decorated = !attributes.empty() || at != begin + (tag.closing ? 2 : 1);
    tag.name = i;
    tag.end = behind + close + 1;
    return tag;
  }
  return std::nullopt;
}

// The nearest closing tag of the same name before the next opening one of that name closes a tag. Walked
// backwards, so that it stays linear.
void pair_up(std::vector<Tag>& tags, std::size_t names) {
  std::vector<std::size_t> next_closing(names, 0);
  for (std::size_t i = tags.size(); i-- > 0;) {
    if (tags[i].closing) {
      next_closing[tags[i].name] = i;
    } else {
      tags[i].closed_by = std::exchange(next_closing[tags[i].name], 0);
    }
  }
}

std::vector<Tag> tags_in(std::string_view text, std::span<const std::string_view> names) {
  std::vector<Tag> tags;
  tags.reserve(16);
  for (std::size_t at = text.find('<'); at != std::string_view::npos;) {
    const auto tag = tag_at(text, at, names);
    if (tag) tags.push_back(*tag);
    at = text.find('<', tag ? tag->end : at + 1);
  }
  pair_up(tags, names.size());
  return tags;
}

// Between an opening tag and the one that closes it; an unclosed body ends at the next tag.
std::string_view body_of(std::size_t opening, std::string_view text, const std::vector<Tag>& tags) {
  const Tag& tag = tags[opening];
  std::size_t end = text.size();
  if (tag.self_closing) {
    end = tag.end;
  } else if (tag.closed_by != 0) {
    end = tags[tag.closed_by].begin;
  } else if (opening + 1 < tags.size()) {
    end = tags[opening + 1].begin;
  }
  return text.substr(tag.end, end - tag.end);
}

// "**<CHOICE>** A **</CHOICE>**" leaves stars that belong to the tags, not to the body.
std::string_view without_stray_stars(std::string_view body) {
  body = trim(body);
  const auto stray = [](char beside) { return is_blank(beside); };
  if (body.starts_with("**") && (body.size() == 2 || stray(body[2]))) body = trim(body.substr(2));
  if (body.ends_with("**") && (body.size() == 2 || stray(body[body.size() - 3]))) {
    body = trim(body.substr(0, body.size() - 2));
  }
  return body;
}

}  // namespace

Tags::Tags(std::string_view text, std::span<const std::string_view> known)
    : text_(text), known_(known), tags_(tags_in(text, known)) {}

Result<Parsed<std::string>> Tags::last(std::string_view name) const {
  std::size_t wanted = 0;
  while (wanted < known_.size() && !equals_ignoring_case(known_[wanted], name)) ++wanted;
  std::optional<std::size_t> chosen;
  bool is_mention = false;
  std::size_t answers = 0;
  std::size_t inside_until = 0;  // index of the tag that closes the other tag we are in
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    const Tag& tag = tags_[i];
    if (tag.closing) continue;
    const bool mention = i < inside_until;
    if (tag.name != wanted) {
      if (!mention && tag.closed_by != 0) inside_until = tag.closed_by;
      continue;
    }
    if (!mention) ++answers;
    if (!chosen || is_mention || !mention) chosen = i, is_mention = mention;
  }
  if (!chosen) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = fmt::format("cannot read <{}>", name),
                 .why = fmt::format("the reply has no <{}> tag", name)});
  }
  const Tag& tag = tags_[*chosen];
  Parsed<std::string> parsed{.value = std::string(without_stray_stars(body_of(*chosen, text_, tags_)))};
  if (!tag.self_closing && tag.closed_by == 0)
    parsed.tolerate(fmt::format("the <{}> tag is not closed", name));
  if (tag.decorated) parsed.tolerate(fmt::format("the <{}> tag holds blanks or attributes", name));
  if (is_mention) parsed.tolerate(fmt::format("<{}> stands inside another tag", name));
  if (answers > 1) parsed.tolerate(fmt::format("<{}> is given {} times: the last counts", name, answers));
  return parsed;
}

Result<Parsed<std::string>> last_tag(std::string_view text, std::string_view name,
                                     std::span<const std::string_view> known) {
  std::vector<std::string_view> names = {name};
  for (std::string_view other : known) {
    if (!equals_ignoring_case(other, name)) names.push_back(other);
  }
  return Tags(text, names).last(name);
}

}  // namespace awry::parse
