// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/image_request.h"

#include <utility>

#include "awry/base/base64.h"
#include "awry/base/json.h"
#include "awry/base/text.h"

namespace awry::inspectors::vlm {
namespace {

std::string text_field(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

long long count_field(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_integer() ? found->get<long long>() : 0;
}

}  // namespace

PostRequest make_image_request(std::string question_id, std::string model, std::string_view prompt,
                               const ModelArgs& args) {
  PostRequest request{.question_id = std::move(question_id),
                      .model = std::move(model),
                      .path = std::string(kImagesPath),
                      .read = read_image_response};
  Json body = {{"model", request.model}, {"prompt", prompt}, {"n", 1}};
  std::string json = dump_json(body);
  json.pop_back();
  request.body.json = std::move(json);
  request.body.args_at = request.body.json.size();
  request.body.replace_args(args);
  return request;
}

Reading read_image_response(const HttpResponse& response) {
  if (response.fault != Fault::kNone || response.status / 100 != 2) return read_response(response);
  const Result<Json> body = parse_json(response.body, "reply");
  const bool has_data = body && body->is_object() && body->contains("data") && (*body)["data"].is_array() &&
                        !(*body)["data"].empty() && (*body)["data"].front().is_object();
  if (!has_data) {
    if (body && body->is_object() && body->contains("error")) return read_response(response);
    return {
        .reply = {.outcome = Outcome::kTransport,
                  .error = "the endpoint sent no picture, but: " + shorten(repair_utf8(response.body), 80)},
        .next = Next::kRetry};
  }
  Reading reading;
  reading.reply.text = dump_json((*body)["data"].front());
  reading.reply.returned_model = text_field(*body, "model");
  reading.reply.finish_reason = "stop";
  if (const auto usage = body->find("usage"); usage != body->end() && usage->is_object()) {
    reading.reply.usage = {.input_tokens = count_field(*usage, "input_tokens"),
                           .output_tokens = count_field(*usage, "output_tokens")};
  }
  return reading;
}

Result<Generated> read_generated(std::string_view reply_text) {
  const auto refuse = [](std::string why) {
    return fail({.what = "the endpoint sent no picture", .why = std::move(why)});
  };
  AWRY_TRY_ASSIGN(const Json data, parse_json(reply_text, "reply"));
  if (!data.is_object()) return refuse("its data is no object");
  Generated generated{.url = text_field(data, "url"), .revised_prompt = text_field(data, "revised_prompt")};
  std::string base64 = text_field(data, "b64_json");
  // Some servers put a data URL where an address belongs.
  if (constexpr std::string_view kMark = ";base64,"; generated.url.starts_with("data:")) {
    const std::size_t at = generated.url.find(kMark);
    if (at == std::string::npos) return refuse("its data URL is not base64");
    base64 = generated.url.substr(at + kMark.size());
    generated.url.clear();
  }
  if (!base64.empty()) {
    std::optional<std::string> bytes = decode_base64(base64);
    if (!bytes) return refuse("its b64_json is not base64");
    generated.bytes = std::move(*bytes);
    generated.url.clear();
    return generated;
  }
  if (generated.url.starts_with("http://") || generated.url.starts_with("https://")) return generated;
  return refuse("there is neither b64_json nor an address");
}

}  // namespace awry::inspectors::vlm
