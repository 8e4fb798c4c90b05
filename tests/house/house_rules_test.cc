// SPDX-License-Identifier: Apache-2.0
#include "house_rules.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::house {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const char* const kSmallHouse =
    "base :  : \n"
    "imaging : base : \n"
    "inspectors : base : \n"
    "inspectors/forensics : base;imaging;inspectors : store\n"
    "store : base : \n";

TEST(HouseRules, TheLongestModuleNameOwnsAFile) {
  const Modules modules = read_modules(kSmallHouse);
  EXPECT_EQ(module_of("inspectors/forensics/splice.cc", modules), "inspectors/forensics");
  EXPECT_EQ(module_of("inspectors/inspection.h", modules), "inspectors");
  EXPECT_EQ(module_of("attic/x.cc", modules), "");
}

TEST(HouseRules, AnIncludeAgainstTheDirectionIsFound) {
  const Modules modules = read_modules(kSmallHouse);
  EXPECT_THAT(violations_in("imaging/a.cc", "#include \"awry/base/text.h\"\n", modules), IsEmpty());
  EXPECT_THAT(violations_in("base/a.cc", "# include \"awry/imaging/image.h\"\n", modules), SizeIs(1));
  EXPECT_THAT(violations_in("store/a.cc", "#include \"awry/inspectors/forensics/x.h\"\n", modules),
              SizeIs(1));
}

TEST(HouseRules, TestsMayUseWhatOnlyTestsUse) {
  const Modules modules = read_modules(kSmallHouse);
  const char* source = "#include \"awry/store/store.h\"\n";
  EXPECT_THAT(violations_in("inspectors/forensics/a_test.cc", source, modules), IsEmpty());
  EXPECT_THAT(violations_in("inspectors/forensics/a.cc", source, modules), SizeIs(1));
}

TEST(HouseRules, AHeavyLibraryAwayFromHomeIsFound) {
  const Modules modules = read_modules(kSmallHouse);
  EXPECT_THAT(violations_in("store/a.cc", "#include <opencv2/core.hpp>\n", modules), SizeIs(1));
  EXPECT_THAT(violations_in("imaging/a.cc", "#include <opencv2/core.hpp>\n", modules), IsEmpty());
}

TEST(HouseRules, ACycleIsFound) {
  EXPECT_EQ(find_cycle(read_modules(kSmallHouse)), "");
  EXPECT_NE(find_cycle(read_modules("a : b : \nb : c : \nc : a : \n")), "");
}

// --- The house itself ---

TEST(House, EveryIncludeFollowsThePlan) {
  const auto text = read_file(AWRY_MODULES_FILE);
  ASSERT_TRUE(text);
  const Modules modules = read_modules(*text);
  ASSERT_GT(modules.size(), 5U);
  const fs::path root = fs::path(AWRY_SOURCE_DIR) / "awry";
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cc" && extension != ".h") continue;
    const auto source = read_file(entry.path());
    ASSERT_TRUE(source);
    const std::string path = fs::relative(entry.path(), root).string();
    for (const std::string& violation : violations_in(path, *source, modules)) ADD_FAILURE() << violation;
    EXPECT_THAT(source->substr(0, 100), HasSubstr("SPDX-License-Identifier: Apache-2.0")) << path;
    ++files;
  }
  EXPECT_GT(files, 50);
}

TEST(House, HasNoCycles) {
  EXPECT_EQ(find_cycle(read_modules(read_file(AWRY_MODULES_FILE).value())), "");
}

}  // namespace
}  // namespace awry::house
