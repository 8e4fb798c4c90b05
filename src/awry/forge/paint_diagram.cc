// SPDX-License-Identifier: Apache-2.0
// How a study went, as boxes and arrows: recruited, excluded, divided into arms, analysed. The numbers in the
// boxes add up.
#include <fmt/format.h>

#include <algorithm>

#include "awry/forge/painters.h"
#include "awry/forge/sheet.h"

namespace awry::forge {
namespace {

struct Study {
  std::string_view subjects;
  std::string_view arms[3];
};
constexpr Study kStudies[] = {{"patients", {"Placebo", "Low dose", "High dose"}},
                              {"mice", {"Sham", "Model", "Treated"}},
                              {"cultures", {"Control", "Vector", "Knock-down"}},
                              {"volunteers", {"Rest", "Walking", "Running"}}};

struct Palette {
  cv::Scalar top, arm, end, edge;
};
const Palette kPalettes[] = {{{222, 235, 247}, {198, 219, 239}, {158, 202, 225}, {49, 84, 130}},
                             {{237, 248, 233}, {199, 233, 192}, {161, 217, 155}, {35, 110, 60}},
                             {{254, 237, 222}, {253, 208, 162}, {253, 174, 107}, {140, 70, 20}},
                             {{245, 245, 245}, {228, 228, 228}, {208, 208, 208}, {50, 50, 50}}};

struct Flow {
  int screened = 0, excluded = 0, included = 0;
  std::vector<int> allocated, lost;
};

Flow invent_flow(std::size_t arms, RandomStream random) {
  Flow flow;
  for (std::size_t i = 0; i < arms; ++i) {
    flow.allocated.push_back(random.integer(18, 90));
    flow.lost.push_back(random.integer(1, std::max(2, flow.allocated.back() / 8)));
    flow.included += flow.allocated.back();
  }
  flow.excluded = random.integer(5, 60);
  flow.screened = flow.included + flow.excluded;
  return flow;
}

class DiagramArtist {
 public:
  DiagramArtist(int width, int height, const Palette& palette, RandomStream style)
      : sheet_(width, height),
        palette_(palette),
        letter_(std::clamp(std::min(width, height) / 30.0, 3.0, 16.0)),
        corner_(style.chance(0.5) ? letter_ * 0.9 : 0) {}

  cv::Rect2d place(double centre_x, double centre_y, double width, double height) const {
    return {(centre_x - width / 2) * sheet_.width(), (centre_y - height / 2) * sheet_.height(),
            width * sheet_.width(), height * sheet_.height()};
  }
  void box(const cv::Rect2d& where, const cv::Scalar& filling, std::initializer_list<std::string> lines) {
    sheet_.box(where, corner_, filling, palette_.edge, letter_ / 8);
    const double pitch = letter_ * 1.7;
    double y = where.y + where.height / 2 - pitch * (static_cast<double>(lines.size()) - 1) / 2 + letter_ / 2;
    for (const std::string& text : lines) {
      sheet_.write(text, {where.x + where.width / 2, y},
                   {.height_px = letter_, .colour = {25, 25, 25}, .anchor = Anchor::kCentre},
                   where.width * 0.92);
      y += pitch;
    }
  }
  void arrow(cv::Point2d from, cv::Point2d to) {
    sheet_.arrow(from, to, palette_.edge, letter_ / 7, letter_ * 0.9);
  }
  void line(cv::Point2d from, cv::Point2d to) { sheet_.line(from, to, palette_.edge, letter_ / 7); }
  const Palette& palette() const { return palette_; }
  Painted take() { return sheet_.take(); }

 private:
  Sheet sheet_;
  const Palette& palette_;
  double letter_, corner_;
};

cv::Point2d below(const cv::Rect2d& box) {
  return {box.x + box.width / 2, box.y + box.height};
}
cv::Point2d above(const cv::Rect2d& box) {
  return {box.x + box.width / 2, box.y};
}

void describe(Painted& painted, const Study& study, const Flow& flow) {
  painted.facts = {{"screened", static_cast<double>(flow.screened), ""},
                   {"excluded", static_cast<double>(flow.excluded), ""},
                   {"included", static_cast<double>(flow.included), ""},
                   {"arms", static_cast<double>(flow.allocated.size()), ""}};
  painted.caption =
      fmt::format("Flow of {} through the study with {} arms.", study.subjects, flow.allocated.size());
  painted.sentences = {fmt::format("Of {} {} screened, {} were excluded; {} entered the study.",
                                   flow.screened, study.subjects, flow.excluded, flow.included)};
  for (std::size_t i = 0; i < flow.allocated.size(); ++i) {
    const int analysed = flow.allocated[i] - flow.lost[i];
    painted.sentences.push_back(fmt::format("In the {} arm, {} {} were lost, which left {} for the analysis.",
                                            study.arms[i], flow.lost[i], study.subjects, analysed));
    painted.facts.push_back(
        {fmt::format("{}/allocated", study.arms[i]), static_cast<double>(flow.allocated[i]), ""});
    painted.facts.push_back({fmt::format("{}/lost", study.arms[i]), static_cast<double>(flow.lost[i]), ""});
    painted.facts.push_back({fmt::format("{}/analysed", study.arms[i]), static_cast<double>(analysed), ""});
  }
}

}  // namespace

Painted paint_diagram(int width, int height, RandomStream random, RandomStream style) {
  const Study& study = random.pick(std::span(kStudies));
  const std::size_t arms = static_cast<std::size_t>(random.integer(2, 3));
  const Flow flow = invent_flow(arms, random.fork("flow"));
  DiagramArtist artist(width, height, style.pick(std::span(kPalettes)), style.fork("boxes"));

  const double middle = 0.40;
  const cv::Rect2d screened = artist.place(middle, 0.10, 0.44, 0.13);
  const cv::Rect2d excluded = artist.place(0.82, 0.255, 0.30, 0.12);
  const cv::Rect2d included = artist.place(middle, 0.40, 0.44, 0.13);
  artist.arrow(below(screened), above(included));
  const cv::Point2d fork_off(below(screened).x, excluded.y + excluded.height / 2);
  artist.arrow(fork_off, {excluded.x, fork_off.y});
  artist.box(screened, artist.palette().top, {"Screened", fmt::format("n = {}", flow.screened)});
  artist.box(excluded, {255, 255, 255}, {"Excluded", fmt::format("n = {}", flow.excluded)});
  artist.box(included, artist.palette().top, {"Included", fmt::format("n = {}", flow.included)});

  const double share = 0.94 / static_cast<double>(arms);
  const double rail = 0.52 * height;
  artist.line(below(included), {below(included).x, rail});
  for (std::size_t i = 0; i < arms; ++i) {
    const double centre = 0.03 + share * (static_cast<double>(i) + 0.5);
    const cv::Rect2d arm = artist.place(centre, 0.655, share * 0.88, 0.14);
    const cv::Rect2d end = artist.place(centre, 0.90, share * 0.88, 0.14);
    artist.line({below(included).x, rail}, {above(arm).x, rail});
    artist.arrow({above(arm).x, rail}, above(arm));
    artist.arrow(below(arm), above(end));
    artist.box(arm, artist.palette().arm,
               {std::string(study.arms[i]), fmt::format("n = {}", flow.allocated[i])});
    artist.box(end, artist.palette().end,
               {fmt::format("Lost: {}", flow.lost[i]),
                fmt::format("Analysed: {}", flow.allocated[i] - flow.lost[i])});
  }
  Painted painted = artist.take();
  describe(painted, study, flow);
  return painted;
}

}  // namespace awry::forge
