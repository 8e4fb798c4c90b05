// SPDX-License-Identifier: Apache-2.0
#include "awry/score/generator_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace awry::score {
namespace {

using testing::HasSubstr;
using Images = std::vector<AuditedImage>;

TEST(AuditImage, SumsWhatSpeaksAgainstEachAnomaly) {
  const auto audit = audit_image({{0.0, 25.0, 100.0}}).value();
  EXPECT_DOUBLE_EQ(audit.implausibility, 1 + 0.75 + 0);
  EXPECT_EQ(audit.anomalies, 3U);
  EXPECT_EQ(audit_image({}).value().implausibility, 0);
}

TEST(AuditImage, RefusesSeveritiesOffTheScale) {
  EXPECT_THAT(audit_image({{20.0, 101.0}}).error().message(), HasSubstr("anomaly 2 is 101"));
  EXPECT_FALSE(audit_image({{-1.0}}));
  EXPECT_FALSE(audit_image({{std::nan("")}}));
}

TEST(AuditGenerator, MultipliesMeansRatherThanAveragingProducts) {
  // Implausibility 1.5, 0, 0.5; anomalies 2, 0, 1. MAI 2/3, AF 1, CAP 2/3; the mean product would be 3.5/3.
  const auto audit = audit_generator(Images{{{0.0, 50.0}}, {}, {{50.0}}}).value();
  EXPECT_DOUBLE_EQ(audit.mai.value, 2.0 / 3);
  EXPECT_DOUBLE_EQ(audit.af.value, 1.0);
  EXPECT_DOUBLE_EQ(audit.cap.value, 2.0 / 3);
  EXPECT_EQ(audit.images, 3U);
  EXPECT_EQ(audit.anomalies, 3U);
  EXPECT_FALSE(audit.mai.unrated);
}

TEST(AuditGenerator, IntervalsHoldTheValue) {
  Images images;
  for (int i = 0; i < 60; ++i) images.push_back({{double(i % 7) * 10, double(i % 5) * 20}});
  for (int i = 0; i < 20; ++i) images.push_back({});
  const auto audit = audit_generator(images, {.resamples = 500}).value();
  for (const AuditValue* value : {&audit.mai, &audit.af, &audit.cap}) {
    ASSERT_TRUE(value->interval);
    EXPECT_LT(value->interval->low, value->value);
    EXPECT_GT(value->interval->high, value->value);
  }
  EXPECT_FALSE(audit_generator(images, {.resamples = 0}).value().cap.interval);
}

TEST(AuditGenerator, UnratedAnomaliesOpenARange) {
  // One rated anomaly of implausibility 0.8, two unrated, over two images.
  const auto audit = audit_generator(Images{{{20.0, std::nullopt}}, {{std::nullopt}}}).value();
  EXPECT_DOUBLE_EQ(audit.af.value, 1.5);
  EXPECT_DOUBLE_EQ(audit.mai.value, 0.4);
  EXPECT_EQ(audit.unrated, 2U);
  EXPECT_DOUBLE_EQ(audit.mai.unrated->low, 0.4);
  EXPECT_DOUBLE_EQ(audit.mai.unrated->high, 1.4);
  EXPECT_DOUBLE_EQ(audit.cap.unrated->high, 1.4 * 1.5);
  EXPECT_FALSE(audit.af.unrated);
}

TEST(AuditGenerator, NeedsImages) {
  EXPECT_FALSE(audit_generator({}));
  EXPECT_FALSE(audit_generator(Images{{{300.0}}}));
}

}  // namespace
}  // namespace awry::score
