#include "land_files.h"

#include <algorithm>
#include <map>
#include <optional>

#include <base/json.h>
#include <base/text.h>

namespace load {

namespace {

constexpr std::string_view kFilesPrefix = "Files/";

std::size_t code_point_size(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
  return size;
}

// Whether `c` is in the set that `pattern` opens with; moves the pattern behind it. A set without
// its closing bracket is no set.
std::optional<bool> in_set(std::string_view& pattern, char c) {
  const bool negated = pattern.size() > 1 && (pattern[1] == '!' || pattern[1] == '^');
  const std::size_t first = negated ? 2 : 1;
  const std::size_t end = pattern.find(']', first + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view set = pattern.substr(first, end - first);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const bool is_range = i + 2 < set.size() && set[i + 1] == '-';
    if (is_range ? set[i] <= c && c <= set[i + 2] : set[i] == c) found = true;
    if (is_range) i += 2;
  }
  pattern.remove_prefix(end + 1);
  return found != negated;
}

bool is_inside(std::string_view path, std::string_view folder) {
  return path == folder ||
         (path.starts_with(folder) && (folder.ends_with('/') || path[folder.size()] == '/'));
}

class Walk {
 public:
  Walk(const world::Files& files, bool wants_folders, std::string root, std::string prefix, std::string home,
       FoundFiles& found)
      : files_(files),
        wants_folders_(wants_folders),
        root_(std::move(root)),
        prefix_(std::move(prefix)),
        home_(std::move(home)),
        found_(found) {}

  base::Status run(std::vector<std::string_view> parts) {
    parts_ = std::move(parts);
    if (parts_.back() == "**") parts_.emplace_back("*");
    return folder(root_, "", 0);
  }

 private:
  // `real` has no link in it; `path` is how the glob came here.
  base::Status folder(const std::string& real, const std::string& path, std::size_t part) {
    if (!home_.empty() && is_inside(real, home_)) return {};
    const auto entries = files_.list(real);
    if (!entries && entries.error().kind == base::Kind::not_found) return {};
    if (!entries) return base::fail(entries.error());
    const bool is_any = parts_[part] == "**";
    if (is_any) TRY_STATUS(folder(real, path, part + 1));
    for (const world::FileInfo& entry : *entries) {
      const bool matches = is_any ? matches_glob("*", entry.name) : matches_glob(parts_[part], entry.name);
      if (!matches) continue;
      const bool is_last = part + 1 == parts_.size();
      if (entry.is_directory == (is_last && !wants_folders_)) continue;
      std::string entry_real = world::path_join(real, entry.name);
      const std::string entry_path = path.empty() ? entry.name : path + "/" + entry.name;
      if (entry.is_link && !follow(entry_real, entry_path)) continue;
      if (is_last) {
        found_.files.push_back(FoundFile{prefix_ + entry_path, entry_real, entry.size, entry.modified_us});
        continue;
      }
      TRY_STATUS(enter(entry_real, entry_path, is_any ? part : part + 1, real));
    }
    return {};
  }

  // A folder that is already open on the way here would be walked for ever.
  base::Status enter(const std::string& real, const std::string& path, std::size_t part,
                     const std::string& from) {
    if (std::find(open_.begin(), open_.end(), real) != open_.end() || real == from) return {};
    open_.push_back(from);
    base::Status status = folder(real, path, part);
    open_.pop_back();
    return status;
  }

  bool follow(std::string& real, const std::string& path) {
    const auto target = files_.real_path(real);
    if (target && is_inside(*target, root_)) {
      if (!home_.empty() && is_inside(*target, home_)) return false;
      real = *target;
      return true;
    }
    found_.warnings.push_back(prefix_ + path +
                              (target ? " is a link out of " + root_ : " is a link to nothing") +
                              "; it is not followed");
    return false;
  }

