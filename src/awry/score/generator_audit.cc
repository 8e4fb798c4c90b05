// SPDX-License-Identifier: Apache-2.0
#include "awry/score/generator_audit.h"

#include <fmt/format.h>

namespace awry::score {
namespace {

struct Means {
  double mai = 0, af = 0;
  double cap() const { return mai * af; }
};

}  // namespace

Result<ImageAudit> audit_image(const AuditedImage& image) {
  ImageAudit audit{.anomalies = image.severities.size()};
  for (std::size_t i = 0; i < image.severities.size(); ++i) {
    const auto& severity = image.severities[i];
    if (!severity) {
      ++audit.unrated;
      continue;
    }
    if (!(*severity >= 0 && *severity <= 100)) {  // true for NaN as well
      return fail({.what = "cannot audit an image",
                   .why = fmt::format("the severity of anomaly {} is {}, not 0 to 100", i + 1, *severity)});
    }
    audit.implausibility += 1 - *severity / 100;
  }
  return audit;
}

Result<GeneratorAudit> audit_generator(std::span<const AuditedImage> images,
                                       const BootstrapOptions& options) {
  if (images.empty()) return fail({.what = "cannot audit a generator", .why = "there are no images of it"});
  GeneratorAudit result{.images = images.size()};
  std::vector<double> implausibility, anomalies;
  implausibility.reserve(images.size()), anomalies.reserve(images.size());
  for (const AuditedImage& image : images) {
    AWRY_TRY_ASSIGN(const ImageAudit audit, audit_image(image));
    implausibility.push_back(audit.implausibility);
    anomalies.push_back(static_cast<double>(audit.anomalies));
    result.anomalies += audit.anomalies;
    result.unrated += audit.unrated;
  }

  const auto means_of = [&](std::span<const std::uint32_t> drawn) {
    Means means;
    for (const std::uint32_t i : drawn) means.mai += implausibility[i], means.af += anomalies[i];
    const auto count = static_cast<double>(drawn.size());
    return Means{means.mai / count, means.af / count};
  };
  std::vector<std::uint32_t> all(images.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i);
  const Means means = means_of(all);
  result.mai.value = means.mai;
  result.af.value = means.af;
  result.cap.value = means.cap();
  if (result.unrated > 0) {
    const double worst = means.mai + static_cast<double>(result.unrated) / static_cast<double>(images.size());
    result.mai.unrated = Interval{means.mai, worst, 1.0};
    result.cap.unrated = Interval{means.cap(), worst * means.af, 1.0};
  }
  if (options.resamples > 0) {
    AWRY_TRY_ASSIGN(const BootstrapEstimate mai, bootstrap_mean(implausibility, options));
    AWRY_TRY_ASSIGN(const BootstrapEstimate af, bootstrap_mean(anomalies, options));
    AWRY_TRY_ASSIGN(
        const BootstrapEstimate cap,
        bootstrap(
            images.size(), [&](std::span<const std::uint32_t> drawn) { return means_of(drawn).cap(); },
            options));
    result.mai.interval = mai.interval;
    result.af.interval = af.interval;
    result.cap.interval = cap.interval;
  }
  return result;
}

}  // namespace awry::score
