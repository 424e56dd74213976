// JSON files as records: RFC 8259 to the letter, and the characters kept.
//
// The rules. jsonl: each line that is not blank (spaces and tabs) is a record. json: the file is one array,
// whose elements are the records, or one object. A byte order mark is dropped. A record is an object; its
// keys are columns, in order of appearance over the file; a key that it does not have is null, and so is
// JSON's null. A text is its characters, escapes resolved; numbers, true, false keep theirs; objects and
// arrays inside are raw JSON. A record is malformed when, in this order of precedence,
//   it is longer than the limit;
//   its bytes are not UTF-8;
//   it breaks the grammar; it is no object;
//   one of its texts or keys holds half a surrogate pair;
//   a key stands twice in it (in objects inside, nobody looks).
// In a json array the end of a malformed element is found by brackets, commas and quotes, where a text
// ends with its line; an array or object that is not closed, or followed by more, refuses the file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <load/records.h>
#include <world/files.h>

namespace load {

struct JsonFormat {
  bool is_lines = false;  // jsonl
  contract::Compression compression = contract::Compression::by_name;
};

// A file whose keys, content hash and block starts are known, as CsvFile is.
class JsonFile final : public RecordFile, public std::enable_shared_from_this<JsonFile> {
 public:
  // Reads the whole file once, a packed one twice. `name` is for errors: land.bad_json, land.empty_header
  // (a key of no characters), land.too_many_columns, land.line_too_long, land.changed, land.bad_gzip.
  static base::Result<std::shared_ptr<const JsonFile>> open(std::shared_ptr<const world::ReadFile> file,
                                                            std::string name, const JsonFormat& format,
                                                            const CsvLimits& limits = {});
  ~JsonFile() override;

  const std::string& name() const override;
  std::uint64_t size() const override;
  const std::string& sha256() const override;
  const std::vector<std::string>& header() const override;
  std::size_t block_count() const override;
  std::unique_ptr<RecordScan> begin(std::size_t first, std::size_t last,
                                    std::vector<std::size_t> columns) const override;

 private:
  struct Inside;
  class Scan;
  JsonFile();
  std::unique_ptr<Inside> inside_;
};

}  // namespace load
