// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <set>

#include "awry/agents/image_graph.h"
#include "awry/agents/merging.h"
#include "awry/agents/stage_replies.h"
#include "awry/base/files.h"

namespace awry::agents {
namespace {

// --- likeness ---

TEST(RelateClaims, TellsSameContradictingAndDifferentApart) {
  const Claim six{"Left hand", "The left hand has six fingers", ""};
  const Claim six_again{"Hand of the woman", "The left hand shows six fingers", ""};
  const Claim four{"Left hand", "The left hand has four fingers", ""};
  const Claim right{"Right hand", "The right hand has six fingers", ""};
  const Claim dog{"Dog", "Two tails grow from its back", ""};
  EXPECT_EQ(relate_claims(six, six_again), Relation::kSame);
  EXPECT_EQ(relate_claims(six, four), Relation::kContradicting);
  EXPECT_EQ(relate_claims(six, right), Relation::kDifferent);
  EXPECT_EQ(relate_claims(six, dog), Relation::kDifferent);
}

TEST(RelateClaims, SeesThatFloatingAndRestingExcludeEachOther) {
  EXPECT_EQ(relate_claims({"Chair", "The wooden chair is floating above the floor", ""},
                          {"Chair", "The wooden chair is resting on the floor", ""}),
            Relation::kContradicting);
}

TEST(RelateClaims, ComparesOtherLanguagesAndScriptsWithoutSpaces) {
  const Claim six{"左手", "左手有六根手指", ""}, six_again{"左手", "左手上有六根手指", ""};
  EXPECT_EQ(relate_claims(six, six_again), Relation::kSame);
  EXPECT_EQ(relate_claims(six, {"左手", "左手有四根手指", ""}), Relation::kContradicting);
  EXPECT_EQ(relate_claims(six, {"右手", "右手有六根手指", ""}), Relation::kDifferent);
  EXPECT_EQ(relate_claims(six, {"椅子", "椅子漂浮在空中", ""}), Relation::kDifferent);
  EXPECT_EQ(relate_claims({"Hand", "Die LINKE Hand hat sechs Finger", ""},
                          {"Hand", "Die linke Hand hat 6 lange Finger", ""}),
            Relation::kSame);
  EXPECT_EQ(relate_claims({"Hand", "Die linke Hand hat sechs Finger", ""},
                          {"Hand", "Die rechte Hand hat sechs Finger", ""}),
            Relation::kDifferent);
  EXPECT_EQ(relate_claims({"Рука", "На левой руке шесть пальцев", ""},
                          {"Рука", "НА ЛЕВОЙ РУКЕ шесть длинных пальцев", ""}),
            Relation::kSame);
}

// --- objects ---

TEST(ReadObjects, TakesLinesAndEveryShapeOfJson) {
  const std::vector<parse::ObjectLine> wanted = {{"Man", "tall"}, {"Dog", "brown"}};
  for (const char* reply : {"#Man#: tall\n#Dog#: brown", R"({"objects":[{"name":"Man","description":"tall"},
                            {"name":"Dog","description":"brown"}]})",
                            R"([{"Name":"Man","Description":"tall"},{"Name":"Dog","Description":"brown"}])",
                            R"({"Man":"tall","Dog":"brown"})"}) {
    const auto read = read_objects(reply);
    ASSERT_TRUE(read) << reply;
    EXPECT_EQ(read->value, wanted) << reply;
  }
  EXPECT_FALSE(read_objects("I cannot see anything in particular"));
}

TEST(MergeDrafts, JoinsTheSameThingAcrossDraftsAndPutsPeopleFirst) {
  const std::vector<Draft> drafts = {
      {"perceive.1", {{"Chair", "a wooden chair with three legs"}, {"Woman", "a woman in a red coat"}}},
      {"perceive.2", {{"Woman in red", "a woman in a red coat, smiling"}, {"Lamp", "a lamp on the table"}}}};
  const MergedObjects merged = merge_drafts(drafts, 20);
  ASSERT_EQ(merged.objects.size(), 3u);
  EXPECT_EQ(merged.objects[0].name, "Woman in red");  // the fuller description
  EXPECT_TRUE(merged.objects[0].is_person);
  EXPECT_EQ(merged.objects[0].seen, (std::vector<std::string>{"perceive.1/2", "perceive.2/1"}));
  EXPECT_EQ(merged.objects[1].name, "Chair");
  EXPECT_EQ(merged.objects[2].id, "o3");
}

