// records_dump LIST: prints the records of delivered files as JSON lines, for the landing oracle. LIST
// is a JSON-lines file: {"path":…,"kind":"csv",…,"header":true,"delimiter":",","quote":"\"","escape":"\"",
// "block_bytes":…,"record_bytes_max":…}. Each answer ends with a line {"end":path}.
#include <cstdio>
#include <iostream>

#include <base/hash.h>
#include <base/json.h>
#include <load/json_records.h>
#include <load/records.h>
#include <world/world.h>

namespace {

using base::Json;

std::string hex_of(std::string_view bytes) {
  return base::hex(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

char one_character(const Json& entry, std::string_view name) {
  const std::string_view text = entry.string(name).value_or("");
  return text.empty() ? '\0' : text[0];
}

void print_line(const Json& value) {
  std::cout << value.print() << "\n";
}

void print_batch(const load::RecordBatch& batch) {
  for (std::size_t row = 0; row < batch.rows(); ++row) {
    Json cells = Json::array();
    for (std::size_t column = 0; column < batch.width; ++column) {
      const std::string_view cell = batch.cell(row, column);
      cells.push(cell.data() == nullptr ? Json() : Json(cell));
    }
    print_line(Json::object({{"line", batch.lines[row]}, {"cells", cells}}));
  }
  for (const load::MalformedRecord& record : batch.malformed)
    print_line(Json::object({{"line", record.line},
                             {"code", load::malformation_code(record.cause)},
                             {"reason", record.reason},
                             {"raw", hex_of(record.raw)}}));
}

base::Result<std::shared_ptr<const load::RecordFile>> open(std::shared_ptr<const world::ReadFile> opened,
                                                           const std::string& path, const Json& entry,
                                                           const load::CsvLimits& limits) {
  const std::string_view kind = entry.string("kind").value_or("csv");
  if (kind != "csv") {
    load::JsonFormat format{kind == "jsonl", contract::Compression::none};
    if (entry.boolean("gzip").value_or(false)) format.compression = contract::Compression::gzip;
    return load::JsonFile::open(std::move(opened), path, format, limits);
  }
  contract::CsvFormat format{entry.boolean("header").value_or(true), one_character(entry, "delimiter"),
                             one_character(entry, "quote"), one_character(entry, "escape")};
  const std::string_view encoding = entry.string("encoding").value_or("");
  if (encoding == "utf-16") format.encoding = contract::Encoding::utf_16;
  if (encoding == "windows-1252") format.encoding = contract::Encoding::windows_1252;
  if (entry.boolean("gzip").value_or(false)) format.compression = contract::Compression::gzip;
  return load::CsvFile::open(std::move(opened), path, format, limits);
}

base::Status dump(world::Files& files, const Json& entry) {
  const std::string path(entry.string("path").value_or(""));
  const load::CsvLimits limits{static_cast<std::size_t>(entry.int64("block_bytes").value_or(1 << 20)),
                               static_cast<std::size_t>(entry.int64("record_bytes_max").value_or(16 << 20)),
                               static_cast<load::Vectors>(entry.int64("vectors").value_or(0))};
  TRY(std::shared_ptr<const world::ReadFile> opened, files.open(path));
  const auto file = open(std::move(opened), path, entry, limits);
  if (!file) {
    print_line(Json::object({{"refused", file.error().code}}));
    return {};
  }
  Json header = Json::array();
  for (const std::string& name : (*file)->header()) header.push(name);
  print_line(Json::object({{"header", header}, {"sha256", (*file)->sha256()}}));
  std::vector<std::size_t> columns((*file)->header().size());
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = i;
  load::RecordBatch batch;
  for (std::size_t block = 0; block < (*file)->block_count(); ++block) {
    const std::unique_ptr<load::RecordScan> scan = (*file)->begin(block, block + 1, columns);
    for (;;) {
      TRY(const bool more, scan->read(2048, batch));
      if (!more) break;
      print_batch(batch);
    }
  }
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: records_dump LIST\n";
    return 2;
  }
  const world::World world = world::machine_world();
  const auto list = world.files->read(arguments[1]);
  if (!list) {
    std::cerr << base::print(list.error()) << "\n";
    return 3;
  }
  std::string_view rest = *list;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const auto entry = Json::parse(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const base::Status status = entry ? dump(*world.files, *entry) : base::fail(entry.error());
    if (!status) {
      std::cerr << base::print(status.error()) << "\n";
      return 1;
    }
    print_line(Json::object({{"end", *entry->string("path")}}));
  }
  return 0;
}
