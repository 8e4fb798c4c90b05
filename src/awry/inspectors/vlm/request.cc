// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/request.h"

#include <fmt/format.h>

#include "awry/base/json.h"

namespace awry::inspectors::vlm {
namespace {

std::string json_string(std::string_view text) {
  return dump_json(Json(text));
}

// Written by hand rather than through a JSON tree: that would copy and scan megabytes of base64.
void append_part(std::string& out, const Part& part) {
  if (part.picture == nullptr) {
    out += R"({"type":"text","text":)" + json_string(part.text) + '}';
    return;
  }
  out += R"({"type":"image_url","image_url":{"url":")";
  append_data_url(out, *part.picture);
  out += R"("}})";
}

void append_turn(std::string& out, const Turn& turn) {
  out += R"({"role":)" + json_string(turn.role) + R"(,"content":)";
  // Many servers take lists of parts only from users, so plain text stays plain.
  if (turn.parts.size() == 1 && turn.parts.front().picture == nullptr) {
    out += json_string(turn.parts.front().text) + '}';
    return;
  }
  out += '[';
  for (std::size_t i = 0; i < turn.parts.size(); ++i) {
    if (i > 0) out += ',';
    append_part(out, turn.parts[i]);
  }
  out += "]}";
}

std::size_t expected_size(const ChatRequest& request) {
  std::size_t size = 512;
  for (const Turn& turn : request.turns) {
    for (const Part& part : turn.parts) {
      size += 128 + part.text.size() + (part.picture ? part.picture->bytes.size() / 3 * 4 : 0);
    }
  }
  return size;
}

}  // namespace

ModelArgs args_for(const Question& question, ModelArgs args) {
  const auto& wishes = question.attributes;
  if (const auto warmth = wishes.find("temperature"); warmth != wishes.end()) {
    args.values[warmth->first] = warmth->second;
  }
  if (const auto form = wishes.find("response_format"); form != wishes.end()) {
    args.values.emplace(form->first, form->second);
  }
  return args;
}

Result<ChatRequest> make_chat_request(const Sample& sample, const Question& question, std::string model,
                                      const ModelArgs& args, const PictureLimits& limits) {
  ChatRequest request{.question_id = question.id,
                      .model = std::move(model),
                      .turns = {Turn{}},
                      .args = args_for(question, args)};
  for (const int index : question.images) {
    if (index < 0 || static_cast<std::size_t>(index) >= sample.images.size()) {
      return fail({.what = "cannot ask about image",
                   .input = fmt::format("{} #{}", sample.id, index),
                   .why = fmt::format("the sample has {} images", sample.images.size())});
    }
    AWRY_TRY_ASSIGN(Picture picture,
                    load_picture(sample.images[static_cast<std::size_t>(index)].path, limits));
    request.turns.front().parts.push_back({.picture = std::make_shared<const Picture>(std::move(picture))});
  }
  for (const EarlierTurn& turn : question.earlier) {
    request.turns.back().parts.push_back({.text = turn.prompt});
    request.turns.push_back({.role = "assistant", .parts = {{.text = turn.reply}}});
    request.turns.push_back({});
  }
  request.turns.back().parts.push_back({.text = question.prompt});
  return request;
}

ChatBody write_chat_body(const ChatRequest& request) {
  ChatBody body;
  body.json.reserve(expected_size(request));
  body.json += R"({"model":)" + json_string(request.model) + R"(,"messages":[)";
  for (std::size_t i = 0; i < request.turns.size(); ++i) {
    if (i > 0) body.json += ',';
    append_turn(body.json, request.turns[i]);
  }
  body.json += ']';
  body.args_at = body.json.size();
  body.replace_args(request.args);
  return body;
}

void ChatBody::replace_args(const ModelArgs& args) {
  json.resize(args_at);
  for (const auto& [name, value] : args.values) json += ',' + json_string(name) + ':' + value;
  json += '}';
}

}  // namespace awry::inspectors::vlm