  const world::Files& files_;
  bool wants_folders_;
  std::string root_;
  std::string prefix_;
  std::string home_;
  FoundFiles& found_;
  std::vector<std::string_view> parts_;
  std::vector<std::string> open_;
};

std::string readable(const std::string& path) {
  std::string text;
  for (const char c : path) text += static_cast<unsigned char>(c) < 0x80 ? c : '?';
  return text;
}

}  // namespace

std::optional<base::Error> refuse_by_name(const std::string& path) {
  if (!base::is_utf8(path))
    return base::Error{base::Kind::invalid,
                       "land.bad_path",
                       "the file name " + base::json_quote(readable(path)) + " is not UTF-8",
                       "rename the file",
                       {}};
  return std::nullopt;
}

bool matches_glob(std::string_view pattern, std::string_view name) {
  if (name.starts_with('.') && !pattern.starts_with('.')) return false;
  // Where to go on when a later part does not match: behind the last star.
  std::optional<std::string_view> star_pattern;
  std::string_view star_name;
  for (;;) {
    if (!pattern.empty() && pattern[0] == '*') {
      pattern.remove_prefix(1);
      star_pattern = pattern;
      star_name = name;
      continue;
    }
    bool one = false;
    if (!name.empty() && !pattern.empty()) {
      std::size_t name_step = 1;
      std::string_view rest = pattern.substr(1);
      std::optional<bool> set;
      if (pattern[0] == '[') {
        std::string_view behind = pattern;
        set = in_set(behind, name[0]);
        if (set) rest = behind;
      }
      if (pattern[0] == '?') name_step = code_point_size(name);
      one = set ? *set : pattern[0] == '?' || pattern[0] == name[0];
      if (one) {
        name.remove_prefix(name_step);
        pattern = rest;
        continue;
      }
    }
    if (pattern.empty() && name.empty()) return true;
    if (!star_pattern || star_name.empty()) return false;
    star_name.remove_prefix(1);
    name = star_name;
    pattern = *star_pattern;
  }
}

namespace {

base::Result<FoundFiles> find(const world::Files& files, bool wants_folders, const GlobPlace& place,
                              const std::vector<std::string>& globs) {
  const auto real_or_empty = [&](const std::string& path) {
    const auto real = files.real_path(path);
    return real ? *real : std::string();
  };
  const std::string home = real_or_empty(place.home_root);
  FoundFiles found;
  for (const std::string& glob : globs) {
    const bool in_lakehouse = glob.starts_with(kFilesPrefix);
    const std::string root = real_or_empty(in_lakehouse ? place.files_root : place.project_root);
    if (root.empty()) continue;
    std::string_view rest = glob;
    if (in_lakehouse) rest.remove_prefix(kFilesPrefix.size());
    std::vector<std::string_view> parts = base::split(rest, '/');
    for (const std::string_view part : parts)
      if (part.empty() || part == "." || part == "..")
        return base::fail(base::Kind::invalid, "land.bad_glob",
                          "\"" + glob + "\" is no path below the project",
                          "write it relative to the project, as in landing/orders/*.csv");
    Walk walk(files, wants_folders, root, std::string(in_lakehouse ? kFilesPrefix : ""),
              in_lakehouse ? "" : home, found);
    TRY_STATUS(walk.run(std::move(parts)));
  }
  std::map<std::string, FoundFile> by_path;
  for (FoundFile& file : found.files) by_path.emplace(file.path, std::move(file));
  found.files.clear();
  for (auto& [path, file] : by_path) found.files.push_back(std::move(file));
  return found;
}

}  // namespace

base::Result<FoundFiles> find_files(const world::Files& files, const GlobPlace& place,
                                    const std::vector<std::string>& globs) {
  return find(files, false, place, globs);
}

base::Result<FoundFiles> find_folders(const world::Files& files, const GlobPlace& place,
                                      const std::vector<std::string>& globs) {
  return find(files, true, place, globs);
}

}  // namespace load
