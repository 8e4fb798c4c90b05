// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/anomreason/similarity_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>

#include "awry/base/broken_json.h"
#include "awry/base/files.h"
#include "awry/benchmarks/anomreason/annotation_file.h"

namespace awry::benchmarks::anomreason {
namespace {

namespace dom = simdjson::dom;

struct Place {
  std::string file;

  tl::unexpected<Error> error(std::string why, std::string hint = "") const {
    return fail(
        {.what = "cannot read similarities", .input = file, .why = std::move(why), .hint = std::move(hint)});
  }
};

Result<score::SimilarityMatrix> read_matrix(dom::element value, const std::string& id, const Place& place) {
  score::SimilarityMatrix matrix;
  dom::array rows, row;
  if (value.get_array().get(rows)) return place.error(fmt::format("'{}' is not a list of rows", id));
  for (const dom::element element : rows) {
    const std::size_t number = matrix.predictions + 1;
    if (element.get_array().get(row))
      return place.error(fmt::format("'{}': row {} is not a list", id, number));
    const std::size_t before = matrix.cells.size();
    for (const dom::element cell : row) {
      double similarity = 0;
      if (cell.get_double().get(similarity)) {
        return place.error(fmt::format("'{}': row {} holds something other than numbers", id, number));
      }
      const auto single = static_cast<float>(similarity);
      if (!std::isfinite(single)) {
        return place.error(fmt::format("'{}': row {} holds {}", id, number, similarity));
      }
      matrix.cells.push_back(single);
    }
    const std::size_t columns = matrix.cells.size() - before;
    if (matrix.predictions > 0 && columns != matrix.truths) {
      return place.error(fmt::format("'{}': row {} has {} columns, the rows before it {}", id, number,
                                     columns, matrix.truths));
    }
    matrix.truths = columns;
    ++matrix.predictions;
  }
  return matrix;
}

Result<void> read_image(std::string_view key, dom::element value, const Place& place,
                        std::map<std::string, score::SimilarityMatrix>& matrices) {
  dom::object fields;
  if (value.get_object().get(fields)) return place.error(fmt::format("'{}' is not an object", key));
  for (const auto [field, element] : fields) {
    const std::string id = fmt::format("{}/{}", base_name(key), field);
    if (field != "phenomenon" && field != "reasoning") {
      return place.error(fmt::format("'{}' is neither phenomenon nor reasoning", id));
    }
    AWRY_TRY_ASSIGN(score::SimilarityMatrix matrix, read_matrix(element, id, place));
    if (!matrices.emplace(id, std::move(matrix)).second) {
      return place.error(fmt::format("'{}' is there twice", id));
    }
  }
  return {};
}

// JSON has no NaN; Python writes it all the same.
bool says_not_a_number(std::string_view text) {
  return text.find("NaN") != std::string_view::npos || text.find("Infinity") != std::string_view::npos;
}

}  // namespace

Result<std::unique_ptr<score::Similarity>> read_similarity_file(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const std::string text, read_file(path));
  const Place place{path.string()};
  dom::parser parser;
  dom::element root;
  if (const auto code = parser.parse(text).get(root)) {
    if (says_not_a_number(text)) return place.error("it holds NaN or Infinity, which is no similarity");
    Error broken = explain_broken_json(text, simdjson::error_message(code));
    return place.error(std::move(broken.why), std::move(broken.hint));
  }
  dom::object object, images;
  if (root.get_object().get(object)) return place.error("it is not an object");
  if (object["images"].get_object().get(images)) {
    return place.error("it has no object 'images'",
                       "It looks like {\"images\": {\"cat.png\": {\"phenomenon\": [[0.9]], \"reasoning\": "
                       "[[0.8]]}}}.");
  }
  score::Similarity::Fields signature = {{"similarity", "matrix"}, {"encoder", "unnamed"}};
  for (const auto [name, value] : object) {
    if (name == "images") continue;
    if (name != "encoder" && name != "layer" && name != "hash") {
      return place.error(fmt::format("nothing is known about the field '{}'", name),
                         "Beside 'images' it may have encoder, layer and hash.");
    }
    std::string_view words;
    const std::string told(value.get_string().get(words) ? std::string(simdjson::minify(value))
                                                         : std::string(words));
    if (name == "encoder") {
      signature[1].second = told;
    } else {
      signature.emplace_back(name, told);
    }
  }
  std::map<std::string, score::SimilarityMatrix> matrices;
  for (const auto [key, value] : images) AWRY_TRY(read_image(key, value, place, matrices));
  return std::make_unique<score::PrecomputedSimilarity>(std::move(matrices), std::move(signature));
}

}  // namespace awry::benchmarks::anomreason
