#include "scan.h"

#include <algorithm>

#include <base/text.h>

namespace project {

namespace {

using base::Kind;

// Version control, environments, caches and editor leavings.
bool is_ignored(const std::string& name) {
  static const std::vector<std::string> kNames = {"_ignore", "venv", "node_modules", "__pycache__"};
  if (name.empty() || name.starts_with('.') || name.starts_with('#') || name.ends_with('~')) return true;
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

struct Name {
  std::string stem;
  std::string extension;  // lower case, with the dot
};

Name split_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {name, ""};
  return {name.substr(0, dot), base::ascii_lower(name.substr(dot))};
}

bool has_body(const Name& name) {
  return name.extension == ".sql" || name.extension == ".py";
}

// Whether a line begins with a key that only a document of ours has.
bool looks_like_document(std::string_view text) {
  static const std::vector<std::string> kKeys = {"landing",  "from",   "tableid",     "viewid",
                                                 "folderid", "testid", "assumptionid"};
  for (const std::string_view line : base::split(text, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string key = base::ascii_lower(line.substr(0, colon));
    std::erase_if(key, [](char c) { return c == '_' || c == '-' || c == ' '; });
    if (line.starts_with(' ')) continue;
    if (std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end()) return true;
  }
  return false;
}

class Scanner {
 public:
  Scanner(const world::Files& files, std::string root) : files_(files), root_(std::move(root)) {}

  base::Result<Scan> run() {
    TRY_STATUS(scan_root());
    std::sort(scan_.items.begin(), scan_.items.end());
    return std::move(scan_);
  }

 private:
  using Entries = std::vector<world::FileInfo>;

  base::Result<Entries> list(const std::string& folder) const {
    TRY(Entries entries, files_.list(folder.empty() ? root_ : world::path_join(root_, folder)));
    std::erase_if(entries, [](const world::FileInfo& entry) { return is_ignored(entry.name); });
    return entries;
  }

  void report(Kind kind, std::string code, std::string message, std::string hint, const std::string& file,
              bool is_folder = false) {
    const std::int64_t first = is_folder ? 0 : 1;
    scan_.errors.push_back(
        {kind, std::move(code), std::move(message), std::move(hint), {file, first, first}});
  }

  base::Status scan_root() {
    TRY(const Entries entries, list(""));
    for (const world::FileInfo& entry : entries) {
      const std::string& name = entry.name;
      if (!entry.is_directory) {
        if (base::equal_ignoring_case(name, "tenter.yaml") ||
            (name != "tenter.yml" && base::equal_ignoring_case(name, "tenter.yml")))
          report(Kind::invalid, "project.file_name",
                 "the settings of a project are in tenter.yml, not in " + name, "rename the file", name);
        else
          TRY_STATUS(check_misplaced(name));
      } else if (name == "Lakehouse") {
        scan_.has_item_folder = true;
        TRY_STATUS(scan_lakehouses());
      } else if (name == "Warehouse") {
        scan_.has_item_folder = true;
        TRY_STATUS(refuse_warehouses());
      } else if (base::equal_ignoring_case(name, "Lakehouse") ||
                 base::equal_ignoring_case(name, "Warehouse")) {
        scan_.has_item_folder = true;
        report(Kind::invalid, "project.folder_name", "the folder " + name + " is not spelled as items are",
               "rename it to Lakehouse or Warehouse", name, true);
      } else {
        TRY_STATUS(check_misplaced_in(name));
      }
    }
    return {};
  }

  base::Status refuse_warehouses() {
    TRY(const Entries entries, list("Warehouse"));
    for (const world::FileInfo& entry : entries)
      if (entry.is_directory)
        report(
            Kind::unsupported, "document.not_built", "warehouses are not built yet: Warehouse/" + entry.name,
            "move its documents to a lakehouse, or the folder into _ignore", "Warehouse/" + entry.name, true);
    return {};
  }

  base::Status scan_lakehouses() {
    TRY(const Entries entries, list("Lakehouse"));
    for (const world::FileInfo& entry : entries) {
      const std::string path = "Lakehouse/" + entry.name;
      if (!entry.is_directory) {
        TRY_STATUS(check_misplaced(path));
        continue;
      }
      if (entry.name.find_first_of("\\:.") != std::string::npos || base::trim(entry.name) != entry.name) {
        report(Kind::invalid, "project.item_name", "\"" + entry.name + "\" is no name for a lakehouse",
               "use none of \\ . : and no space around it", path, true);
        continue;
      }
      if (base::equal_ignoring_case(entry.name, "Tables")) {
        report(Kind::invalid, "project.misplaced", path + " would be a lakehouse called " + entry.name,
               "move it to Lakehouse/<name>/Tables", path, true);
        continue;
      }
      for (const std::string& other : scan_.items)
        if (base::equal_ignoring_case(other, path))
          report(Kind::invalid, "project.item_name", path + " and " + other + " differ only by case",
                 "rename one of them", path, true);
      scan_.items.push_back(path);
      TRY_STATUS(scan_item(path));
    }
    return {};
  }

  base::Status scan_item(const std::string& item) {
    TRY(const Entries entries, list(item));
    for (const world::FileInfo& entry : entries) {
      const std::string path = item + "/" + entry.name;
      if (entry.is_directory)
        TRY_STATUS(scan_item_folder(item, path, entry.name));
      else
        TRY_STATUS(scan_item_file(item, path, entry.name));
    }
    return {};
  }

  base::Status scan_item_file(const std::string& item, const std::string& path,
                              const std::string& file_name) {
    const Name name = split_name(file_name);
    if (name.stem == "shortcuts" && (has_body(name) || name.extension == ".yml")) {
      refuse(path, "shortcuts are");
    } else if (name.stem.find('.') != std::string::npos || has_body(name)) {
      add_document(item, path, name);
    } else {
      TRY_STATUS(check_misplaced(path));
    }
    return {};
  }

  base::Status scan_item_folder(const std::string& item, const std::string& path, const std::string& name) {
    static const std::vector<std::string> kOthers = {"lib", "contracts", "cases", "landing"};
    if (name == "Tables") return scan_tables(item, path);
    if (name == "Files") return refuse_documents(path, "documents of folders are");
    if (name == "tests") return refuse_documents(path, "tests are");
    if (name == "assumptions") return refuse_documents(path, "assumptions are");
    if (name == "schemas") return refuse_documents(path, "documents of schemas are");
    if (std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end()) return {};
    if (base::equal_ignoring_case(name, "Tables")) {
      report(Kind::invalid, "project.folder_name", "the folder " + path + " is not spelled as Tables is",
             "rename it to Tables", path, true);
      return {};
    }
    return check_misplaced_in(path);
  }

  base::Status scan_tables(const std::string& item, const std::string& folder) {
    TRY(const Entries entries, list(folder));
    for (const world::FileInfo& entry : entries) {
      const std::string path = folder + "/" + entry.name;
      if (!entry.is_directory) {
        add_document(item, path, split_name(entry.name));
        continue;
      }
      TRY(const Entries nested, list(path));
      for (const world::FileInfo& inner : nested) {
        const Name name = split_name(inner.name);
        if (!inner.is_directory && (name.extension == ".yml" || name.extension == ".yaml" || has_body(name)))
          report(Kind::invalid, "project.misplaced", "documents do not stand in folders below Tables",
                 "move it to " + folder, path + "/" + inner.name);
      }
    }
    return {};
  }

  // A file where documents stand: taken by its name, never by what is in it.
  void add_document(const std::string& item, const std::string& path, const Name& name) {
    if (has_body(name)) {
      if (name.stem != "__init__") refuse(path, "documents with a body (.sql, .py) are");
      return;
    }
    if (name.extension == ".yaml") {
      report(Kind::invalid, "project.file_name", "a document's name ends in .yml, not .yaml",
             "rename the file", path);
      return;
    }
    if (name.extension != ".yml") return;
    auto table = contract::parse_table_name(name.stem);
    if (!table) {
      report(Kind::invalid, "project.file_name",
             "a document is named after its table, as in silver.orders.yml; " + table.error().message,
             "rename the file", path);
      return;
    }
    scan_.documents.push_back({path, item, *std::move(table)});
  }

  void refuse(const std::string& path, const std::string& what) {
    report(Kind::unsupported, "document.not_built", what + " not built yet",
           "remove the file, or put it into a folder _ignore", path);
  }

  base::Status refuse_documents(const std::string& folder, const std::string& what) {
    TRY(const Entries entries, list(folder));
    for (const world::FileInfo& entry : entries) {
      const Name name = split_name(entry.name);
      if (!entry.is_directory && (has_body(name) || name.extension == ".yml"))
        refuse(folder + "/" + entry.name, what);
    }
    return {};
  }

  base::Status check_misplaced_in(const std::string& folder) {
    TRY(const Entries entries, list(folder));
    for (const world::FileInfo& entry : entries)
      if (!entry.is_directory) TRY_STATUS(check_misplaced(folder + "/" + entry.name));
    return {};
  }

  // Other files may stand anywhere; only what reads like a document is reported.
  base::Status check_misplaced(const std::string& path) {
    const Name name = split_name(world::path_name(path));
    constexpr std::uint64_t kLargest = 1U << 20;
    if (name.extension != ".yml" && name.extension != ".yaml") return {};
    const std::string full = world::path_join(root_, path);
    TRY(const world::FileInfo info, files_.info(full));
    if (info.size > kLargest) return {};
    TRY(const std::string text, files_.read(full));
    if (looks_like_document(text))
      report(Kind::invalid, "project.misplaced",
             "this looks like a document of a table, and none is read here",
             "move it to Lakehouse/<name>/Tables/<schema>.<table>.yml", path);
    return {};
  }

  const world::Files& files_;
  std::string root_;
  Scan scan_;
};

}  // namespace

base::Result<Scan> scan(const world::Files& files, const std::string& root) {
  return Scanner(files, root).run();
}

}  // namespace project
