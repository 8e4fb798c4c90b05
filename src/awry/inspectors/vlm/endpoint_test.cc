// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace awry::inspectors::vlm {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Environment variables(std::map<std::string, std::string, std::less<>> values) {
  return [values = std::move(values)](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

std::string chat_url_of(std::string_view written) {
  const Result<Endpoint> endpoint = parse_base_url(written);
  return endpoint ? endpoint->chat_url() : "refused: " + endpoint.error().message();
}

TEST(BaseUrl, EndsTheSameHoweverItIsWritten) {
  for (const char* written : {"http://localhost:8000", "http://localhost:8000/", "http://localhost:8000/v1",
                              "http://localhost:8000/v1/", "http://localhost:8000/v1/chat/completions",
                              "http://localhost:8000/v1/chat/completions/", "  HTTP://LocalHost:8000/v1\n",
                              "http://localhost:8000/v1#top"}) {
    EXPECT_EQ(chat_url_of(written), "http://localhost:8000/v1/chat/completions") << written;
  }
}

TEST(BaseUrl, KeepsPathsThatOtherProvidersUse) {
  EXPECT_EQ(chat_url_of("https://openrouter.ai/api/v1"), "https://openrouter.ai/api/v1/chat/completions");
  EXPECT_EQ(chat_url_of("https://example.com/v1beta/openai/"),
            "https://example.com/v1beta/openai/chat/completions");
  EXPECT_EQ(chat_url_of("https://example.com/chat/completions"), "https://example.com/chat/completions");
  EXPECT_EQ(chat_url_of("https://x.example.com/openai/deployments/m/chat/completions?api-version=2024-06-01"),
            "https://x.example.com/openai/deployments/m/chat/completions?api-version=2024-06-01");
  EXPECT_EQ(chat_url_of("http://[::1]:8080"), "http://[::1]:8080/v1/chat/completions");
}

TEST(BaseUrl, RefusesWhatCannotBeAsked) {
  for (const char* written : {"", "localhost:8000", "ftp://example.com/v1", "http://", "https:///v1", "v1",
                              "http://a b/v1", "http://user:secret-password@example.com/v1"}) {
    const Result<Endpoint> endpoint = parse_base_url(written);
    ASSERT_FALSE(endpoint) << written;
    EXPECT_EQ(endpoint.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(endpoint.error().message(), Not(HasSubstr("secret-password")));
  }
}

TEST(Endpoints, FlagsComeBeforeTheEnvironmentAndVariablesInTheirOrder) {
  const auto environment = variables({{"OPENAI_API_KEY", " sk-test-1234567890\n"},
                                      {"OPENAI_BASE_URL", ""},
                                      {"OPENAI_API_BASE", "http://second:1/v1/chat/completions"},
                                      {"OPENAI_API_URL", "http://third:1"}});
  const auto from_environment = resolve_endpoints({}, environment);
  ASSERT_TRUE(from_environment);
  ASSERT_EQ(from_environment->size(), 1u);
  EXPECT_EQ(from_environment->front().base_url, "http://second:1/v1");
  EXPECT_EQ(from_environment->front().origin, "OPENAI_API_BASE");
  EXPECT_EQ(from_environment->front().api_key, "sk-test-1234567890");

  const auto from_flags = resolve_endpoints(
      {.base_urls = {"http://a:1", "http://b:1"}, .headers = {"X-Title: my run"}}, environment);
  ASSERT_TRUE(from_flags);
  ASSERT_EQ(from_flags->size(), 2u);
  EXPECT_EQ((*from_flags)[1].base_url, "http://b:1/v1");
  EXPECT_EQ((*from_flags)[1].origin, "--base-url");
  EXPECT_EQ((*from_flags)[1].headers, (Headers{{"X-Title", "my run"}}));
}

TEST(Endpoints, JudgesHaveVariablesOfTheirOwn) {
  const EndpointOptions judge{.variables = {.api_key = {"AWRY_JUDGE_API_KEY", "OPENAI_API_KEY"},
                                            .base_url = {"AWRY_JUDGE_BASE_URL", "OPENAI_BASE_URL"}}};
  const auto endpoints = resolve_endpoints(judge, variables({{"AWRY_JUDGE_BASE_URL", "http://judge"},
                                                             {"OPENAI_BASE_URL", "http://model"},
                                                             {"OPENAI_API_KEY", "shared-key"}}));
  ASSERT_TRUE(endpoints);
  EXPECT_EQ(endpoints->front().base_url, "http://judge/v1");
  EXPECT_EQ(endpoints->front().api_key, "shared-key");
}

TEST(Endpoints, OnlyTheDefaultServerNeedsAKey) {
  const auto without = resolve_endpoints({}, variables({}));
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().message(), HasSubstr("OPENAI_API_KEY"));
  EXPECT_TRUE(resolve_endpoints({.base_urls = {"http://localhost:11434"}}, variables({})));
  EXPECT_TRUE(resolve_endpoints({.headers = {"Authorization: Bearer abc"}}, variables({})));
}

TEST(Endpoints, SayWhichVariableIsWrong) {
  const auto endpoints = resolve_endpoints({}, variables({{"OPENAI_API_URL", "localhost"}}));
  ASSERT_FALSE(endpoints);
  EXPECT_THAT(endpoints.error().message(), HasSubstr("OPENAI_API_URL"));
}

TEST(Headers, AreRefusedWithoutQuotingTheirValue) {
  for (const char* line :
       {"no colon my-secret", ": my-secret", "Bad Name: my-secret", "X: my-secret\r\nY: 1"}) {
    const Result<Header> header = parse_header(line);
    ASSERT_FALSE(header) << line;
    EXPECT_THAT(header.error().message(), Not(HasSubstr("my-secret")));
  }
  EXPECT_EQ(*parse_header("X-Key:  a: b "), (Header{"X-Key", "a: b"}));
}

TEST(Redactor, HidesEverySecretOfEveryEndpoint) {
  const std::vector<Endpoint> endpoints = {
      {.base_url = "http://a/v1", .query = "?token=query-secret", .api_key = "first-key-0001"},
      {.base_url = "http://b/v1", .headers = {{"Authorization", "Bearer header-secret-9"}}}};
  const Redactor redactor(endpoints);
  const std::string clean = redactor.hide_secrets(
      "url http://a/v1?token=query-secret key first-key-0001 header Bearer header-secret-9 token "
      "header-secret-9");
  for (const char* secret : {"query-secret", "first-key-0001", "header-secret-9"}) {
    EXPECT_THAT(clean, Not(HasSubstr(secret)));
  }
  EXPECT_THAT(clean, HasSubstr("http://a/v1"));
}

TEST(Redactor, HidesWhatLooksLikeAKeyInMessagesOnly) {
  const Redactor redactor(std::vector<Endpoint>{});
  EXPECT_EQ(redactor.clean_message("Incorrect API key provided: sk-proj-abcd****wxyz. Try again"),
            "Incorrect API key provided: [redacted] Try again");
  EXPECT_EQ(redactor.clean_message("got Bearer abcdefghijkl"), "got Bearer [redacted]");
  EXPECT_EQ(redactor.clean_message("the task-oriented risk-taking desk-sk-"),
            "the task-oriented risk-taking desk-sk-");
  EXPECT_EQ(redactor.hide_secrets("sk-abcdefghijkl"), "sk-abcdefghijkl");
}

TEST(Redactor, LeavesPlaceholdersAlone) {
  const Redactor redactor(std::vector<Endpoint>{{.api_key = "EMPTY"}});
  EXPECT_EQ(redactor.clean_message("the reply is EMPTY"), "the reply is EMPTY");
}

}  // namespace
}  // namespace awry::inspectors::vlm
