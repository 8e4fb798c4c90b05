// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/vlm/testing/scripted_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <unordered_map>

#include "awry/base/text.h"

namespace awry::inspectors::vlm::testing {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kEvents = 256;
using Events = std::array<epoll_event, kEvents>;

struct Connection {
  std::uint64_t serial = 0;  // descriptors are used again; this tells their owners apart
  std::string in, out;
  std::size_t head_end = 0, body_size = 0;  // of the request being read, once its head is complete
  std::size_t written = 0;
  bool busy = false, close_when_written = false;
  std::string answered_question;  // once `out` is on its way
};

std::string question_of(std::string_view body) {
  const std::size_t end = body.rfind("]]");
  const std::size_t start = end == std::string_view::npos ? end : body.rfind("[[", end);
  return start == std::string_view::npos ? "" : std::string(body.substr(start + 2, end - start - 2));
}

ReceivedRequest parse_request(std::string_view head, std::string body) {
  ReceivedRequest request{.body = std::move(body), .arrived = Clock::now()};
  const auto lines = split_lines(head);
  const auto words = split(lines.front(), ' ');
  if (words.size() > 1) request.path = std::string(words[1]);
  for (const std::string_view line : lines) {
    const std::size_t colon = line.find(':');
    if (&line == &lines.front() || colon == std::string_view::npos) continue;
    request.headers[to_lower_ascii(line.substr(0, colon))] = std::string(trim(line.substr(colon + 1)));
  }
  request.question = question_of(request.body);
  return request;
}

std::size_t content_length(std::string_view head) {
  for (const std::string_view line : split_lines(head)) {
    if (const std::size_t colon = line.find(':');
        colon != std::string_view::npos && equals_ignoring_case(line.substr(0, colon), "content-length")) {
      return static_cast<std::size_t>(parse_integer(trim(line.substr(colon + 1))).value_or(0));
    }
  }
  return 0;
}

std::string wire_form(const ScriptedReply& reply) {
  std::string out = fmt::format("HTTP/1.1 {} Scripted\r\nContent-Type: {}\r\nContent-Length: {}\r\n",
                                reply.status, reply.content_type, reply.body.size());
  for (const auto& [name, value] : reply.headers) out += fmt::format("{}: {}\r\n", name, value);
  out += "\r\n";
  const bool whole = reply.ending == Ending::kWhole;
  out += std::string_view(reply.body).substr(0, whole ? reply.body.size() : reply.body.size() / 2);
  return out;
}

int listen_on_loopback(int port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 4096) != 0) {
    throw std::runtime_error("the scripted server cannot listen on the loopback interface");
  }
  return listener;
}

}  // namespace

