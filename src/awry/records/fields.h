// SPDX-License-Identifier: Apache-2.0
// The fields of every record, listed once. JSON writing and reading are two visitors of these lists
// (json.cc), so a field can never be written and not read.
#pragma once

#include <type_traits>

#include "awry/records/asking.h"
#include "awry/records/finding.h"
#include "awry/records/judging.h"
#include "awry/records/run.h"
#include "awry/records/sample.h"
#include "awry/records/scoring.h"

namespace awry::fields {

// True for T and const T: the reader visits records it may change, the writer records it may not.
template <class Record, class T>
concept Is = std::is_same_v<std::remove_const_t<Record>, T>;

template <class V>
void visit(V& v, Is<WholeImage> auto&) {
  (void)v;
}
template <class V>
void visit(V& v, Is<Box> auto& r) {
  v("x", r.x), v("y", r.y), v("width", r.width), v("height", r.height);
}
template <class V>
void visit(V& v, Is<Mask> auto& r) {
  v("width", r.width), v("height", r.height), v("runs", r.runs);
}
template <class V>
void visit(V& v, Is<BlockSet> auto& r) {
  v("rows", r.rows), v("columns", r.columns), v("blocks", r.blocks);
}
template <class V>
void visit(V& v, Is<Pair> auto& r) {
  v("first_image", r.first_image), v("second_image", r.second_image);
  v("in_first", r.in_first), v("in_second", r.in_second);
  v("second_from_first", r.second_from_first), v("operations", r.operations);
}
template <class V>
void visit(V& v, Is<TextSpan> auto& r) {
  v("part", r.part), v("sentence", r.sentence);
}
template <class V>
void visit(V& v, Is<Author> auto& r) {
  v("kind", r.kind), v("name", r.name), v("version", r.version);
}
template <class V>
void visit(V& v, Is<Evidence> auto& r) {
  v("kind", r.kind), v("note", r.note), v("value", r.value);
}
template <class V>
void visit(V& v, Is<Finding> auto& r) {
  v("id", r.id), v("image", r.image), v("where", r.where);
  v("type", r.type), v("name", r.name), v("phenomenon", r.phenomenon), v("reasoning", r.reasoning);
  v("severity", r.severity), v("probability", r.probability), v("false_alarms", r.false_alarms);
  v("evidence", r.evidence), v("by", r.by);
}
template <class V>
void visit(V& v, Is<ImageRef> auto& r) {
  v("path", r.path), v("width", r.width), v("height", r.height), v("sha256", r.sha256);
}
template <class V>
void visit(V& v, Is<Passage> auto& r) {
  v("part", r.part), v("text", r.text);
}
template <class V>
void visit(V& v, Is<Sample> auto& r) {
  v("id", r.id), v("images", r.images), v("passages", r.passages), v("attributes", r.attributes);
  v("has_truth", r.has_truth), v("truth", r.truth);
}
template <class V>
void visit(V& v, Is<EarlierTurn> auto& r) {
  v("prompt", r.prompt), v("reply", r.reply);
}
template <class V>
void visit(V& v, Is<Question> auto& r) {
  v("id", r.id), v("sample_id", r.sample_id), v("kind", r.kind), v("prompt", r.prompt);
  v("images", r.images), v("repeat", r.repeat), v("earlier", r.earlier), v("for_judge", r.for_judge);
  v("attributes", r.attributes);
}
template <class V>
void visit(V& v, Is<Usage> auto& r) {
  v("input_tokens", r.input_tokens), v("output_tokens", r.output_tokens), v("cost_usd", r.cost_usd);
}
template <class V>
void visit(V& v, Is<Reply> auto& r) {
  v("key", r.key), v("question_id", r.question_id), v("outcome", r.outcome), v("text", r.text);
  v("model", r.model), v("returned_model", r.returned_model), v("fingerprint", r.fingerprint);
  v("finish_reason", r.finish_reason), v("usage", r.usage), v("latency_ms", r.latency_ms);
  v("attempt", r.attempt), v("error", r.error), v("created", r.created);
}
template <class V>
void visit(V& v, Is<Answer> auto& r) {
  v("question_id", r.question_id), v("outcome", r.outcome), v("complaint", r.complaint);
  v("choices", r.choices), v("unsure", r.unsure), v("findings", r.findings), v("values", r.values);
  v("text", r.text);
}
template <class V>
void visit(V& v, Is<Verdict> auto& r) {
  v("id", r.id), v("finding_id", r.finding_id), v("decision", r.decision), v("by", r.by);
  v("note", r.note), v("created", r.created);
}
template <class V>
void visit(V& v, Is<Score> auto& r) {
  v("sample_id", r.sample_id), v("metric", r.metric), v("value", r.value);
}
template <class V>
void visit(V& v, Is<Interval> auto& r) {
  v("low", r.low), v("high", r.high), v("level", r.level);
}
template <class V>
void visit(V& v, Is<Metric> auto& r) {
  v("key", r.key), v("group", r.group), v("label", r.label), v("value", r.value);
  v("interval", r.interval), v("missing", r.missing), v("count", r.count), v("signature", r.signature);
}
template <class V>
void visit(V& v, Is<Summary> auto& r) {
  v("protocol", r.protocol), v("metrics", r.metrics), v("scores", r.scores), v("outcomes", r.outcomes);
  v("notes", r.notes);
}
template <class V>
void visit(V& v, Is<Run> auto& r) {
  v("id", r.id), v("name", r.name), v("protocol", r.protocol), v("model", r.model), v("digest", r.digest);
  v("command", r.command), v("settings", r.settings), v("seed", r.seed);
  v("awry_version", r.awry_version), v("status", r.status), v("started", r.started);
  v("finished", r.finished);
}

}  // namespace awry::fields
