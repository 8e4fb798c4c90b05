// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/fetch_model.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/inspectors/networks/small_json.h"

namespace awry::inspectors::networks {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhat = "cannot fetch";
constexpr std::uint64_t kMaxFile = 64ULL << 30, kMaxSmallFile = 64ULL << 20;

struct Listed {
  std::uint64_t bytes = 0;
  std::string sha256, blob;  // one of them
};

// One GET. Bytes go to `take`, which stops the transfer by returning false.
class Get {
 public:
  Get(std::string url, std::function<bool(std::string_view)> take, const FetchOptions& options)
      : url_(std::move(url)), take_(std::move(take)), options_(options) {}
  Get(const Get&) = delete;
  Get& operator=(const Get&) = delete;

  Result<long> run(std::uint64_t from) {
    CURL* const easy = easy_.get();
    curl_easy_setopt(easy, CURLOPT_URL, url_.c_str());
    // What is fetched over https stays on https, wherever the server sends us.
    const bool secure = url_.starts_with("https://");
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(easy, CURLOPT_MAXREDIRS, 8L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, 20L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, 60L);
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "awry");
    curl_easy_setopt(easy, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(from));
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Get::on_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
    const CURLcode code = curl_easy_perform(easy);
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_OK) return status;
    if (options_.cancelled && options_.cancelled()) {
      return fail({.kind = ErrorKind::kCancelled, .what = "stopped while fetching", .input = url_});
    }
    if (status == 404) {
      return fail(
          {.kind = ErrorKind::kNotFound, .what = kWhat, .input = url_, .why = "it is not there (404)"});
    }
    return fail(
        {.kind = ErrorKind::kIo,
         .what = kWhat,
         .input = url_,
         .why = status >= 400 ? fmt::format("the server answered {}", status) : curl_easy_strerror(code),
         .hint = "Run the same command again: it goes on where it stopped."});
  }

 private:
  static std::size_t on_bytes(char* data, std::size_t, std::size_t size, void* user) {
    Get& self = *static_cast<Get*>(user);
    const bool stop = self.options_.cancelled && self.options_.cancelled();
    return !stop && self.take_({data, size}) ? size : 0;
  }

  std::string url_;
  std::function<bool(std::string_view)> take_;
  const FetchOptions& options_;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy_{curl_easy_init(), &curl_easy_cleanup};
};

// [{"type": "file", "path": "vocab.txt", "size": 231508, "oid": "...", "lfs": {"oid": "...", "size": ...}}]
Result<std::map<std::string, Listed>> list_files(const KnownModel& model, const FetchOptions& options) {
  const std::string url =
      fmt::format("{}/api/models/{}/tree/{}", options.base_url, model.name, options.revision);
  std::string body;
  const auto take = [&](std::string_view bytes) {
    body += bytes;
    return body.size() <= kMaxSmallJson;
  };
  AWRY_TRY(Get(url, take, options).run(0));
  AWRY_TRY_ASSIGN(const Json list, parse_json(body, url));
  std::map<std::string, Listed> files;
  if (!list.is_array()) return fail({.what = kWhat, .input = url, .why = "the server sent no list of files"});
  for (const Json& entry : list) {
    if (!entry.is_object() || entry.value("type", Json()) != "file" || !entry.contains("path") ||
        !entry["path"].is_string() || !entry.contains("size") || !entry["size"].is_number_unsigned()) {
      continue;
    }
    Listed listed{.bytes = entry["size"].get<std::uint64_t>()};
    const auto text = [](const Json& object, const char* name) {
      const auto found = object.find(name);
      return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    if (entry.contains("lfs") && entry["lfs"].is_object()) {
      listed.sha256 = text(entry["lfs"], "oid");
    } else {
      listed.blob = text(entry, "oid");
    }
    files.emplace(entry["path"].get<std::string>(), std::move(listed));
  }
  return files;
}

Result<bool> is_right(const fs::path& path, const Listed& listed) {
  std::error_code error;
  if (fs::file_size(path, error) != listed.bytes || error) return false;
  if (!listed.sha256.empty()) {
    AWRY_TRY_ASSIGN(const std::string hash, sha256_hex_of_file(path));
    return hash == listed.sha256;
  }
  AWRY_TRY_ASSIGN(const std::string content, read_file(path, kMaxSmallFile));
  return git_blob_hash(content) == listed.blob;
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Result<FetchedFile> fetch_file(const std::string& name, const Listed& listed, const KnownModel& model,
                               const FetchOptions& options) {
  const fs::path path = options.folder / name, part = options.folder / (name + ".part");
  FetchedFile fetched{.name = name, .bytes = listed.bytes};
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) {
    AWRY_TRY_ASSIGN(const bool right, is_right(path, listed));
    if (right) return fetched;
  }
  std::uint64_t have = fs::is_regular_file(part, ignored) ? fs::file_size(part, ignored) : 0;
  if (have > listed.bytes) {
    fs::remove(part, ignored);
    have = 0;
  }
  if (have < listed.bytes) {
    const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(part.c_str(), "ab"));
    if (file == nullptr)
      return fail({.kind = ErrorKind::kIo, .what = "cannot write", .input = part.string()});
    const auto take = [&](std::string_view bytes) {
      if (have + bytes.size() > listed.bytes) return false;  // more than was promised
      have += bytes.size();
      fetched.downloaded += bytes.size();
      if (options.progress) options.progress(name, have, listed.bytes);
      return std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    };
    const std::string url =
        fmt::format("{}/{}/resolve/{}/{}", options.base_url, model.name, options.revision, name);
    AWRY_TRY(Get(url, take, options).run(have));
  }
  AWRY_TRY_ASSIGN(const bool right, is_right(part, listed));
  if (!right) {
    fs::remove(part, ignored);
    return fail({.what = kWhat,
                 .input = name,
                 .why = "what came is not what the server lists: size or hash differ",
                 .hint = "Run the same command again; the file was removed."});
  }
  fs::rename(part, path, ignored);
  if (ignored) return fail({.kind = ErrorKind::kIo, .what = "cannot write", .input = path.string()});
  return fetched;
}

}  // namespace

Result<std::vector<FetchedFile>> fetch_model(const KnownModel& model, const FetchOptions& options) {
  static const bool ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (!ready) return fail({.what = kWhat, .why = "libcurl does not start"});
  AWRY_TRY_ASSIGN(const auto listed, list_files(model, options));
  AWRY_TRY(make_folder(options.folder));
  std::vector<FetchedFile> fetched;
  for (const std::string_view name : model.files) {
    const auto found = listed.find(std::string(name));
    if (found == listed.end()) {
      if (name == "tokenizer_config.json") continue;  // not every model has one
      return fail({.kind = ErrorKind::kNotFound,
                   .what = kWhat,
                   .input = std::string(model.name),
                   .why = fmt::format("the server does not list {}", name)});
    }
    const Listed& file_listed = found->second;
    const bool is_small = file_listed.blob.size() == 40 && file_listed.bytes <= kMaxSmallFile;
    const bool checkable = file_listed.sha256.size() == 64 || (file_listed.sha256.empty() && is_small);
    if (!checkable || file_listed.bytes > kMaxFile) {
      return fail({.what = kWhat,
                   .input = std::string(name),
                   .why = "the server lists no hash to verify it with, or too large a size"});
    }
    AWRY_TRY_ASSIGN(FetchedFile file, fetch_file(std::string(name), file_listed, model, options));
    fetched.push_back(std::move(file));
  }
  return fetched;
}

}  // namespace awry::inspectors::networks
