// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/vocabulary.h"

#include <algorithm>
#include <array>
#include <utility>

#include "awry/base/text.h"

namespace awry::agents {
namespace {

using Words = std::string_view;

// Words that English spells alike but means otherwise (German Kind, French main) are left out.

constexpr Words kFillers[] = {
    "a", "an", "the", "and", "or", "of", "in", "on", "at", "to", "with", "by", "for", "from", "as", "is",
    "are", "was", "were", "be", "it", "its", "this", "that", "these", "those", "his", "her", "their", "which",
    "while", "there", "here", "but", "into", "onto", "over", "also", "very", "than", "then", "so", "s",
    "appear", "appears", "seem", "seems", "visible", "visibly", "image", "picture", "clearly",
    // German, French, Spanish
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "und", "ist", "sind",
    "im", "am", "auf", "mit", "von", "zu", "le", "la", "les", "l", "un", "une", "des", "du", "de", "d", "et",
    "est", "sont", "dans", "sur", "avec", "el", "los", "las", "una", "y", "es", "en", "con", "del"};

constexpr Words kNegations[] = {"no",     "not",    "without", "missing", "lack",   "lacks",   "lacking",
                                "absent", "none",   "never",   "nor",     "kein",   "keine",   "keinen",
                                "nicht",  "ohne",   "fehlt",   "fehlen",  "pas",    "sans",    "manque",
                                "aucun",  "aucune", "sin",     "falta",   "faltan", "ninguna", "没",
                                "沒",     "无",     "無",      "缺",      "不"};

constexpr Words kFloating[] = {"floating",  "floats",   "levitating", "hovering", "hovers",
                               "suspended", "schwebt",  "schwebend",  "flotte",   "flottant",
                               "flota",     "flotando", "浮",         "悬",       "懸"};
constexpr Words kResting[] = {"resting", "rests",  "standing", "stands", "grounded", "supported", "steht",
                              "stehend", "repose", "posé",     "apoya",  "apoyado",  "站"};
constexpr Words kExtra[] = {"extra",          "additional", "surplus",     "supernumerary",
                            "duplicated",     "zusätzlich", "zusätzliche", "überzählig",
                            "supplémentaire", "adicional",  "多"};
constexpr Words kMissing[] = {"missing",  "absent", "lacking", "lacks",   "incomplete",
                              "severed",  "fehlt",  "fehlen",  "fehlend", "manque",
                              "manquant", "falta",  "faltan",  "缺",      "少"};
constexpr Words kLong[] = {"longer", "long",    "elongated", "stretched", "tall", "taller", "lang",
                           "länger", "allongé", "largo",     "alargado",  "长",   "長"};
constexpr Words kShort[] = {"shorter", "short",  "shortened", "stunted", "stubby",   "truncated",
                            "kurz",    "kürzer", "raccourci", "corto",   "acortado", "短"};
constexpr Words kLarge[] = {"larger",  "large",  "oversized", "huge",   "enormous", "big", "gross",
                            "grösser", "riesig", "énorme",    "grande", "enorme",   "大"};
constexpr Words kSmall[] = {"smaller", "small",  "undersized", "tiny",      "miniature", "little",   "klein",
                            "kleiner", "winzig", "petit",      "minuscule", "pequeño",   "diminuto", "小"};
constexpr Words kOpen[] = {"open", "opened", "inside", "above", "bright", "rigid"};
constexpr Words kClosed[] = {"closed", "shut", "outside", "below", "dark", "soft"};

constexpr Words kLeft[] = {"left",  "linke",  "linken",    "linker",    "linkes",
                           "links", "gauche", "izquierda", "izquierdo", "左"};
constexpr Words kRight[] = {"right",  "rechte", "rechten", "rechter", "rechtes", "rechts",
                            "droite", "droit",  "derecha", "derecho", "右"};
constexpr Words kFirst[] = {"first", "erste", "ersten", "première", "premier", "primera", "primer"};
constexpr Words kSecond[] = {"second", "zweite", "zweiten", "deuxième", "segunda", "segundo"};
constexpr Words kUpper[] = {"upper", "obere", "oberen", "supérieur", "supérieure", "superior", "上"};
constexpr Words kLower[] = {"lower", "untere", "unteren", "inférieur", "inférieure", "inferior", "下"};
constexpr Words kFront[] = {"front", "vordere", "vorderen", "avant", "delantero", "delantera", "前"};
constexpr Words kBack[] = {"back", "hintere", "hinteren", "arrière", "trasero", "trasera", "后", "後"};

constexpr Opposites kOpposites[] = {
    {kFloating, kResting}, {kExtra, kMissing}, {kLong, kShort}, {kLarge, kSmall}, {kOpen, kClosed}};
constexpr Opposites kSides[] = {{kLeft, kRight}, {kFirst, kSecond}, {kUpper, kLower}, {kFront, kBack}};

// The articles "ein", "un" and U+4E00 count nothing.
constexpr std::pair<Words, Words> kNumberWords[] = {
    {"one", "1"},   {"two", "2"},    {"three", "3"}, {"four", "4"}, {"five", "5"},   {"six", "6"},
    {"seven", "7"}, {"eight", "8"},  {"nine", "9"},  {"ten", "10"}, {"single", "1"}, {"both", "2"},
    {"zwei", "2"},  {"drei", "3"},   {"vier", "4"},  {"fünf", "5"}, {"sechs", "6"},  {"sieben", "7"},
    {"acht", "8"},  {"neun", "9"},   {"zehn", "10"}, {"deux", "2"}, {"trois", "3"},  {"quatre", "4"},
    {"cinq", "5"},  {"sept", "7"},   {"huit", "8"},  {"neuf", "9"}, {"dix", "10"},   {"dos", "2"},
    {"tres", "3"},  {"cuatro", "4"}, {"cinco", "5"}, {"seis", "6"}, {"siete", "7"},  {"ocho", "8"},
    {"nueve", "9"}, {"diez", "10"},  {"二", "2"},    {"两", "2"},   {"兩", "2"},     {"三", "3"},
    {"四", "4"},    {"五", "5"},     {"六", "6"},    {"七", "7"},   {"八", "8"},     {"九", "9"},
    {"十", "10"}};

// Head nouns that mean a human being, or a part that only makes sense with one.
constexpr Words kPeople[] = {
    "person",    "people",    "man",      "men",     "woman",   "women",  "child",    "children",
    "boy",       "girl",      "baby",     "toddler", "human",   "figure", "adult",    "teenager",
    "lady",      "gentleman", "player",   "worker",  "doctor",  "nurse",  "chef",     "soldier",
    "rider",     "climber",   "musician", "dancer",  "crowd",   "couple", "hand",     "hands",
    "face",      "finger",    "fingers",  "arm",     "arms",    "leg",    "legs",     "individual",
    "mann",      "frau",      "kinder",   "junge",   "mädchen", "mensch", "menschen", "leute",
    "gesicht",   "homme",     "femme",    "enfant",  "enfants", "garçon", "fille",    "personne",
    "personnes", "visage",    "hombre",   "mujer",   "niño",    "niña",   "niños",    "persona",
    "personas",  "rostro",    "cara",     "mano",    "manos"};
// In Chinese and Japanese any name that holds one of these characters. Not those for hand and child alone:
// they stand in the names of many things.
constexpr Words kPeopleCharacters[] = {"人", "女", "男", "孩", "脸", "顔"};

bool is_in(std::span<const Words> list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

// Han, kana, and the scripts of South-East Asia from Thai to Khmer.
bool stands_unspaced(char32_t c) {
  return (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x20000 && c <= 0x323AF) || (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) ||
         (c >= 0x1780 && c <= 0x17FF);
}

struct Run {
  std::vector<char32_t> characters;
  bool unspaced = false;
};

// A word in pieces of one kind: "6根手指" is a number and a run of Han.
std::vector<Run> runs_of(std::string_view word) {
  std::vector<Run> runs;
  for (const char32_t c : decode_utf8(word)) {
    const bool unspaced = stands_unspaced(c);
    if (runs.empty() || runs.back().unspaced != unspaced) runs.push_back({{}, unspaced});
    runs.back().characters.push_back(c);
  }
  return runs;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void add_word(std::string word, std::vector<std::string>& words) {
  if (is_in(kFillers, word)) return;
  if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) word.pop_back();
  words.push_back(std::move(word));
}

}  // namespace

std::vector<std::string> content_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::string& word : word_tokens(text)) {
    if (is_ascii(word)) {
      add_word(std::move(word), words);
      continue;
    }
    for (const Run& run : runs_of(word)) {
      const std::span<const char32_t> all(run.characters);
      if (!run.unspaced) {
        add_word(encode_utf8(all), words);
      } else if (all.size() == 1) {
        words.push_back(encode_utf8(all));
      } else {
        for (std::size_t i = 0; i + 1 < all.size(); ++i) words.push_back(encode_utf8(all.subspan(i, 2)));
      }
    }
  }
  return words;
}

