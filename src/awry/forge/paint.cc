// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/paint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <opencv2/core.hpp>

#include "awry/forge/painters.h"

namespace awry::forge {
namespace {

struct Painter {
  PanelKind kind;
  std::string_view name, scenario;
  Painted (*paint)(int width, int height, RandomStream random, RandomStream style);
};

constexpr Painter kPainters[] = {
    {PanelKind::kMicrograph, "micrograph", "Micrograph", paint_micrograph},
    {PanelKind::kStainedMicrograph, "stained_micrograph", "Stained Micrograph", paint_stained_micrograph},
    {PanelKind::kBlot, "blot", "Others", paint_blot},
    {PanelKind::kChart, "chart", "Chart", paint_chart},
    {PanelKind::kMedicalScan, "medical_scan", "Medical Imaging", paint_medical_scan},
    {PanelKind::kDiagram, "diagram", "Diagram", paint_diagram},
    {PanelKind::kPhysicalObject, "physical_object", "Physical Object", paint_physical_object},
    {PanelKind::kTable, "table", "Others", paint_table},
    {PanelKind::kScreenshot, "screenshot", "Others", paint_screenshot},
    {PanelKind::kScatterPlot, "scatter_plot", "Chart", paint_scatter_plot},
};

const Painter& painter_of(PanelKind kind) {
  for (const Painter& painter : kPainters) {
    if (painter.kind == kind) return painter;
  }
  std::abort();  // every enumerator has its line above
}

}  // namespace

std::string_view name_of(PanelKind kind) {
  return painter_of(kind).name;
}

bool is_drawn(PanelKind kind) {
  return kind == PanelKind::kChart || kind == PanelKind::kDiagram || kind == PanelKind::kTable ||
         kind == PanelKind::kScreenshot || kind == PanelKind::kScatterPlot;
}

std::string_view scenario_of(PanelKind kind) {
  return painter_of(kind).scenario;
}

std::optional<PanelKind> panel_kind_named(std::string_view name) {
  for (const Painter& painter : kPainters) {
    if (painter.name == name) return painter.kind;
  }
  return std::nullopt;
}

Result<Painted> paint_panel(PanelKind kind, int width, int height, RandomStream random,
                            std::optional<RandomStream> style) {
  if (std::min(width, height) < kMinPanelSide || std::max(width, height) > kMaxPanelSide) {
    return fail({.kind = ErrorKind::kLimit,
                 .what = fmt::format("cannot paint a {} of {}x{} pixels", name_of(kind), width, height),
                 .why = fmt::format("sides must lie between {} and {}", kMinPanelSide, kMaxPanelSide)});
  }
  try {
    Painted painted = painter_of(kind).paint(width, height, random.fork(name_of(kind)),
                                             style.value_or(random.fork("style")));
    painted.kind = kind;
    return painted;
  } catch (const cv::Exception& error) {
    return fail({.what = fmt::format("cannot paint a {}", name_of(kind)), .why = error.what()});
  }
}

}  // namespace awry::forge
