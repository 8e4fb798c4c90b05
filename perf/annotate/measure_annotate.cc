// SPDX-License-Identifier: Apache-2.0
// measure_annotate IMAGES ALLOWED: annotates that many images of eight objects each against a server that
// takes 20 ms for every reply, with ALLOWED requests at once, and prints one line of JSON.
//
// The share in flight is counted where it is hardest: at the server, which has a request for exactly its 20
// ms. What the client needs between a reply and the next request, storing and parsing included, counts as
// loss.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/imaging/encode.h"
#include "awry/inspectors/vlm/testing/scripts.h"
#include "awry/pipeline/annotate_images.h"

namespace {

using namespace awry;
using namespace awry::inspectors::vlm::testing;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto kLatency = 20ms;
constexpr int kObjects = 8;

// Stages that see no image would ask the same of every image and find the reply in the cache; names of their
// own keep all calls real.
std::string objects_for(const std::string& body) {
  const std::string mark = std::to_string(stable_hash64(body.substr(0, body.find("\"text\""))));
  std::string lines;
  for (int i = 1; i <= kObjects; ++i) {
    lines += fmt::format("#Thing {0} of {1}#: kind{0}a kind{0}b kind{0}c in {1}\\n", i, mark);
  }
  return lines;
}

std::string flaw_with(std::string_view sources) {
  return fmt::format(
      "1. Name: Edge\\nObserved Phenomenon: its edge ends in the air\\nReasoning: edges have ends\\n"
      "Severity Score: 20/100\\nSources: {}",
      sources);
}

// Replies are JSON strings already escaped: the server shares the machine and should cost little.
std::string reply_to(const std::string& body) {
  const auto says = [&](std::string_view words) { return body.find(words) != std::string::npos; };
  if (says("#Name#")) return objects_for(body);
  if (says("Look only at this one thing") || says("Look at how ")) return "Its edge ends in the air.";
  if (says("These flaws were noted for ")) return flaw_with("A1, R1");
  if (says("examined thing by thing")) return flaw_with("F1");
  return flaw_with("C1");
}

std::vector<Sample> make_images(const std::filesystem::path& folder, int count) {
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) {
    imaging::Image image(8, 8, 1);
    for (std::size_t bit = 0; bit < 32; ++bit) image.pixels[bit] = (i >> bit) & 1 ? 255 : 0;
    const std::string path = (folder / fmt::format("{:05}.png", i)).string();
    if (!imaging::write_image(path, image)) std::abort();
    samples.push_back({.id = path, .images = {{.path = path}}});
  }
  return samples;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: measure_annotate IMAGES ALLOWED\n");
    return 2;
  }
  const int images = std::atoi(argv[1]), allowed = std::atoi(argv[2]);
  const TemporaryFolder folder;
  const ScriptedServer server([](const ReceivedRequest& request) {
    ScriptedReply reply{
        .body = R"({"choices":[{"message":{"content":")" + reply_to(request.body) +
                R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":900,"completion_tokens":60}})"};
    reply.latency = kLatency;
    return reply;
  });
  pipeline::AnnotateOptions options{.samples = make_images(folder.path(), images),
                                    .model = "openai:scripted",
                                    .style = agents::ReplyStyle::kPlain,
                                    .runs_folder = folder.path() / "runs",
                                    .threads = 2};
  options.endpoint.endpoints.base_urls = {server.base_url()};
  options.endpoint.client.pacing.max_concurrency = allowed;
  const auto start = steady_clock::now();
  const Result<pipeline::AnnotateResult> result = pipeline::annotate_images(options);
  const double seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().message());
    return 1;
  }
  const auto requests = static_cast<double>(server.counts().requests);
  const double in_flight = requests * std::chrono::duration<double>(kLatency).count() / seconds;
  fmt::print(
      "{{\"images\": {}, \"objects\": {}, \"anomalies\": {}, \"failed\": {}, \"requests\": {}, "
      "\"seconds\": {:.2f}, \"in_flight\": {:.2f}, \"share\": {:.4f}, \"requests_per_second\": {:.1f}}}\n",
      result->images, result->objects, result->anomalies, result->failed + result->incomplete,
      server.counts().requests, seconds, in_flight, in_flight / allowed, requests / seconds);
}
