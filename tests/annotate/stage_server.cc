// SPDX-License-Identifier: Apache-2.0
// stage_server NOISE LATENCY_MS [NOTES]: a chat endpoint that plays the model behind `awry annotate`. It
// prints its base URL on the first line, serves until its standard input is closed, and then prints its
// counts as JSON. The file NOTES gets a line for every request when it arrives: what was asked, as a number.
//
// What it says depends on nothing but the request, so that two runs meet the same model; NOISE is the share
// of replies that are spoilt: numbered differently, starred, lacking fields, cut off, doubled, wrapped in
// prose, refused or unreadable. A question asked again after a complaint is always answered well.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/base/random.h"
#include "awry/base/text.h"
#include "awry/inspectors/vlm/testing/scripts.h"

namespace {

using namespace awry;
using namespace awry::inspectors::vlm::testing;

struct Asked {
  std::string first_prompt, prompt;  // of the conversation, and of its last turn
  std::string picture;
  bool again = false;
};

std::string text_of(const Json& content, std::string* picture) {
  if (content.is_string()) return content.get<std::string>();
  std::string text;
  for (const Json& part : content) {
    if (part.value("type", "") == "text") text += part["text"].get<std::string>();
    if (part.contains("image_url") && picture != nullptr)
      *picture = part["image_url"]["url"].get<std::string>();
  }
  return text;
}

Asked read(const ReceivedRequest& request) {
  Asked asked;
  const Result<Json> body = parse_json(request.body, "request");
  if (!body) return asked;
  const Json& messages = (*body)["messages"];
  asked.first_prompt = text_of(messages.front()["content"], &asked.picture);
  asked.prompt = text_of(messages.back()["content"], nullptr);
  asked.again = messages.size() > 1;
  return asked;
}

struct Item {
  std::string name, phenomenon, reasoning, sources;
};

constexpr std::array<std::string_view, 8> kThings = {"Woman in red", "Boy",  "Wooden chair", "Guitar",
                                                     "Dog",          "Lamp", "Table",        "Street sign"};
constexpr std::array<std::string_view, 6> kFlaws = {
    "has six fingers on the left hand although a human hand has five",
    "hovers above the floor and nothing carries its weight",
    "merges with the wall so that its outline ends in the bricks",
    "throws a shadow towards the lamp that lights it",
    "carries letters that form no word of any language",
    "repeats the same pattern at two places where it should vary"};

// Which pictures have which things, and what is wrong with them: decided by the picture's bytes, so that the
// truth of a test can be written down from the same rule.
std::vector<std::string> things_in(const std::string& picture) {
  RandomStream random = RandomStream(7).fork(picture);
  std::vector<std::string> things;
  for (const std::size_t i : random.sample(kThings.size(), 3 + random.below(3)))
    things.emplace_back(kThings[i]);
  return things;
}

std::string_view flaw_of(std::string_view thing, std::string_view aspect) {
  return kFlaws[stable_hash64(fmt::format("{}/{}", thing, aspect)) % kFlaws.size()];
}

// Answers in the plain form or in JSON, whichever the prompt asks for.
std::string list_of(const std::vector<Item>& items, bool json, bool rated) {
  if (json) {
    Json list = Json::array();
    for (const Item& item : items) {
      Json one = {{"name", item.name}, {"phenomenon", item.phenomenon}, {"reasoning", item.reasoning}};
      if (rated) one["severity"] = 10 + item.name.size() % 40;
      if (!item.sources.empty()) one["sources"] = item.sources;
      list.push_back(std::move(one));
    }
    return dump_json({{"anomalies", list}});
  }
  if (items.empty()) return "No anomalies.";
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    text += fmt::format("{}. Name: {}\nObserved Phenomenon: {}\nReasoning: {}\n", i + 1, item.name,
                        item.phenomenon, item.reasoning);
    if (rated) text += fmt::format("Severity Score: {}/100\n", 10 + item.name.size() % 40);
    if (!item.sources.empty()) text += fmt::format("Sources: {}\n", item.sources);
    text += '\n';
  }
  return text;
}

// The words between two marks of our prompts.
std::string between(std::string_view text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string_view::npos) return "";
  const std::size_t start = begin + from.size();
  return std::string(trim(text.substr(start, text.find(to, start) - start)));
}

// "A1. name: phenomenon Why: reasoning" lines back into items that name their mark.
std::vector<Item> given_in(std::string_view prompt) {
  std::vector<Item> items;
  for (const std::string_view line : split_lines(prompt)) {
    const std::size_t dot = line.find(". ");
    const std::size_t colon = line.find(": ");
    const std::size_t why = line.find(" Why: ");
    if (dot == std::string_view::npos || dot > 4 || colon == std::string_view::npos || colon < dot) continue;
    if (line[0] < 'A' || line[0] > 'Z' || why == std::string_view::npos) continue;
    items.push_back({std::string(line.substr(dot + 2, colon - dot - 2)),
                     std::string(line.substr(colon + 2, why - colon - 2)), std::string(line.substr(why + 6)),
                     std::string(line.substr(0, dot))});
  }
  return items;
}