WordSet word_set(std::string_view text) {
  WordSet words;
  for (const std::string& word : word_tokens(text)) {
    words.insert(word);
    if (is_ascii(word)) continue;
    for (const Run& run : runs_of(word)) {
      if (!run.unspaced) words.insert(encode_utf8(run.characters));
      if (!run.unspaced) continue;
      for (const char32_t c : run.characters) words.insert(encode_utf8(std::span(&c, 1)));
    }
  }
  return words;
}

bool has_any(const WordSet& words, std::span<const std::string_view> list) {
  return std::ranges::any_of(list, [&](std::string_view word) { return words.contains(word); });
}

bool names_a_person(std::string_view name) {
  const WordSet words = word_set(name);
  return has_any(words, kPeople) || has_any(words, kPeopleCharacters);
}

bool is_denied(const WordSet& words) {
  return has_any(words, kNegations);
}

WordSet numbers_in(const WordSet& words) {
  WordSet numbers;
  for (const std::string& word : words) {
    if (!word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; })) {
      numbers.insert(word);
    }
  }
  for (const auto& [word, digits] : kNumberWords) {
    if (words.contains(word)) numbers.emplace(digits);
  }
  return numbers;
}

std::span<const Opposites> opposites() {
  return kOpposites;
}

std::span<const Opposites> sides() {
  return kSides;
}

}  // namespace awry::agents
