// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/evidence_check.h"

#include <gtest/gtest.h>

namespace awry::pipeline {
namespace {

using agents::EvidenceVerdict;

agents::ImageAnnotation with_claims(const std::vector<std::string>& phenomena) {
  agents::ImageAnnotation annotation;
  for (const std::string& phenomenon : phenomena) {
    agents::Anomaly anomaly;
    anomaly.finding.phenomenon = phenomenon;
    annotation.anomalies.push_back(std::move(anomaly));
  }
  return annotation;
}

TEST(EvidenceCheck, MarksEachClaimByWhatTheDetectorsFind) {
  agents::ImageAnnotation annotation =
      with_claims({"The same cell is duplicated at two places", "The shop sign carries garbled letters",
                   "The hand has six fingers", "The head looks pasted onto the body"});
  inspectors::Inspection inspection;
  compare_with(inspection, annotation);
  EXPECT_EQ(annotation.anomalies[0].evidence, EvidenceVerdict::kUnsupported);
  EXPECT_EQ(annotation.anomalies[1].evidence, EvidenceVerdict::kNotTestable);
  EXPECT_EQ(annotation.anomalies[2].evidence, EvidenceVerdict::kNotTestable);
  EXPECT_EQ(annotation.anomalies[3].evidence, EvidenceVerdict::kUnsupported);
  inspection.findings.push_back({.type = "copy_move", .by = {.name = "forensics/copy_move"}});
  compare_with(inspection, annotation);
  EXPECT_EQ(annotation.anomalies[0].evidence, EvidenceVerdict::kSupported);
  EXPECT_EQ(annotation.anomalies[2].evidence, EvidenceVerdict::kNotTestable);
}

TEST(EvidenceCheck, WhatCouldNotBeDecidedIsNotTestable) {
  agents::ImageAnnotation annotation = with_claims({"a cloned face"});
  inspectors::Inspection inspection;
  inspection.undecided = {"copy_move"};
  compare_with(inspection, annotation);
  EXPECT_EQ(annotation.anomalies[0].evidence, EvidenceVerdict::kNotTestable);
}

}  // namespace
}  // namespace awry::pipeline
