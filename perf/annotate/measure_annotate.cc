// SPDX-License-Identifier: Apache-2.0
// measure_annotate IMAGES ALLOWED: annotates that many images of eight objects each against a server that
// takes 20 ms for every reply, with ALLOWED requests at once, and prints one line of JSON.
//
// The share in flight is counted where it is hardest: at the server, which has a request from its arrival
// until the reply is sent. What the client needs between a reply and the next request, storing and parsing
// included, counts as loss, and so do ramp-up and the last image's end.
//
// Beside it stands the share of the bare client, which is handed as many ready questions at once: what it
// loses is lost to HTTP and to whatever else the machine does, and no stage machine can keep more in flight.
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
#include "awry/inspectors/vlm/client.h"
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

// Answers after 20 ms and remembers when the asking began and ended.
class TimedServer {
  steady_clock::time_point first_, last_;  // before the server, whose thread writes them

 public:
  ScriptedServer server{[this](const ReceivedRequest& request) {
    if (first_ == steady_clock::time_point{}) first_ = request.arrived;
    last_ = request.arrived;
    ScriptedReply reply{
        .body = R"({"choices":[{"message":{"content":")" + reply_to(request.body) +
                R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":900,"completion_tokens":60}})"};
    reply.latency = kLatency;
    return reply;
  }};

  // Once all is answered.
  double asking_seconds() const { return std::chrono::duration<double>(last_ + kLatency - first_).count(); }
  double in_flight() const { return server.counts().held_seconds / asking_seconds(); }
  double least_in_flight() const {  // as if every request had been held for 20 ms and not a moment longer
    return static_cast<double>(server.counts().requests) * std::chrono::duration<double>(kLatency).count() /
           asking_seconds();
  }
};

// Of a client that is handed ready questions.
double bare_in_flight(std::size_t questions, int allowed) {
  const TimedServer timed;
  inspectors::vlm::ClientOptions options;
  options.pacing.max_concurrency = allowed;
  inspectors::vlm::ChatClient client({{.base_url = timed.server.base_url()}}, options);
  const std::string prompt(1500, 'x');  // about as long as those of the stages
  for (std::size_t i = 0; i < questions; ++i) {
    inspectors::vlm::Turn turn;
    turn.parts.push_back({.text = prompt + std::to_string(i)});
    client.ask({.question_id = std::to_string(i), .model = "scripted", .turns = {turn}}, [](const Reply&) {});
  }
  client.drain();
  return timed.in_flight();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: measure_annotate IMAGES ALLOWED\n");
    return 2;
  }
  const int images = std::atoi(argv[1]), allowed = std::atoi(argv[2]);
  const TemporaryFolder folder;
  const TimedServer timed;
  pipeline::AnnotateOptions options{.samples = make_images(folder.path(), images),
                                    .model = "openai:scripted",
                                    .style = agents::ReplyStyle::kPlain,
                                    .runs_folder = folder.path() / "runs",
                                    .threads = 2};
  options.endpoint.endpoints.base_urls = {timed.server.base_url()};
  options.endpoint.client.pacing.max_concurrency = allowed;
  const auto start = steady_clock::now();
  const Result<pipeline::AnnotateResult> result = pipeline::annotate_images(options);
  const double seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().message());
    return 1;
  }
  const std::size_t requests = timed.server.counts().requests;
  const double in_flight = timed.in_flight();
  const double bare = bare_in_flight(std::min<std::size_t>(requests, 10'000), allowed);
  fmt::print(
      "{{\"images\": {}, \"objects\": {}, \"anomalies\": {}, \"failed\": {}, \"requests\": {}, "
      "\"seconds\": {:.2f}, \"asking_seconds\": {:.2f}, \"in_flight\": {:.2f}, \"share\": {:.4f}, "
      "\"nominal_share\": {:.4f}, \"bare_share\": {:.4f}, \"requests_per_second\": {:.1f}}}\n",
      result->images, result->objects, result->anomalies, result->failed + result->incomplete, requests,
      seconds, timed.asking_seconds(), in_flight, in_flight / allowed, timed.least_in_flight() / allowed,
      bare / allowed, static_cast<double>(requests) / timed.asking_seconds());
}
