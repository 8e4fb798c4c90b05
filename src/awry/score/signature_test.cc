// SPDX-License-Identifier: Apache-2.0
#include "awry/score/signature.h"

#include <gtest/gtest.h>

namespace awry::score {
namespace {

TEST(Signature, ListsFieldsInTheOrderTheyWereSet) {
  Signature signature("sem_ap");
  signature.set("variant", "ranked").set("tau", 0.7).set("layer", 5);
  EXPECT_EQ(signature.text(), "sem_ap|variant:ranked|tau:0.7|layer:5|v:0.1.0");
}

TEST(Signature, SettingAFieldAgainReplacesItInPlace) {
  Signature signature("id");
  signature.set("missing", "wrong").set("data", "real").set("missing", "left-out");
  EXPECT_EQ(signature.text(), "id|missing:left-out|data:real|v:0.1.0");
}

TEST(Signature, WithLeavesTheOriginalAlone) {
  const Signature common = Signature("id").with("data", "real");
  EXPECT_EQ(common.with("task", "cmo-i").text(), "id|data:real|task:cmo-i|v:0.1.0");
  EXPECT_EQ(common.text(), "id|data:real|v:0.1.0");
}

TEST(Signature, NoValueCanForgeAField) {
  EXPECT_EQ(Signature("id").with("model", "a|v:9:\n").text(), "id|model:a_v_9__|v:0.1.0");
}

}  // namespace
}  // namespace awry::score
