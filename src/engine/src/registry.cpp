#include "registry.h"

#include <charconv>

namespace engine {

namespace {

constexpr std::string_view kMark = " [error of ours no. ";
constexpr std::size_t kErrorsMax = 64;  // those that nobody took: try(…) swallowed them

template <typename T>
std::shared_ptr<T> lookup(const std::map<std::uint64_t, std::shared_ptr<T>>& all, std::uint64_t id) {
  const auto found = all.find(id);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace

std::uint64_t Registry::add(std::shared_ptr<RowFunction> function) {
  const std::unique_lock lock(mutex_);
  functions_[next_id_] = std::move(function);
  return next_id_++;
}

std::uint64_t Registry::add(std::shared_ptr<RowSource> source) {
  const std::unique_lock lock(mutex_);
  sources_[next_id_] = std::move(source);
  return next_id_++;
}

void Registry::forget(std::uint64_t id) {
  const std::unique_lock lock(mutex_);
  functions_.erase(id);
  sources_.erase(id);
}

std::shared_ptr<RowFunction> Registry::function(std::uint64_t id) const {
  const std::shared_lock lock(mutex_);
  return lookup(functions_, id);
}

std::shared_ptr<RowSource> Registry::source(std::uint64_t id) const {
  const std::shared_lock lock(mutex_);
  return lookup(sources_, id);
}

std::string Registry::keep(const base::Error& error) {
  const std::unique_lock lock(mutex_);
  if (errors_.size() >= kErrorsMax) errors_.erase(errors_.begin());
  errors_[next_error_] = error;
  return error.message + std::string(kMark) + std::to_string(next_error_++) + "]";
}

std::optional<base::Error> Registry::take(std::string_view engine_message) {
  const std::size_t mark = engine_message.rfind(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::string_view digits = engine_message.substr(mark + kMark.size());
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const std::unique_lock lock(mutex_);
  const auto found = errors_.find(number);
  if (found == errors_.end()) return std::nullopt;
  base::Error error = std::move(found->second);
  errors_.erase(found);
  return error;
}

std::uint64_t Registry::mark() const {
  const std::shared_lock lock(mutex_);
  return next_error_;
}

std::optional<base::Error> Registry::take_since(std::uint64_t mark) {
  const std::unique_lock lock(mutex_);
  const auto found = errors_.lower_bound(mark);
  if (found == errors_.end()) return std::nullopt;
  base::Error error = std::move(found->second);
  errors_.erase(found);
  return error;
}

}  // namespace engine
