// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/evidence_check.h"

#include <gtest/gtest.h>

#include "awry/pipeline/text_claims.h"

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

TEST(EvidenceCheck, PlacesMatterWhereTheClaimNamesOne) {
  agents::ImageAnnotation annotation =
      with_claims({"The cell at [100, 100, 200, 200] is duplicated",
                   "The cell at [400, 400, 500, 500] is cloned", "One cell is a copy of another"});
  for (agents::Anomaly& anomaly : annotation.anomalies) {
    if (const auto box = place_in(anomaly.finding, 640, 640)) anomaly.finding.where = *box;
  }
  EXPECT_EQ(annotation.anomalies[0].finding.where, Where(Box{100, 100, 100, 100}));
  inspectors::Inspection inspection;
  inspection.findings.push_back(
      {.where = Box{100, 100, 100, 50}, .type = "copy_move", .by = {.name = "forensics/copy_move"}});
  compare_with(inspection, annotation);  // IoU 0.5, 0, and not known
  EXPECT_EQ(annotation.anomalies[0].evidence, EvidenceVerdict::kSupported);
  EXPECT_NE(annotation.anomalies[0].evidence_note.find("IoU 0.50"), std::string::npos);
  EXPECT_EQ(annotation.anomalies[1].evidence, EvidenceVerdict::kUnsupported);
  EXPECT_EQ(annotation.anomalies[2].evidence, EvidenceVerdict::kSupported);
  EXPECT_NE(annotation.anomalies[2].evidence_note.find("by kind only"), std::string::npos);
}

TEST(TextClaims, FindQuotationsOfEveryKind) {
  EXPECT_EQ(quoted_in("the sign reads 'COFEE' in red"), std::vector<std::string>{"COFEE"});
  EXPECT_EQ(quoted_in(R"(it says "OPEN NOW")"), std::vector<std::string>{"OPEN NOW"});
  EXPECT_EQ(quoted_in("«СТОП» and “halt”").size(), 2u);
  EXPECT_TRUE(quoted_in("the dog's collar carries letters that don't exist").empty());
  EXPECT_EQ(quoted_in("reads 'the dog's bowl'"), std::vector<std::string>{"the dog's bowl"});
  EXPECT_TRUE(quoted_in("an open \" quotation").empty());
}

TEST(TextClaims, AreComparedWithWhatCanBeRead) {
  const std::vector<reading::Word> words = {{.text = "COFEE", .confidence = 91},
                                            {.text = "House", .confidence = 88},
                                            {.text = "xq", .confidence = 12}};
  EXPECT_EQ(compare_quotes("the sign reads 'Cofee House'", words).verdict, EvidenceVerdict::kSupported);
  EXPECT_EQ(compare_quotes("the sign reads 'Bakery'", words).verdict, EvidenceVerdict::kUnsupported);
  EXPECT_EQ(compare_quotes("the sign reads 'House of xq'", words).verdict, EvidenceVerdict::kNotTestable);
  EXPECT_EQ(compare_quotes("the letters are garbled", words).verdict, EvidenceVerdict::kNotTestable);
  EXPECT_EQ(compare_quotes("the sign reads 'xq'", std::span(words).subspan(2)).verdict,
            EvidenceVerdict::kNotTestable);
}

}  // namespace
}  // namespace awry::pipeline
