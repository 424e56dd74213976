#include <world/simulation.h>

#include <mutex>

namespace world {

namespace {

class Nobody final : public SimulatedOutside {
 public:
  base::Result<ProcessEnd> run(const Process& process) override {
    const std::lock_guard lock(mutex_);
    processes_.push_back(process);
    return end_;
  }
  base::Result<int> post(const HttpPost& post) override {
    const std::lock_guard lock(mutex_);
    posts_.push_back(post);
    return status_;
  }
  std::vector<Process> processes() const override {
    const std::lock_guard lock(mutex_);
    return processes_;
  }
  std::vector<HttpPost> posts() const override {
    const std::lock_guard lock(mutex_);
    return posts_;
  }
  void answer_run(base::Result<ProcessEnd> end) override {
    const std::lock_guard lock(mutex_);
    end_ = std::move(end);
  }
  void answer_post(base::Result<int> status) override {
    const std::lock_guard lock(mutex_);
    status_ = std::move(status);
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Process> processes_;
  std::vector<HttpPost> posts_;
  base::Result<ProcessEnd> end_ = ProcessEnd();
  base::Result<int> status_ = 204;
};

}  // namespace

std::shared_ptr<SimulatedOutside> simulated_outside() {
  return std::make_shared<Nobody>();
}

}  // namespace world