TEST(MergeDrafts, KnowsPeopleInOtherLanguages) {
  const std::vector<Draft> drafts = {
      {"perceive.1",
       {{"椅子", "木椅"}, {"穿红衣的女人", "站着"}, {"Mädchen", "lacht"}, {"Main gate", "of iron"}}}};
  const MergedObjects merged = merge_drafts(drafts, 20);
  ASSERT_EQ(merged.objects.size(), 4u);
  EXPECT_EQ(merged.objects[0].name, "穿红衣的女人");
  EXPECT_EQ(merged.objects[1].name, "Mädchen");
  EXPECT_FALSE(merged.objects[2].is_person);
  EXPECT_FALSE(merged.objects[3].is_person);
}

TEST(MergeDrafts, KeepsTwoPeopleOfOneDraftApart) {
  const std::vector<Draft> drafts = {
      {"perceive.1",
       {{"Person", "a tall person in blue on the left"}, {"Person", "a short person in green"}}},
      {"perceive.2",
       {{"Person", "a short person in green"}, {"Person", "a tall person in blue on the left"}}}};
  const MergedObjects merged = merge_drafts(drafts, 20);
  ASSERT_EQ(merged.objects.size(), 2u);
  EXPECT_EQ(merged.objects[0].seen, (std::vector<std::string>{"perceive.1/1", "perceive.2/2"}));
}

TEST(MergeDrafts, LeavesDoubtToTheModelAndSaysWhatIsBeyondTheLimit) {
  const std::vector<Draft> drafts = {{"perceive.1", {{"Red car", "parked beside the old house"}}},
                                     {"perceive.2", {{"Car", "driving along a wet street"}}}};
  const MergedObjects merged = merge_drafts(drafts, 20);
  EXPECT_EQ(merged.objects.size(), 2u);
  ASSERT_EQ(merged.doubtful.size(), 1u);
  EXPECT_EQ(merge_drafts(drafts, 20, merged.doubtful).objects.size(), 1u);
  EXPECT_EQ(merge_drafts(drafts, 1).left_out, 1u);
}

// --- candidates ---

TEST(ReadCandidates, FindsTheSourcesOfEachItem) {
  const auto read = read_candidates(
      "1. Name: Hand\nObserved Phenomenon: six fingers\nReasoning: five are normal\n- **Sources**: A1, R2\n\n"
      "2. Name: Chair\nObserved Phenomenon: it hovers\nReasoning: gravity\nSeverity Score: 10/100\nSources: "
      "[r1]");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->value.size(), 2u);
  EXPECT_EQ(read->value[0].marks, (std::vector<std::string>{"A1", "R2"}));
  EXPECT_EQ(read->value[0].candidate.reasoning, "five are normal");
  EXPECT_EQ(read->value[1].marks, std::vector<std::string>{"R1"});
  EXPECT_EQ(read->value[1].candidate.severity, 10);
}

TEST(ReadCandidates, FindsSourcesInJson) {
  const auto read = read_candidates(
      R"({"anomalies":[{"name":"a","phenomenon":"p","reasoning":"r","sources":["F1","F3"]},
                       {"name":"b","phenomenon":"q","reasoning":"s","sources":"F2"}]})");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->value.size(), 2u);
  EXPECT_EQ(read->value[0].marks, (std::vector<std::string>{"F1", "F3"}));
  EXPECT_EQ(read->value[1].marks, std::vector<std::string>{"F2"});
}

