// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/fetch_model.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <thread>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/base/text.h"

namespace awry::inspectors::networks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFiles[] = {"config.json", "tokenizer_config.json", "model.safetensors"};
constexpr KnownModel kModel = {"owner/tiny", kFiles, "tests"};

// A hub on loopback: answers GET, understands "Range: bytes=N-", may break off a file after so many bytes.
class SmallHub {
 public:
  std::map<std::string, std::string> pages;
  std::size_t break_off_after = SIZE_MAX;
  std::vector<std::string> asked;

  SmallHub() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(socket_, 8), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    url_ = fmt::format("http://127.0.0.1:{}", ntohs(address.sin_port));
    thread_ = std::thread([this] { serve(); });
  }
  ~SmallHub() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }
  SmallHub(const SmallHub&) = delete;
  SmallHub& operator=(const SmallHub&) = delete;

  const std::string& url() const { return url_; }

  void publish(const std::string& name, const std::string& content, bool large) {
    pages["/owner/tiny/resolve/main/" + name] = content;
    Json entry = {
        {"type", "file"}, {"path", name}, {"size", content.size()}, {"oid", git_blob_hash(content)}};
    if (large) entry["lfs"] = {{"oid", sha256_hex(content)}, {"size", content.size()}};
    listing_.push_back(std::move(entry));
    pages["/api/models/owner/tiny/tree/main"] = dump_json(listing_);
  }

 private:
  void serve() {
    for (;;) {
      const int connection = ::accept(socket_, nullptr, nullptr);
      if (connection < 0) return;
      answer(connection);
      ::close(connection);
    }
  }
  void answer(int connection) {
    std::string request(8192, '\0');
    const ssize_t size = ::recv(connection, request.data(), request.size(), 0);
    request.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    const auto words = split(split_lines(request).front(), ' ');
    if (words.size() < 2) return;
    std::size_t from = 0;
    if (const auto at = to_lower_ascii(request).find("range: bytes="); at != std::string::npos) {
      from = std::strtoull(request.c_str() + at + 13, nullptr, 10);
    }
    asked.push_back(fmt::format("{} from {}", words[1], from));
    const auto page = pages.find(std::string(words[1]));
    std::string reply = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    if (page != pages.end()) {
      const std::string body = page->second.substr(std::min(from, page->second.size()));
      reply = fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n",
                          from > 0 ? "206 Partial Content" : "200 OK", body.size(),
                          from > 0 ? fmt::format("Content-Range: bytes {}-{}/{}\r\n", from,
                                                 page->second.size() - 1, page->second.size())
                                   : "");
      reply += words[1].ends_with(".safetensors") ? body.substr(0, break_off_after) : body;
    }
    ::send(connection, reply.data(), reply.size(), MSG_NOSIGNAL);
  }

  int socket_;
  std::string url_;
  std::thread thread_;
  Json listing_ = Json::array();
};

TEST(GitBlobHash, IsGits) {
  EXPECT_EQ(git_blob_hash("hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
  EXPECT_EQ(git_blob_hash(""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
}

class Fetch : public testing::Test {
 protected:
  void SetUp() override {
    hub_.publish("config.json", "{\"a\": 1}", false);
    hub_.publish("model.safetensors", weights_, true);
  }
  Result<std::vector<FetchedFile>> fetch() {
    return fetch_model(kModel, {.base_url = hub_.url(), .folder = folder_.path() / "tiny"});
  }

  std::string weights_ = std::string(100'000, 'w') + "end";
  SmallHub hub_;
  TemporaryFolder folder_;
};

TEST_F(Fetch, FilesArriveAndAreNotAskedForTwice) {
  const auto files = fetch();
  ASSERT_TRUE(files) << files.error().message();
  EXPECT_EQ(read_file(folder_.path() / "tiny/model.safetensors"), weights_);
  EXPECT_EQ(files->size(), 2U) << "tokenizer_config.json is not listed, and need not be";
  const auto again = fetch();
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)[1].downloaded, 0U);
}

TEST_F(Fetch, ABrokenDownloadGoesOnWhereItStopped) {
  hub_.break_off_after = 60'000;
  EXPECT_FALSE(fetch());
  EXPECT_FALSE(fs::exists(folder_.path() / "tiny/model.safetensors"));
  hub_.break_off_after = SIZE_MAX;
  const auto files = fetch();
  ASSERT_TRUE(files) << files.error().message();
  EXPECT_EQ((*files)[1].downloaded, weights_.size() - 60'000);
  EXPECT_EQ(hub_.asked.back(), "/owner/tiny/resolve/main/model.safetensors from 60000");
  EXPECT_EQ(read_file(folder_.path() / "tiny/model.safetensors"), weights_);
}

TEST_F(Fetch, WhatIsNotWhatTheServerListsIsRemoved) {
  for (const char* const name : {"config.json", "model.safetensors"}) {
    std::string& page = hub_.pages[std::string("/owner/tiny/resolve/main/") + name];
    const std::string right = page;
    page.back() ^= 1;
    const auto files = fetch();
    ASSERT_FALSE(files) << name;
    EXPECT_NE(files.error().message().find("hash"), std::string::npos) << files.error().message();
    EXPECT_FALSE(fs::exists(folder_.path() / "tiny" / name));
    EXPECT_FALSE(fs::exists(folder_.path() / "tiny" / (std::string(name) + ".part")));
    page = right;
  }
}

TEST_F(Fetch, LongerThanPromisedIsCutShort) {
  hub_.pages["/owner/tiny/resolve/main/model.safetensors"] += std::string(1 << 20, 'x');
  EXPECT_FALSE(fetch());
}

TEST_F(Fetch, AListWithoutHashesOrFilesIsRefused) {
  hub_.pages["/api/models/owner/tiny/tree/main"] = R"([{"type":"file","path":"config.json","size":8}])";
  EXPECT_FALSE(fetch());
  for (const char* const list : {"[]", "{}", "nonsense", R"([7, {"type": 3}])"}) {
    hub_.pages["/api/models/owner/tiny/tree/main"] = list;
    EXPECT_FALSE(fetch()) << list;
  }
  hub_.pages.clear();
  const auto files = fetch();
  ASSERT_FALSE(files);
  EXPECT_NE(files.error().message().find("404"), std::string::npos);
}

}  // namespace
}  // namespace awry::inspectors::networks
