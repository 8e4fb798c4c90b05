// SPDX-License-Identifier: Apache-2.0
// One image on its way through the stages: which calls can be made now, and what follows from a reply.
//
// Pure: it asks nobody itself. The same replies always lead to the same calls and the same annotation, in
// whatever order they come back, so a run that was killed and resumed ends where one that was not ends.
//
// Nothing that fails loses the image. A reply that cannot be read is asked for again with the reader's
// complaint; what stays unreadable is noted as missing, and the stages behind it work with what there is:
//   a draft of the perceiver      the other drafts          analyse, relate       the other one
//   integrate                     the unmerged candidates   format                candidates without severity
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "awry/agents/annotation.h"
#include "awry/agents/prompts.h"

namespace awry::agents {

struct AgentOptions {
  int drafts = 3;                // how often the perceiver looks: T
  std::size_t max_objects = 20;  // people come first
  int reask = 2;                 // how often a reply that cannot be read is asked for again
  bool ask_same = false;         // ask the model about objects that may be one
  bool verdict = false;          // first ask whether the image is generated; real ones are not examined
};

struct Call {
  Stage stage = Stage::kPerceive;
  std::size_t object = 0;  // place in the list of objects, from 1; 0: the whole image
  int draft = 0;           // of the perceiver, from 1
  int reask = 0;
  std::vector<std::string> inputs;
  Question first, question;  // as asked at first, and now
};

class ImageGraph {
 public:
  // Options and prompts must outlive the graph.
  ImageGraph(Sample sample, const AgentOptions& options, const StagePrompts& prompts);

  const Sample& sample() const { return annotation_.sample; }
  std::vector<Call> begin();
  // How a call ended; returns what can be asked now.
  std::vector<Call> take(const Call& call, const Reply& reply);
  bool is_finished() const { return finished_; }

  // Once finished. Records come in the order of stages, objects and repeats.
  const ImageAnnotation& annotation() const { return annotation_; }
  const std::vector<StageRecord>& records() const { return records_; }

 private:
  struct ObjectWork {
    std::string observation;  // what the analyser, then the reasoner, wrote first
    std::vector<Candidate> attributes, relations, merged, stated;
    bool attributes_failed = false, done = false;
  };
  // What a reply says, by the form of its stage; only one of these is filled.
  struct Output {
    bool usable = false;
    bool worth_asking_again = false;
    Outcome outcome = Outcome::kAnswered;
    std::string complaint;
    std::string text;
    std::vector<parse::ObjectLine> objects;
    std::vector<RawCandidate> candidates;
  };

  Output read(const Call& call, const Reply& reply) const;
  Call call_for(Stage stage, std::size_t object, Gaps gaps, const std::vector<std::string>& inputs,
                int draft = 0) const;
  Call again(const Call& call, const Reply& reply, const std::string& complaint) const;

  std::vector<Call> perceive();
  std::vector<Call> after_drafts();
  std::vector<Call> examine_objects();
  std::vector<Call> relate(std::size_t object);
  std::vector<Call> integrate(std::size_t object);
  std::vector<Call> state(std::size_t object);
  std::vector<Call> object_done(std::size_t object);
  std::vector<Call> format();
  std::vector<Call> finish_with(std::vector<Candidate> finals);

  std::vector<Call> follow(const Call& call, Output output);
  std::vector<Call> go_on_without(const Call& call, const Output& output);

  std::vector<Candidate> take_candidates(const Call& call, std::vector<RawCandidate> raw,
                                         const std::vector<Marked>& given);
  std::vector<Marked> marked_for(const Call& call) const;
  std::string others_than(std::size_t object) const;
  std::string names_besides(std::size_t object) const;
  std::string record_id(Stage stage, std::size_t object, int draft) const;
  void sort_records();

  const AgentOptions& options_;
  const StagePrompts& prompts_;
  ImageAnnotation annotation_;
  std::vector<StageRecord> records_;
  std::map<std::string, std::string> used_records_;  // question as first asked -> record whose reply was used
  std::map<int, Draft> drafts_;
  std::vector<DoubtfulPair> doubtful_, same_;
  int drafts_open_ = 0;
  std::vector<ObjectWork> work_;          // parallel to annotation_.objects
  std::vector<Candidate> before_format_;  // what the formatter is given
  std::string author_;
  bool finished_ = false;
};

}  // namespace awry::agents