TEST(Trace, FallsBackToWordsThenToEverythingGiven) {
  const Candidate hand{.id = "hand", .name = "Hand", .phenomenon = "the hand has six fingers"};
  const Candidate chair{.id = "chair", .name = "Chair", .phenomenon = "the chair hovers above the floor"};
  const std::vector<Marked> given = {{"A1", &hand}, {"R1", &chair}};
  RawCandidate named{.candidate = {.name = "x"}, .marks = {"R1", "Z9"}};
  trace(named, given);
  EXPECT_EQ(named.candidate.from, std::vector<std::string>{"chair"});
  EXPECT_EQ(named.candidate.traced, Traced::kNamed);
  RawCandidate alike{.candidate = {.name = "Hand", .phenomenon = "six fingers on the hand"}};
  trace(alike, given);
  EXPECT_EQ(alike.candidate.from, std::vector<std::string>{"hand"});
  EXPECT_EQ(alike.candidate.traced, Traced::kAlike);
  RawCandidate neither{.candidate = {.name = "Sky", .phenomenon = "green"}};
  trace(neither, given);
  EXPECT_EQ(neither.candidate.from.size(), 2u);
  EXPECT_EQ(neither.candidate.traced, Traced::kAssumed);
}

TEST(MergeCandidates, JoinsNearDuplicatesAndKeepsContradictionsApart) {
  const auto merged =
      merge_candidates({{.id = "a", .name = "Hand", .phenomenon = "the left hand has six fingers"},
                        {.id = "b", .name = "Hand", .phenomenon = "the left hand has six long fingers"},
                        {.id = "c", .name = "Hand", .phenomenon = "the left hand has four fingers"}});
  ASSERT_EQ(merged.kept.size(), 2u);
  EXPECT_EQ(merged.kept[0].from, std::vector<std::string>{"b"});
  EXPECT_EQ(merged.kept[0].contradicts, std::vector<std::string>{"c"});
  EXPECT_EQ(merged.kept[1].contradicts, std::vector<std::string>{"a"});
  ASSERT_EQ(merged.joined.size(), 1u);
  EXPECT_EQ(merged.joined[0].joined_into, "a");
}

TEST(ReadVerdict, UnderstandsTagsWordsAndDenials) {
  EXPECT_EQ(read_verdict("<VERDICT>generated</VERDICT>")->value, kGeneratedVerdict);
  EXPECT_EQ(read_verdict("No, this image is a real photograph.")->value, kRealVerdict);
  EXPECT_EQ(read_verdict("It is not generated")->value, kRealVerdict);
  EXPECT_FALSE(read_verdict("Hard to say"));
}

// --- prompts ---

TEST(StagePrompts, RefuseUnknownGapsAndNames) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "format.txt", "List {candidats} {candidates}"));
  EXPECT_EQ(StagePrompts::open(folder.path().string()).error().kind, ErrorKind::kUsage);
  ASSERT_TRUE(write_file(folder.path() / "format.txt", "List {candidates} as {\"json\": 1}"));
  const auto prompts = StagePrompts::open(folder.path().string());
  ASSERT_TRUE(prompts);
  EXPECT_EQ(prompts->fill(Stage::kFormat, {{"candidates", "{x} F1"}}), "List {x} F1 as {\"json\": 1}");
  ASSERT_TRUE(write_file(folder.path() / "formt.txt", "x"));
  EXPECT_FALSE(StagePrompts::open(folder.path().string()));
}

// --- the graph ---

// A model that answers by stage; `spoil` may replace a reply.
struct PlayedModel {
  std::function<Reply(const Call&, Reply)> spoil = [](const Call&, Reply reply) { return reply; };
  bool last_first = false;
  std::map<std::string, int> asked;

