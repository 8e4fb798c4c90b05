// SPDX-License-Identifier: Apache-2.0
// Painted panels: seeded pictures of the kinds found in scientific figures, with everything about them
// known. They are the sources that forgeries are planted in when no real images are at hand.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/random.h"
#include "awry/base/result.h"
#include "awry/imaging/image.h"
#include "awry/records/region.h"

namespace awry::forge {

enum class PanelKind {
  kMicrograph,         // fluorescence: cells in culture
  kStainedMicrograph,  // haematoxylin and eosin: tissue sections
  kBlot,               // western blots and agarose gels
  kChart,              // grouped bars or lines with error bars
  kMedicalScan,        // axial tomograms of head and chest
  kDiagram,            // boxes and arrows: how a study went
  kPhysicalObject,     // specimens beside a ruler, photographed from above
  kTable,              // of means and deviations
  kScreenshot,         // of a measuring program
  kScatterPlot,        // one quantity against another
};

inline constexpr std::array kAllPanelKinds = {
    PanelKind::kMicrograph,  PanelKind::kStainedMicrograph, PanelKind::kBlot,           PanelKind::kChart,
    PanelKind::kMedicalScan, PanelKind::kDiagram,           PanelKind::kPhysicalObject, PanelKind::kTable,
    PanelKind::kScreenshot,  PanelKind::kScatterPlot};

// Those full enough of content for every kind of forgery.
inline constexpr std::array kRichPanelKinds = {PanelKind::kMicrograph, PanelKind::kStainedMicrograph,
                                               PanelKind::kBlot, PanelKind::kChart, PanelKind::kMedicalScan};

std::string_view name_of(PanelKind kind);  // "stained_micrograph"
std::optional<PanelKind> panel_kind_named(std::string_view name);
std::string_view scenario_of(PanelKind kind);  // THEMIS's word for it: "Stained Micrograph"
bool is_drawn(PanelKind kind);  // ink on paper, without grain: charts, diagrams, tables, screenshots

// Something that is true of the picture: ("cells", 42, ""), ("scale_bar", 50, "um"), ("Control/Day 3", 1.62,
// "").
struct Fact {
  std::string name;
  double value = 0;
  std::string unit;
  bool operator==(const Fact&) const = default;
};

struct Painted {
  PanelKind kind = PanelKind::kMicrograph;
  imaging::Image image;                // RGB
  std::string caption;                 // every number in it is true of `facts`
  std::vector<std::string> sentences;  // what a paper's text would say of it; equally true
  std::vector<Fact> facts;
  std::vector<Box> annotations;        // scale bars, labels, axes: what a forger leaves alone
  std::vector<std::string> lettering;  // the words in the picture, as somebody reading it would find them
};

inline constexpr int kMinPanelSide = 64, kMaxPanelSide = 4096;

// The same kind, size and streams give the same pixels. `style` decides what the panels of one figure have in
// common (stains, magnification, body part, colours, layout); without it the panel has a style of its own.
// An error when a side is out of range.
Result<Painted> paint_panel(PanelKind kind, int width, int height, RandomStream random,
                            std::optional<RandomStream> style = std::nullopt);

}  // namespace awry::forge
