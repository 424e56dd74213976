#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include <world/simulation.h>
#include <world/world.h>

namespace world {
namespace {

Process shell(const std::string& script) {
  Process process;
  process.words = {"sh", "-c", script};
  process.folder = "/";
  process.limit_ms = 60'000;
  return process;
}

TEST(Outside, a_process_gets_its_input_folder_and_variables) {
  Process process = shell("cat; pwd; echo $TENTER_TOLD");
  process.input = "one\n";
  process.variables = {{"TENTER_TOLD", "two"}};
  const auto end = machine_outside()->run(process);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->output, "one\n/\ntwo\n");
  EXPECT_EQ(end->exit_code, 0);
}

TEST(Outside, the_exit_code_and_the_output_of_errors_are_given) {
  const auto end = machine_outside()->run(shell("echo bad >&2; exit 3"));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit_code, 3);
  EXPECT_EQ(end->output, "bad\n");
  EXPECT_EQ(machine_outside()->run(shell("kill -9 $$"))->exit_code, 128 + 9);
}

TEST(Outside, much_output_is_cut_and_much_input_may_be_left_unread) {
  Process process = shell("head -c 300000 /dev/zero | tr '\\0' x");
  process.input = std::string(1U << 20, 'y');
  const auto end = machine_outside()->run(process);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->output, std::string(4'096, 'x'));
  EXPECT_EQ(end->exit_code, 0);
}

TEST(Outside, a_process_is_ended_at_its_limit_with_what_it_started) {
  Process process = shell("sleep 600 & sleep 600");
  process.limit_ms = 30;
  const auto end = machine_outside()->run(process);
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->timed_out);
}

TEST(Outside, what_stays_in_the_background_is_not_waited_for) {
  const auto end = machine_outside()->run(shell("sleep 5 & echo done"));
  ASSERT_TRUE(end);
  EXPECT_FALSE(end->timed_out);
  EXPECT_EQ(end->output, "done\n");
}

TEST(Outside, a_program_that_is_not_there_is_an_error) {
  const auto end = machine_outside()->run({{"./no-such-program"}, "/", "", {}, 1'000});
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, "world.process");
  EXPECT_NE(end.error().message.find("./no-such-program"), std::string::npos);
}

// Listens on a port of its own and gives one answer.
class Listener {
 public:
  explicit Listener(std::string answer) : handle_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::bind(handle_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(handle_, 1), 0);
    EXPECT_EQ(::getsockname(handle_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, text = std::move(answer)] {
      const int client = ::accept(handle_, nullptr, nullptr);
      std::array<char, 512> piece{};
      while (heard_.find("body") == std::string::npos) {
        const ssize_t got = ::recv(client, piece.data(), piece.size(), 0);
        if (got <= 0) break;
        heard_.append(piece.data(), static_cast<std::size_t>(got));
      }
      (void)::send(client, text.data(), text.size(), MSG_NOSIGNAL);
      ::close(client);
    });
  }
  ~Listener() {
    if (thread_.joinable()) thread_.join();
    ::close(handle_);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  std::uint16_t port() const { return port_; }
  std::string heard() {
    thread_.join();
    return heard_;
  }

 private:
  int handle_;
  std::uint16_t port_ = 0;
  std::thread thread_;
  std::string heard_;
};

TEST(Outside, a_post_arrives_whole_and_gives_the_status) {
  Listener listener("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n");
  const auto status = machine_outside()->post(
      {"127.0.0.1", listener.port(), "/failed?x=1", "application/json", "body", 60'000});
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(*status, 202);
  const std::string heard = listener.heard();
  EXPECT_TRUE(heard.starts_with("POST /failed?x=1 HTTP/1.1\r\nHost: 127.0.0.1:")) << heard;
  EXPECT_NE(heard.find("Content-Type: application/json\r\nContent-Length: 4\r\n"), std::string::npos);
  EXPECT_TRUE(heard.ends_with("\r\n\r\nbody"));
}

TEST(Outside, an_answer_that_is_no_http_is_an_error) {
  Listener listener("what?\r\n\r\n");
  const auto status =
      machine_outside()->post({"localhost", listener.port(), "/", "text/plain", "body", 60'000});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, "world.post");
  EXPECT_NE(status.error().message.find("no HTTP"), std::string::npos);
}

TEST(Outside, a_post_that_nobody_answers_ends_at_its_limit) {
  const int handle = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(handle, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(handle, 1), 0);
  ASSERT_EQ(::getsockname(handle, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::uint16_t port = ntohs(address.sin_port);
  const auto silent = machine_outside()->post({"127.0.0.1", port, "/", "text/plain", "body", 30});
  ASSERT_FALSE(silent);
  EXPECT_NE(silent.error().message.find("time limit"), std::string::npos) << silent.error().message;
  ::close(handle);
  const auto refused = machine_outside()->post({"127.0.0.1", port, "/", "text/plain", "body", 60'000});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "world.post");
}

TEST(Outside, the_twin_keeps_what_it_was_told) {
  const World world = memory_world();
  const auto twin = std::dynamic_pointer_cast<SimulatedOutside>(world.outside);
  ASSERT_TRUE(twin);
  EXPECT_EQ(world.outside->run(shell("true"))->exit_code, 0);
  twin->answer_post(500);
  EXPECT_EQ(world.outside->post({"here", 1, "/", "", "", 1}).value(), 500);
  EXPECT_EQ(twin->processes().size(), 1U);
  EXPECT_EQ(twin->posts().at(0).host, "here");
}

}  // namespace
}  // namespace world
