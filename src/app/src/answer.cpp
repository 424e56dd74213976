#include "answer.h"

#include <algorithm>

#include <base/text.h>

namespace app {

int exit_code(const base::Error& error) {
  using base::Kind;
  if (error.code.starts_with("usage.")) return 2;
  if (error.code == "world.not_found") return 1;
  if (error.code.starts_with("world.")) return 3;
  switch (error.kind) {
    case Kind::io:
    case Kind::conflict:
    case Kind::internal:
      return 3;
    default:
      return 1;
  }
}

int exit_code(const Answer& answer) {
  int code = 0;
  for (const base::Error& error : answer.errors) code = std::max(code, exit_code(error));
  return code;
}

Answer failed(base::Error error) {
  Answer answer;
  answer.errors.push_back(std::move(error));
  return answer;
}

namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.-+%e ") == std::string_view::npos;
}

}  // namespace

std::string clipped(std::string_view text) {
  constexpr std::size_t kShownBytes = 200;
  std::size_t end = std::min(text.size(), kShownBytes);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  std::string shown;
  for (const char c : text.substr(0, end)) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    shown += is_control && c != '\n' ? '?' : c;
  }
  return end == text.size() ? shown : shown + "… (" + std::to_string(text.size()) + " bytes)";
}

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = clipped(cell);
  rows_.push_back(std::move(row));
}

std::string TextTable::print(int indent) const {
  const std::size_t columns = rows_.front().size();
  std::vector<std::size_t> widths(columns, 0);
  std::vector<bool> numeric(columns, rows_.size() > 1);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      widths[c] = std::max(widths[c], base::code_points(rows_[r][c]));
      if (r > 0 && !rows_[r][c].empty() && !is_number(rows_[r][c])) numeric[c] = false;
    }
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line(static_cast<std::size_t>(indent), ' ');
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string padding(widths[c] - base::code_points(row[c]), ' ');
      if (c > 0) line += "  ";
      line += numeric[c] ? padding + row[c] : row[c] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace app