std::string answer(const Asked& asked) {
  const std::string& prompt = asked.first_prompt;
  const auto says = [&](std::string_view words) { return prompt.find(words) != std::string::npos; };
  const bool json = asked.prompt.find("Answer with JSON") != std::string::npos;
  if (says("<VERDICT>")) {
    return stable_hash64(asked.picture) % 2 == 0 ? "<VERDICT>generated</VERDICT>" : "<VERDICT>real</VERDICT>";
  }
  if (says("#Name#") || says("\"objects\"")) {
    Json objects = Json::array();
    std::string lines;
    for (const std::string& thing : things_in(asked.picture)) {
      const std::string description =
          fmt::format("a {} that stands in the middle of the room", to_lower_ascii(thing));
      objects.push_back({{"name", thing}, {"description", description}});
      lines += fmt::format("#{}#: {}\n", thing, description);
    }
    return json ? dump_json({{"objects", objects}}) : lines;
  }
  if (says("Look only at this one thing"))
    return "It " + std::string(flaw_of(between(prompt, "image: ", "\n"), "self"));
  if (says("Look at how "))
    return "It " + std::string(flaw_of(between(prompt, "Look at how ", " relates"), "others"));
  if (says("Somebody examined ") || says("Somebody studied how ")) {
    const bool self = says("Somebody examined ");
    const std::string thing = self ? between(prompt, "Somebody examined ", " in this image")
                                   : between(prompt, "studied how ", " relates");
    const std::string flaw(flaw_of(thing, self ? "self" : "others"));
    return list_of(
        {{thing + (self ? " by itself" : " among others"), "The " + to_lower_ascii(thing) + " " + flaw,
          "Nothing in nature or in daily life would let the " + to_lower_ascii(thing) + " do so", ""}},
        json, false);
  }
  if (says("These flaws were noted for ") || says("These flaws concern "))
    return list_of(given_in(prompt), json, false);
  if (says("examined thing by thing")) return list_of(given_in(prompt), json, true);
  return "I do not know.";
}

std::string starred(std::string text) {
  for (const std::string_view field : {"Name:", "Observed Phenomenon:", "Reasoning:", "Severity Score:"}) {
    text = replace_all(text, field, fmt::format("**{}**:", field.substr(0, field.size() - 1)));
  }
  return text;
}

ScriptedReply spoilt(const std::string& good, RandomStream random) {
  switch (random.below(8)) {
    case 0:
      return completion(starred(good));
    case 1:
      return completion("Certainly! Here is what I found:\n\n```\n" + good +
                        "\n```\nLet me know if you need more.");
    case 2:
      return completion(good.substr(0, good.size() / 2), "length");
    case 3:
      return completion(replace_all(replace_all(good, "Reasoning:", "Explanation:"), "1. Name", "@1) Name"));
    case 4:
      return completion("<think>Let me see. There are hands and chairs.</think>\n" + good);
    case 5:
      return completion("The picture is lovely and everything about it is as it should be, or is it");
    case 6:
      return completion("");
    default: {
      const Json body = {
          {"choices",
           {{{"message",
              {{"role", "assistant"}, {"content", nullptr}, {"refusal", "I cannot help with that."}}},
             {"finish_reason", "stop"}}}},
          {"usage", {{"prompt_tokens", 90}, {"completion_tokens", 6}}}};
      return {.body = dump_json(body), .counts_as_reply = true};
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fputs("usage: stage_server NOISE LATENCY_MS [NOTES]\n", stderr);
    return 2;
  }
  const double noise = std::atof(argv[1]);
  const std::chrono::milliseconds latency(std::atoi(argv[2]));
  std::ofstream notes;
  if (argc == 4) notes.open(argv[3], std::ios::app);
  const ScriptedServer server([noise, latency, &notes](const ReceivedRequest& request) {
    if (notes.is_open()) notes << stable_hash64(request.body) << std::endl;
    if (noise < 0 && request.body.find("\"response_format\"") != std::string::npos) {
      return ScriptedReply{.status = 400,
                           .body = R"({"error":{"message":"unknown parameter: response_format"}})"};
    }
    const Asked asked = read(request);
    const std::string good = answer(asked);
    RandomStream random = RandomStream(2026).fork(asked.first_prompt).fork(asked.picture);
    ScriptedReply reply =
        !asked.again && random.chance(noise) ? spoilt(good, random.fork("how")) : completion(good);
    reply.latency = latency;
    return reply;
  });
  std::printf("%s\n", server.base_url().c_str());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  std::printf("{\"requests\": %zu}\n", server.counts().requests);
}
