// SPDX-License-Identifier: Apache-2.0
// How failure travels through awry.
//
// Something that happens in normal life (an unreadable image, HTTP 429, a reply nobody can parse) is a
// Result<T>. "Not there" is std::optional. A failure that ends the whole command is thrown as
// CommandError and caught once, in main. A broken invariant is an assertion.
#pragma once

#include <stdexcept>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace awry {

enum class ErrorKind {
  kInvalid,      // the content is wrong: truncated file, wrong type, out of range
  kNotFound,     // it is not there
  kIo,           // the operating system said no
  kLimit,        // refused before doing harm: too large, too deep, too many
  kUnsupported,  // well-formed, but not something awry reads
  kCancelled,    // the user asked to stop
  kUsage,        // the command line or configuration is wrong
};

// Says what failed, on which input, why, and what to try. `what` is a phrase without a full stop.
struct Error {
  ErrorKind kind = ErrorKind::kInvalid;
  std::string what;   // "cannot read image"
  std::string input;  // "figures/cat.png"; may be empty
  std::string why;    // "the file ends after 312 bytes"; may be empty
  std::string hint;   // "Download it again."; may be empty

  // cannot read image 'figures/cat.png': the file ends after 312 bytes. Download it again.
  std::string message() const;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

// Ends the command. Exit codes are those of cli/exit_codes.h.
class CommandError : public std::runtime_error {
 public:
  explicit CommandError(const Error& error, int exit_code = 1)
      : std::runtime_error(error.message()), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

// The bridge from values to the edge: the value, or CommandError.
template <class T>
T value_or_throw(Result<T> result, int exit_code = 1) {
  if (!result) throw CommandError(result.error(), exit_code);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace awry

#define AWRY_CONCAT_INNER(a, b) a##b
#define AWRY_CONCAT(a, b) AWRY_CONCAT_INNER(a, b)

// Returns the error of `expression` from the enclosing function, if it has one.
#define AWRY_TRY(expression)                                              \
  do {                                                                    \
    if (auto awry_result = (expression); !awry_result) {                  \
      return tl::unexpected<awry::Error>(std::move(awry_result).error()); \
    }                                                                     \
  } while (false)

// AWRY_TRY_ASSIGN(auto image, read_image(path));
#define AWRY_TRY_ASSIGN(declaration, expression)                                                \
  auto AWRY_CONCAT(awry_result_, __LINE__) = (expression);                                      \
  if (!AWRY_CONCAT(awry_result_, __LINE__)) {                                                   \
    return tl::unexpected<awry::Error>(std::move(AWRY_CONCAT(awry_result_, __LINE__)).error()); \
  }                                                                                             \
  declaration = std::move(*AWRY_CONCAT(awry_result_, __LINE__))
