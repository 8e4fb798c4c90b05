// SPDX-License-Identifier: Apache-2.0
// libcurl's multi-socket interface on epoll: the cost of an event does not grow with the number in flight.
#include "awry/inspectors/vlm/transfer.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "awry/base/text.h"

namespace awry::inspectors::vlm {
namespace {

using Done = std::function<void(HttpResponse)>;

constexpr long kIdleConnections = 4096;
constexpr rlim_t kWantedDescriptors = 16'384;
constexpr std::size_t kLargeBody = 256u << 10;
// Bodies of megabytes come and go with every question; memory given back to the system in between would be
// cleared page by page each time, which costs more than encoding the picture does.
constexpr int kFromSystemAbove = 32 << 20, kKeptBytes = 128 << 20;

struct CurlGlobal {
  CurlGlobal() {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    // Thousands of connections need more than the customary 1,024 descriptors.
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < kWantedDescriptors) {
      files.rlim_cur = std::min<rlim_t>(files.rlim_max, kWantedDescriptors);
      setrlimit(RLIMIT_NOFILE, &files);
    }
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, kFromSystemAbove);
    mallopt(M_TRIM_THRESHOLD, kKeptBytes);
#endif
  }
};

// One easy handle with what it sends and receives; used again for later requests.
struct Transfer {
  CURL* easy = curl_easy_init();
  curl_slist* header_lines = nullptr;
  HttpRequest request;
  HttpResponse response;
  Done done;
  std::size_t max_response_bytes = 0;
  bool too_large = false;
  std::array<char, CURL_ERROR_SIZE> curl_says{};

  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() {
    curl_easy_cleanup(easy);
    curl_slist_free_all(header_lines);
  }

  void clear() {
    curl_easy_reset(easy);
    curl_slist_free_all(std::exchange(header_lines, nullptr));
    request = {};
    response = {};
    done = nullptr;
    too_large = false;
    curl_says.fill('\0');
  }
};

std::size_t on_body(char* data, std::size_t, std::size_t size, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  std::string& body = transfer.response.body;
  if (body.size() + size > transfer.max_response_bytes) {
    transfer.too_large = true;
    return 0;  // ends the exchange
  }
  body.append(data, size);
  return size;
}

std::size_t on_header(char* data, std::size_t, std::size_t size, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) transfer.response.headers.clear();  // an interim response came before
  if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
    transfer.response.headers.push_back(
        {std::string(trim(line.substr(0, colon))), std::string(trim(line.substr(colon + 1)))});
  }
  return size;
}

Fault fault_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return Fault::kNone;
    case CURLE_OPERATION_TIMEDOUT:
      return Fault::kTimeout;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return Fault::kBadUrl;
    default:
      return Fault::kConnection;
  }
}

