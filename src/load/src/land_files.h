// Which delivered files a landing table's globs name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <world/world.h>

namespace load {

struct FoundFile {
  std::string path;      // as in _source_file: relative to the project, or Files/…
  std::string absolute;  // where it can be opened
  std::uint64_t size = 0;
  std::int64_t modified_us = 0;
};

struct FoundFiles {
  std::vector<FoundFile> files;  // sorted by path, each once
  std::vector<std::string> warnings;
};

struct GlobPlace {
  std::string project_root;
  std::string home_root;   // never entered from the project
  std::string files_root;  // the lakehouse's Files folder
};

// `*` and `?` stop at a slash and never match a leading dot; `[a-z]`, `[!a-z]`; `**` is any number of
// folders. A link is followed when its end is inside the root that the glob starts from.
base::Result<FoundFiles> find_files(const world::Files& files, const GlobPlace& place,
                                    const std::vector<std::string>& globs);
// The same for folders, whatever is in them; they have no size and no time.
base::Result<FoundFiles> find_folders(const world::Files& files, const GlobPlace& place,
                                      const std::vector<std::string>& globs);

// Why a file of this name cannot land, if it cannot.
std::optional<base::Error> refuse_by_name(const std::string& path);

bool matches_glob(std::string_view pattern, std::string_view name);  // one part of a path

}  // namespace load