  static std::string good(const Call& call) {
    const std::string own = std::to_string(call.object);
    switch (call.stage) {
      case Stage::kVerdict:
        return "<VERDICT>real</VERDICT>";
      case Stage::kPerceive:
        return "#Woman#: a woman with long hair\n#Chair#: a chair made of wood";
      case Stage::kAnalyseObserve:
      case Stage::kRelateObserve:
        return "I see something odd about number " + own;
      case Stage::kAnalyseVerify:
        return call.object == 1
                   ? "1. Name: Hand\nObserved Phenomenon: six fingers grow from one palm\nReasoning: five"
                   : "No anomalies.";
      case Stage::kRelateVerify:
        return "1. Name: Contact " + own + "\nObserved Phenomenon: object number " + own +
               " touches nothing around it\nReasoning: gravity";
      case Stage::kIntegrateMerge:
      case Stage::kIntegrateState: {
        const char mark = call.stage == Stage::kIntegrateState ? 'C' : call.object == 1 ? 'A' : 'R';
        return "1. Name: Flaw " + own + "\nObserved Phenomenon: flaw of object number " + own +
               " as stated\nReasoning: so\nSources: " + mark + "1";
      }
      case Stage::kFormat:
        return "@1. Name: First\nObserved Phenomenon: the woman has a strange palm\nReasoning: r\nSeverity "
               "Score: "
               "5/100\nSources: F1\n\n@2. Name: Second\nObserved Phenomenon: the chair does not "
               "stand\nReasoning: "
               "r\nSeverity Score: 20\nSources: F2";
      case Stage::kSame:
        return "1: different";
    }
    return "";
  }

  ImageAnnotation play(ImageGraph& graph) {
    std::deque<Call> open;
    for (Call& call : graph.begin()) open.push_back(std::move(call));
    while (!open.empty()) {
      const Call call = last_first ? open.back() : open.front();
      last_first ? open.pop_back() : open.pop_front();
      ++asked[std::string(name_of(call.stage))];
      const Reply reply = spoil(call, {.key = call.question.id, .text = good(call), .model = "m"});
      for (Call& next : graph.take(call, reply)) open.push_back(std::move(next));
    }
    EXPECT_TRUE(graph.is_finished());
    return graph.annotation();
  }
};

struct GraphTest : testing::Test {
  AgentOptions options{.drafts = 2};
  StagePrompts prompts = *StagePrompts::open();
  Sample sample{.id = "cat.png", .images = {{.path = "cat.png"}}};
  PlayedModel model;

  ImageAnnotation play() {
    ImageGraph graph(sample, options, prompts);
    return model.play(graph);
  }
};

TEST_F(GraphTest, LeadsEveryAnomalyBackToItsCandidates) {
  const ImageAnnotation annotation = play();
  ASSERT_EQ(annotation.anomalies.size(), 2u);
  EXPECT_TRUE(annotation.missing.empty());
  EXPECT_EQ(annotation.anomalies[0].finding.severity, 5);
  EXPECT_EQ(first_hand_sources(annotation, annotation.anomalies[0].from),
            std::vector<std::string>{"o1/analyse.verify/1"});
  EXPECT_EQ(first_hand_sources(annotation, annotation.anomalies[1].from),
            std::vector<std::string>{"o2/relate.verify/1"});
}

TEST_F(GraphTest, CallsFollowTheCostFormula) {
  play();
  int calls = 0;
  for (const auto& [stage, count] : model.asked) calls += count;
  EXPECT_EQ(calls, 2 + 6 * 2 + 1);  // T + 6 N + 1
}

TEST_F(GraphTest, TheOrderOfRepliesDoesNotMatter) {
  ImageGraph one(sample, options, prompts), other(sample, options, prompts);
  const std::string first = print_annotation(model.play(one));
  model.last_first = true;
  EXPECT_EQ(print_annotation(model.play(other)), first);
  ASSERT_EQ(one.records().size(), other.records().size());
  for (std::size_t i = 0; i < one.records().size(); ++i) {
    EXPECT_EQ(print_record(one.records()[i]), print_record(other.records()[i]));
  }
}

TEST_F(GraphTest, AsksAgainWithTheComplaint) {
  std::string said;
  model.spoil = [&](const Call& call, Reply reply) {
    if (call.stage == Stage::kFormat && call.reask == 0) reply.text = "A lovely picture";
    if (call.reask == 1) said = call.question.prompt;
    return reply;
  };
  const ImageAnnotation annotation = play();
  EXPECT_EQ(annotation.anomalies.size(), 2u);
  EXPECT_NE(said.find("neither fields"), std::string::npos) << said;
  EXPECT_EQ(model.asked["format"], 2);
}