class CurlQueue final : public TransferQueue {
 public:
  explicit CurlQueue(const CurlOptions& options) : options_(options) {
    static const CurlGlobal global;
    if (options_.ca_file.empty()) {
      if (const char* file = std::getenv("SSL_CERT_FILE"); file != nullptr) options_.ca_file = file;
    }
    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    epoll_event event{.events = EPOLLIN, .data = {.fd = wake_}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event);

    multi_ = curl_multi_init();
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlQueue::watch_socket);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlQueue::set_curl_timer);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kIdleConnections);
    curl_multi_setopt(multi_, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    thread_ = std::thread([this] { run(); });
  }

  ~CurlQueue() override {
    stopping_.store(true);
    wake();
    thread_.join();
    for (const auto& [easy, transfer] : active_) curl_multi_remove_handle(multi_, easy);
    active_.clear();
    spare_.clear();
    curl_multi_cleanup(multi_);
    close(wake_);
    close(epoll_);
  }

  void submit(HttpRequest request, Done done) override {
    // std::function wants copies, a response callback should not be copied with its body.
    auto shared = std::make_shared<std::pair<HttpRequest, Done>>(std::move(request), std::move(done));
    post([this, shared] { start(std::move(shared->first), std::move(shared->second)); });
  }

  void call_at(Clock::time_point when, std::function<void()> task) override {
    {
      const std::lock_guard lock(mutex_);
      timed_.emplace(when, std::move(task));
    }
    wake_from_other_threads();
  }

  void cancel_all() override {
    post([this] {
      for (auto& [easy, transfer] : std::exchange(active_, {})) {
        curl_multi_remove_handle(multi_, easy);
        transfer->response.fault = Fault::kCancelled;
        transfer->response.why = "cancelled";
        hand_over(std::move(transfer));
      }
    });
  }

 private:
  // Everything that arrives from outside, in the order it arrived.
  void post(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      posted_.push_back(std::move(task));
    }
    wake_from_other_threads();
  }

  void wake_from_other_threads() {
    if (std::this_thread::get_id() != thread_.get_id()) wake();
  }
  void wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
  }

  void run() {
    std::array<epoll_event, 256> events;
    while (!stopping_.load()) {
      run_due_tasks();
      const int count = epoll_wait(epoll_, events.data(), events.size(), milliseconds_to_wait());
      for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        if (event.data.fd == wake_) {
          std::uint64_t drained;
          [[maybe_unused]] const ssize_t got = read(wake_, &drained, sizeof drained);
        } else {
          act_on_socket(event);
        }
      }
      if (curl_timer_ && *curl_timer_ <= Clock::now()) {
        curl_timer_.reset();
        int running = 0;
        curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
      }
      collect_finished();
    }
  }

  void act_on_socket(const epoll_event& event) {
    int what = 0, running = 0;
    if (event.events & (EPOLLIN | EPOLLHUP | EPOLLRDHUP)) what |= CURL_CSELECT_IN;
    if (event.events & EPOLLOUT) what |= CURL_CSELECT_OUT;
    if (event.events & EPOLLERR) what |= CURL_CSELECT_ERR;
    curl_multi_socket_action(multi_, event.data.fd, what, &running);
  }

  int milliseconds_to_wait() {
    std::optional<Clock::time_point> next = curl_timer_;
    {
      const std::lock_guard lock(mutex_);
      if (!posted_.empty()) return 0;
      if (!timed_.empty() && (!next || timed_.begin()->first < *next)) next = timed_.begin()->first;
    }
    if (!next) return -1;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(wait, 0, 60'000));
  }

  // One round of what is due now; tasks added meanwhile wait for the next round, so sockets get their turn.
  void run_due_tasks() {
    std::vector<std::function<void()>> due;
    {
      const std::lock_guard lock(mutex_);
      due.swap(posted_);
      const auto end = timed_.upper_bound(Clock::now());
      for (auto task = timed_.begin(); task != end; ++task) due.push_back(std::move(task->second));
      timed_.erase(timed_.begin(), end);
    }
    for (const std::function<void()>& task : due) task();
  }

  void start(HttpRequest request, Done done) {
    std::unique_ptr<Transfer> transfer;
    if (spare_.empty()) {
      transfer = std::make_unique<Transfer>();
    } else {
      transfer = std::move(spare_.back());
      spare_.pop_back();
    }
    transfer->request = std::move(request);
    transfer->done = std::move(done);
    transfer->max_response_bytes = options_.max_response_bytes;
    set_up(*transfer);
    CURL* easy = transfer->easy;
    active_.emplace(easy, std::move(transfer));
    curl_multi_add_handle(multi_, easy);
  }

  void set_up(Transfer& transfer) {
    CURL* easy = transfer.easy;
    const HttpRequest& request = transfer.request;
    // An empty Expect: spares a round trip, and a full second with servers that never answer it.
    transfer.header_lines = curl_slist_append(nullptr, "Expect:");
    for (const Header& header : request.headers) {
      const std::string line = header.value.empty() ? header.name + ";" : header.name + ": " + header.value;
      transfer.header_lines = curl_slist_append(transfer.header_lines, line.c_str());
    }
    curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer.header_lines);
    if (request.body) set_body(easy, *request.body);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS,
                     static_cast<long>(std::max<long long>(1, request.timeout.count())));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout.count()));
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
    // Rather share a connection than open one, but only where the handshake tells whether it can be shared:
    // without TLS all others would wait for the first response.
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, request.url.starts_with("https:") ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "awry");
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.curl_says.data());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
    if (!options_.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, options_.ca_file.c_str());
  }

  static void set_body(CURL* easy, const std::string& body) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.data());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    // Small ones keep thousands in flight cheap; large ones feed megabytes of pictures in few calls.
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, body.size() > kLargeBody ? 512L << 10 : 16L << 10);
  }

  void collect_finished() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      auto node = active_.extract(message->easy_handle);
      curl_multi_remove_handle(multi_, node.key());
      fill_response(*node.mapped(), code);
      hand_over(std::move(node.mapped()));
    }
  }

  static void fill_response(Transfer& transfer, CURLcode code) {
    HttpResponse& response = transfer.response;
    long status = 0;
    curl_off_t microseconds = 0;
    curl_easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(transfer.easy, CURLINFO_TOTAL_TIME_T, &microseconds);
    response.status = static_cast<int>(status);
    response.elapsed = std::chrono::microseconds(microseconds);
    response.fault = transfer.too_large ? Fault::kTooLarge : fault_of(code);
    if (response.fault == Fault::kTooLarge) {
      response.why = fmt::format("the response is larger than {}", human_bytes(transfer.max_response_bytes));
    } else if (code != CURLE_OK) {
      const char* detail =
          transfer.curl_says[0] != '\0' ? transfer.curl_says.data() : curl_easy_strerror(code);
      response.why = repair_utf8(trim(detail));
    }
  }

  void hand_over(std::unique_ptr<Transfer> transfer) {
    const Done done = std::move(transfer->done);
    HttpResponse response = std::move(transfer->response);
    transfer->clear();
    spare_.push_back(std::move(transfer));
    done(std::move(response));
  }

  static int watch_socket(CURL*, curl_socket_t socket, int what, void* user, void* known) {
    auto* self = static_cast<CurlQueue*>(user);
    if (what == CURL_POLL_REMOVE) {
      epoll_ctl(self->epoll_, EPOLL_CTL_DEL, socket, nullptr);
      curl_multi_assign(self->multi_, socket, nullptr);
      return 0;
    }
    epoll_event event{.events = 0, .data = {.fd = socket}};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    epoll_ctl(self->epoll_, known == nullptr ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
    curl_multi_assign(self->multi_, socket, self);  // any value that is not null: "already watched"
    return 0;
  }

  static int set_curl_timer(CURLM*, long milliseconds, void* user) {
    auto* self = static_cast<CurlQueue*>(user);
    if (milliseconds < 0) {
      self->curl_timer_.reset();
    } else {
      self->curl_timer_ = Clock::now() + std::chrono::milliseconds(milliseconds);
    }
    return 0;
  }

  CurlOptions options_;
  CURLM* multi_ = nullptr;
  int epoll_ = -1, wake_ = -1;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;  // guards what other threads leave here
  std::vector<std::function<void()>> posted_;
  std::multimap<Clock::time_point, std::function<void()>> timed_;
  // Only the engine's thread touches these.
  std::optional<Clock::time_point> curl_timer_;
  std::unordered_map<CURL*, std::unique_ptr<Transfer>> active_;
  std::vector<std::unique_ptr<Transfer>> spare_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<TransferQueue> make_curl_queue(const CurlOptions& options) {
  return std::make_unique<CurlQueue>(options);
}

}  // namespace awry::inspectors::vlm