class ScriptedServer::Loop {
 public:
  Loop(Script script, int port) : script_(std::move(script)), listener_(listen_on_loopback(port)) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    watch(listener_, EPOLLIN, EPOLL_CTL_ADD);
    watch(wake_, EPOLLIN, EPOLL_CTL_ADD);
    thread_ = std::thread([this] { run(); });
  }

  ~Loop() {
    stopping_.store(true);
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
    thread_.join();
    for (const auto& [socket, connection] : connections_) close(socket);
    close(listener_);
    close(wake_);
    close(epoll_);
  }

  int port() const { return port_; }
  ServerCounts counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  struct Due {
    int socket;
    std::uint64_t serial;
    ScriptedReply reply;
    std::string question;
    Clock::time_point arrived;
  };

  void run() {
    Events events;
    while (!stopping_.load()) {
      const int count = wait_until_due(events);
      for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        if (event.data.fd == listener_) {
          accept_all();
        } else if (event.data.fd != wake_) {
          serve(event.data.fd, event.events);
        }
      }
      send_due();
    }
  }

  int wait_until_due(Events& events) {
    if (due_.empty()) return epoll_wait(epoll_, events.data(), kEvents, -1);
    const auto wait = std::max(Clock::duration::zero(), due_.begin()->first - Clock::now());
    const auto whole = std::chrono::floor<std::chrono::seconds>(wait);
    const timespec time{.tv_sec = whole.count(), .tv_nsec = std::chrono::nanoseconds(wait - whole).count()};
    return epoll_pwait2(epoll_, events.data(), kEvents, &time, nullptr);
  }

  void accept_all() {
    for (;;) {
      const int socket = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (socket < 0) return;
      const int yes = 1;
      setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      connections_[socket] = {.serial = ++last_serial_};
      watch(socket, EPOLLIN, EPOLL_CTL_ADD);
      const std::lock_guard lock(mutex_);
      ++counts_.connections;
    }
  }

  void serve(int socket, std::uint32_t events) {
    const auto found = connections_.find(socket);
    if (found == connections_.end()) return;
    Connection& connection = found->second;
    if ((events & EPOLLOUT) != 0 && !flush(socket, connection)) return;
    if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0 && !receive(socket, connection)) return;
    take_request(socket, connection);
  }

  // False when the connection is gone.
  bool receive(int socket, Connection& connection) {
    static thread_local std::array<char, 256 << 10> buffer;
    for (;;) {
      const ssize_t got = recv(socket, buffer.data(), buffer.size(), 0);
      if (got > 0) {
        connection.in.append(buffer.data(), static_cast<std::size_t>(got));
        if (static_cast<std::size_t>(got) < buffer.size()) return true;
      } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        return true;
      } else {
        hang_up(socket);
        return false;
      }
    }
  }

  void take_request(int socket, Connection& connection) {
    if (connection.busy) return;
    if (connection.head_end == 0) {
      const std::size_t blank = connection.in.find("\r\n\r\n");
      if (blank == std::string::npos) return;
      connection.head_end = blank + 4;
      connection.body_size = content_length(std::string_view(connection.in).substr(0, blank));
      connection.in.reserve(connection.head_end + connection.body_size);
    }
    const std::size_t size = connection.head_end + connection.body_size;
    if (connection.in.size() < size) return;
    ReceivedRequest request =
        parse_request(std::string_view(connection.in).substr(0, connection.head_end - 4),
                      connection.in.substr(connection.head_end, connection.body_size));
    connection.in.erase(0, size);
    connection.head_end = connection.body_size = 0;
    connection.busy = true;
    ++in_flight_;
    note(request, size);

    ScriptedReply reply = script_(request);
    if (reply.ending == Ending::kStall) return;
    due_.emplace(request.arrived + reply.latency, Due{socket, connection.serial, std::move(reply),
                                                      std::move(request.question), request.arrived});
  }

  void note(ReceivedRequest& request, std::size_t size) {
    const std::lock_guard lock(mutex_);
    ++counts_.requests;
    counts_.bytes += size;
    counts_.peak_in_flight = std::max(counts_.peak_in_flight, in_flight_);
    request.nth = ++counts_.per_question[request.question];
    if (!request.question.empty() && answered_.contains(request.question)) ++counts_.asked_after_reply;
  }

  void send_due() {
    const Clock::time_point now = Clock::now();
    while (!due_.empty() && due_.begin()->first <= now) {
      const Due due = std::move(due_.extract(due_.begin()).mapped());
      const auto found = connections_.find(due.socket);
      if (found == connections_.end() || found->second.serial != due.serial) continue;
      Connection& connection = found->second;
      connection.busy = false;
      --in_flight_;
      if (due.reply.ending == Ending::kDrop) {
        hang_up(due.socket);
        continue;
      }
      connection.out = wire_form(due.reply);
      connection.written = 0;
      connection.close_when_written = due.reply.ending == Ending::kDropMid;
      if (due.reply.counts_as_reply) connection.answered_question = due.question;
      if (due.reply.ending == Ending::kWhole) {
        const std::lock_guard lock(mutex_);
        ++counts_.by_status[due.reply.status];
        counts_.held_seconds += std::chrono::duration<double>(Clock::now() - due.arrived).count();
      }
      if (flush(due.socket, connection)) take_request(due.socket, connection);
    }
  }

  // False when the connection is gone.
  bool flush(int socket, Connection& connection) {
    while (connection.written < connection.out.size()) {
      const ssize_t sent = send(socket, connection.out.data() + connection.written,
                                connection.out.size() - connection.written, MSG_NOSIGNAL);
      if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        watch(socket, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
        return true;
      }
      if (sent < 0) {
        hang_up(socket);
        return false;
      }
      connection.written += static_cast<std::size_t>(sent);
    }
    if (!connection.answered_question.empty())
      answered_.insert(std::exchange(connection.answered_question, {}));
    if (connection.close_when_written) {
      hang_up(socket);
      return false;
    }
    watch(socket, EPOLLIN, EPOLL_CTL_MOD);
    return true;
  }

  void hang_up(int socket) {
    if (connections_.at(socket).busy) --in_flight_;
    connections_.erase(socket);
    close(socket);
  }

  void watch(int socket, std::uint32_t events, int how) {
    epoll_event event{.events = events, .data = {.fd = socket}};
    epoll_ctl(epoll_, how, socket, &event);
  }

  Script script_;
  int listener_, port_ = 0;
  int epoll_ = epoll_create1(EPOLL_CLOEXEC), wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::atomic<bool> stopping_{false};
  std::unordered_map<int, Connection> connections_;
  std::multimap<Clock::time_point, Due> due_;
  std::set<std::string> answered_;
  std::uint64_t last_serial_ = 0;
  std::size_t in_flight_ = 0;
  mutable std::mutex mutex_;
  ServerCounts counts_;
  std::thread thread_;
};

ScriptedServer::ScriptedServer(Script script, int port)
    : loop_(std::make_unique<Loop>(std::move(script), port)) {}
ScriptedServer::~ScriptedServer() = default;
std::string ScriptedServer::base_url() const {
  return fmt::format("http://127.0.0.1:{}/v1", loop_->port());
}
ServerCounts ScriptedServer::counts() const {
  return loop_->counts();
}

}  // namespace awry::inspectors::vlm::testing
