// What callers lent to the engine, by id; and errors of ours on their way through its messages.
// Safe to share between threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include <base/result.h>
#include <engine/engine.h>

namespace engine {

class Registry {
 public:
  std::uint64_t add(std::shared_ptr<RowFunction> function);
  std::uint64_t add(std::shared_ptr<RowSource> source);
  void forget(std::uint64_t id);
  std::shared_ptr<RowFunction> function(std::uint64_t id) const;
  std::shared_ptr<RowSource> source(std::uint64_t id) const;

  // Keeps an error of ours; the returned text ends in a mark by which take() finds it again in
  // whatever the engine makes of that text.
  std::string keep(const base::Error& error);
  std::optional<base::Error> take(std::string_view engine_message);
  // For messages that lost their mark: an error kept since mark() was called.
  std::uint64_t mark() const;
  std::optional<base::Error> take_since(std::uint64_t mark);

 private:
  mutable std::shared_mutex mutex_;
  std::uint64_t next_id_ = 1;
  std::map<std::uint64_t, std::shared_ptr<RowFunction>> functions_;
  std::map<std::uint64_t, std::shared_ptr<RowSource>> sources_;
  std::uint64_t next_error_ = 1;
  std::map<std::uint64_t, base::Error> errors_;
};

}  // namespace engine