TEST_F(GraphTest, AFailedObjectDoesNotLoseTheImage) {
  model.spoil = [](const Call& call, Reply reply) {
    if (call.object == 1) reply.outcome = Outcome::kRefused;
    return reply;
  };
  const ImageAnnotation annotation = play();
  EXPECT_FALSE(annotation.failed);
  ASSERT_EQ(annotation.missing.size(), 2u);  // its analysis and its relations
  EXPECT_EQ(annotation.missing[0].object, "o1");
  EXPECT_EQ(annotation.missing[0].outcome, Outcome::kRefused);
  EXPECT_FALSE(annotation.anomalies.empty());
}

// In words rather than in the endpoint's own field: as notes of an observer, or in place of a list.
TEST_F(GraphTest, ModelsThatDeclineAreNotAskedAgain) {
  model.spoil = [](const Call& call, Reply reply) {
    const bool declines = (call.object == 1 && call.stage == Stage::kAnalyseObserve) ||
                          (call.object == 2 && call.stage == Stage::kRelateVerify);
    if (declines) reply.text = "I'm sorry, but I can't assist with that.";
    return reply;
  };
  const ImageAnnotation annotation = play();
  EXPECT_FALSE(annotation.failed);
  ASSERT_EQ(annotation.missing.size(), 2u);
  for (const Missing& one : annotation.missing) EXPECT_EQ(one.outcome, Outcome::kRefused) << one.why;
  EXPECT_EQ(model.asked["analyse.observe"], 2);
  EXPECT_EQ(model.asked["analyse.verify"], 1) << "there are no notes to verify";
  EXPECT_EQ(model.asked["relate.verify"], 2);
}

TEST_F(GraphTest, WithoutAFormatterTheCandidatesStandUnrated) {
  model.spoil = [](const Call& call, Reply reply) {
    if (call.stage >= Stage::kIntegrateMerge) reply.outcome = Outcome::kTransport;
    return reply;
  };
  const ImageAnnotation annotation = play();
  ASSERT_EQ(annotation.anomalies.size(), 3u);  // two of the woman, one of the chair
  for (const Anomaly& anomaly : annotation.anomalies) {
    EXPECT_FALSE(anomaly.finding.severity);
    EXPECT_EQ(first_hand_sources(annotation, anomaly.from).size(), 1u);
  }
}

TEST_F(GraphTest, FailsOnlyWhenNoDraftCanBeRead) {
  model.spoil = [](const Call& call, Reply reply) {
    if (call.stage == Stage::kPerceive && call.draft == 1) reply.outcome = Outcome::kRefused;
    return reply;
  };
  EXPECT_FALSE(play().failed);
  model.spoil = [](const Call&, Reply reply) {
    reply.outcome = Outcome::kTransport;
    return reply;
  };
  EXPECT_TRUE(play().failed);
}

TEST_F(GraphTest, DoesNotExamineImagesCalledReal) {
  options.verdict = true;
  const ImageAnnotation annotation = play();
  EXPECT_EQ(annotation.verdict, kRealVerdict);
  EXPECT_TRUE(annotation.objects.empty());
  EXPECT_FALSE(annotation.failed);
}

TEST_F(GraphTest, AnnotationsSurviveBeingWrittenAndRead) {
  model.spoil = [](const Call& call, Reply reply) {
    if (call.stage == Stage::kRelateVerify) reply.outcome = Outcome::kRefused;
    return reply;
  };
  const std::string line = print_annotation(play());
  const auto read = parse_annotation(line, "test");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(print_annotation(*read), line);
  EXPECT_FALSE(parse_annotation(R"({"sample": {}, "anomalies": [1]})", "test"));
  EXPECT_FALSE(parse_annotation(R"({"sample": {}, "notes": 7})", "test"));
  EXPECT_FALSE(parse_annotation("[]", "test"));
}

}  // namespace
}  // namespace awry::agents
