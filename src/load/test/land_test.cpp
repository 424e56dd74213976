// What landing writes: rows, columns, ledger, receipt, refusals.
#include "land_fixture.h"

namespace {

using load_test::LandedFile;
using load_test::LandReport;
using load_test::Texts;

class land : public load_test::LandFixture {};

TEST_F(land, rows_arrive_as_sent_with_file_line_instant_and_batch) {
  deliver("landing/b.csv", "id,note\r\n1,\"two\nlines\"\r\n\r\n2,\n3,\"\"\n");
  deliver("landing/a.csv", "id,note\n 4 ,x");
  const LandReport report = run("day-1");
  EXPECT_EQ(report.batch, "day-1");
  EXPECT_EQ(report.version, 0);
  EXPECT_EQ(report.rows, 4);
  EXPECT_EQ(report.malformed, 0);
  ASSERT_EQ(report.files.size(), 2U);
  EXPECT_EQ(report.files[0].path, "landing/a.csv");
  EXPECT_EQ(report.files[1].rows, 3);
  EXPECT_EQ(
      rows("SELECT id, note, _source_file, _source_line, epoch_us(_loaded_at), _batch_id FROM t ORDER BY 3, "
           "4"),
      (Texts{" 4 |x|landing/a.csv|2|1772366400000000|day-1",
             "1|two\nlines|landing/b.csv|2|1772366400000000|day-1",
             "2|NULL|landing/b.csv|5|1772366400000000|day-1", "3||landing/b.csv|6|1772366400000000|day-1"}));
}

TEST_F(land, the_schema_is_source_columns_in_order_of_appearance_and_then_ours) {
  deliver("landing/a.csv", "b,a\n1,2\n");
  deliver("landing/b.csv", "a,c\n1,2\n");
  run();
  Texts fields;
  for (const delta::Field& field : snapshot().schema.fields) fields.push_back(field.name + " " + field.type);
  EXPECT_EQ(fields, (Texts{"b string", "a string", "c string", "_source_file string", "_source_line long",
                           "_loaded_at timestamp", "_batch_id string"}));
}

TEST_F(land, one_commit_carries_rows_ledger_receipt_and_a_txn_for_each_file) {
  const std::string bytes = "id,Order Date\n1,x\n2\n";
  deliver("landing/a.csv", bytes);
  run("day-1");
  const std::string sha256 = base::sha256_hex(bytes);
  const auto about = world_.files->info(root_ + "/landing/a.csv");

  const base::Json info = commit_info(0);
  EXPECT_EQ(info.string("operation"), "WRITE");
  const base::Json* ledger = info.find("tenterLedger");
  ASSERT_NE(ledger, nullptr);
  EXPECT_EQ(ledger->print(),
            "{\"format\":1,\"batch\":\"day-1\",\"files\":[{\"path\":\"landing/"
            "a.csv\",\"size\":20,\"modified_us\":" +
                std::to_string(about->modified_us) + ",\"sha256\":\"" + sha256 +
                "\",\"rows\":1,\"malformed\":1,\"header\":[\"id\",\"Order "
                "Date\"],\"columns\":[\"id\",\"Order_Date\"]}]}");

  const base::Json body = receipt(0);
  EXPECT_EQ(body.string("kind"), "land");
  EXPECT_EQ(body.string("table"), "bronze.orders_raw");
  EXPECT_EQ(body.string("batch"), "day-1");
  EXPECT_EQ(body.string("ledger_hash"), base::sha256_hex(ledger->print()));
  EXPECT_EQ(body.string("previous_sha256"), "");
  EXPECT_EQ(body.find("counts")->int64("read"), 2);
  EXPECT_EQ(body.find("counts")->int64("inserted"), 1);
  EXPECT_EQ(body.find("counts")->int64("quarantined"), 1);
  EXPECT_EQ(body.find("counts")->int64("malformed"), 1);
  EXPECT_EQ(body.find("rejects")->print(), "{\"malformed.missing_field\":1}");
  EXPECT_EQ(body.find("files")->print(), "[{\"path\":\"landing/a.csv\",\"sha256\":\"" + sha256 + "\"}]");

  const table::Snapshot bronze = snapshot();
  EXPECT_EQ(bronze.txn("tenter/land/" + base::sha256_hex("landing/a.csv\n" + sha256)), 1);
  EXPECT_EQ(bronze.properties(),
            (delta::Properties{{"delta.appendOnly", "true"}, {"delta.enableExpiredLogCleanup", "false"}}));
  EXPECT_EQ(bronze.state.protocol->reader_version, 1);
  EXPECT_EQ(bronze.state.protocol->writer_version, 2);
  EXPECT_EQ(bronze.files().size(), 1U);

  deliver("landing/b.csv", "id\n2\n");
  run("day-2");
  EXPECT_EQ(receipt(1).string("previous_sha256"),
            base::sha256_hex(*table::read_entry(access(), table_path("bronze/orders_raw"), 0)));
}

TEST_F(land, a_second_run_reads_nothing_and_commits_nothing) {
  deliver("landing/a.csv", "id\n1\n");
  run();
  const LandReport report = run();
  EXPECT_FALSE(report.batch.has_value());
  EXPECT_EQ(report.version, 0);
  ASSERT_EQ(report.files.size(), 1U);
  EXPECT_EQ(report.files[0].outcome, LandedFile::Outcome::not_read);
  EXPECT_EQ(snapshot().version(), 0);
}

TEST_F(land, a_touched_file_is_read_and_found_to_be_there_already) {
  deliver("landing/a.csv", "id\n1\n");
  run();
  touch("landing/a.csv");
  const LandReport report = run();
  EXPECT_EQ(report.files[0].outcome, LandedFile::Outcome::already_there);
  EXPECT_EQ(snapshot().version(), 0);
}

TEST_F(land, the_same_bytes_at_a_new_path_land_with_a_warning) {
  deliver("landing/a.csv", "id\n1\n");
  run();
  deliver("landing/b.csv", "id\n1\n");
  const LandReport report = run();
  EXPECT_EQ(report.rows, 1);
  EXPECT_EQ(report.warnings, (Texts{"landing/b.csv has the same bytes as landing/a.csv, which was landed"}));
  EXPECT_EQ(rows("SELECT id, _source_file FROM t ORDER BY 2"), (Texts{"1|landing/a.csv", "1|landing/b.csv"}));
}

TEST_F(land, new_bytes_at_a_known_path_land_as_a_new_file) {
  deliver("landing/a.csv", "id\n1\n");
  run();
  deliver("landing/a.csv", "id\n1\n2\n");
  const LandReport report = run();
  EXPECT_EQ(report.rows, 2);
  EXPECT_EQ(report.warnings,
            (Texts{"landing/a.csv was landed before with other bytes; it lands as a new file"}));
  EXPECT_EQ(rows("SELECT count(*) FROM t"), (Texts{"3"}));
}

TEST_F(land, files_are_mapped_by_name_whatever_their_order_and_case) {  // B06
  deliver("landing/1.csv", "a,b\n1,2\n");
  deliver("landing/2.csv", "B,A\n3,4\n");
  deliver("landing/3.csv", "a,b\n5\n6,7,8\n");
  const LandReport report = run("day-1");
  EXPECT_EQ(report.rows, 2);
  EXPECT_EQ(report.malformed, 2);
  EXPECT_EQ(rows("SELECT a, b FROM t ORDER BY 1"), (Texts{"1|2", "4|3"}));
  EXPECT_EQ(
      rows("SELECT _reject_codes, _reject_reason, _source_line, _raw::VARCHAR, _batch_id FROM t ORDER BY 3",
           "quarantine/orders_raw_malformed"),
      (Texts{"malformed.missing_field|missing field b|2|5|day-1",
             "malformed.extra_field|1 extra field|3|6,7,8|day-1"}));
  EXPECT_EQ(snapshot().schema.fields[1].name, "b");
}

TEST_F(land, a_new_column_is_added_at_the_end_and_a_dropped_one_is_null) {
  deliver("landing/1.csv", "a,b\n1,2\n");
  run("day-1");
  deliver("landing/2.csv", "new one,b\n3,4\n");
  const LandReport report = run("day-2");
  EXPECT_EQ(report.new_columns, (Texts{"new_one"}));
  EXPECT_EQ(rows("SELECT a, b, new_one FROM t ORDER BY b"), (Texts{"1|2|NULL", "NULL|4|3"}));
  const delta::Field last = snapshot().schema.fields.back();
  EXPECT_EQ(last.name, "new_one");
  EXPECT_EQ(last.metadata.string("tenter.sourceName"), "new one");
}

TEST_F(land, one_refused_file_refuses_the_landing_and_every_refused_file_is_listed) {  // B17
  deliver("landing/1.csv", "good\n1\n");
  deliver("landing/2.csv", "sf_gsp,SF_GSP\n1,2\n");
  deliver("landing/3.csv", "a b,x,a_b\n1,2,3\n");
  deliver("landing/4.csv", "x,x,_Batch_ID\n1,2,3\n");
  deliver("landing/5.csv", "x,\n1,2\n");
  deliver("landing/6.csv", "x,\"y\n1,2\n");
  deliver("landing/7.csv.gz", "x");
  deliver("landing/8.csv", "Row insert datetime\n1\n");
  landing_.globs = {"landing/*"};
  const LandReport report = run();
  EXPECT_EQ(codes(report),
            (Texts{"landing/2.csv land.duplicate_header", "landing/3.csv land.duplicate_header",
                   "landing/4.csv land.duplicate_header", "landing/4.csv land.reserved_header",
                   "landing/5.csv land.empty_header", "landing/6.csv land.header_malformed",
                   "landing/7.csv.gz land.bad_gzip", "landing/8.csv land.reserved_header"}));
  EXPECT_EQ(report.refused[0].message,
            "the header names two columns alike but for case: \"sf_gsp\" at position 1 and \"SF_GSP\" at "
            "position 2");
  EXPECT_EQ(report.refused[1].message,
            "the header names two columns alike after cleaning (a_b): \"a b\" at position 1 and \"a_b\" at "
            "position 3");
  EXPECT_EQ(report.refused[2].message,
            "the header names two columns twice: \"x\" at position 1 and \"x\" at position 2");
  EXPECT_FALSE(report.batch.has_value());
  EXPECT_FALSE(world_.files->exists(place_.tables_root));
}

TEST_F(land, a_file_that_sends_the_raw_twin_of_a_declared_column_is_refused) {
  deliver("landing/1.csv", "currency,RAW_Currency\n1,2\n");
  options_.declared_columns = {"Currency"};
  EXPECT_EQ(codes(run()), (Texts{"landing/1.csv land.reserved_header"}));
  options_.declared_columns = {"total"};
  EXPECT_EQ(run().rows, 1);
}

TEST_F(land, malformed_records_are_kept_with_their_bytes_and_a_lasting_id) {
  const std::string bytes = "a,b\n1,\xFF\n2,\"x\n3,4\n";
  deliver("landing/1.csv", bytes);
  run("day-1");
  EXPECT_EQ(rows("SELECT a, b FROM t"), (Texts{"3|4"}));
  const std::string sha256 = base::sha256_hex(bytes);
  EXPECT_EQ(rows("SELECT _reject_id, hex(_raw), _reject_codes, _reject_reason, epoch_us(_loaded_at), "
                 "epoch_us(_quarantined_at), _source_file FROM t ORDER BY _source_line",
                 "quarantine/orders_raw_malformed"),
            (Texts{base::sha256_hex("64:" + sha256 + "1:2").substr(0, 32) +
                       "|312CFF|malformed.encoding|not UTF-8|1772366400000000|1772366400000000|landing/1.csv",
                   base::sha256_hex("64:" + sha256 + "1:3").substr(0, 32) +
                       "|322C2278|malformed.open_quote|quote never "
                       "closed|1772366400000000|1772366400000000|landing/1.csv"}));
  Texts fields;
  for (const delta::Field& field : snapshot("quarantine/orders_raw_malformed").schema.fields)
    fields.push_back(field.name + " " + field.type);
  EXPECT_EQ(fields, (Texts{"_reject_id string", "_source_file string", "_source_line long",
                           "_batch_id string", "_loaded_at timestamp", "_raw binary", "_reject_codes string",
                           "_reject_reason string", "_quarantined_at timestamp"}));
  const base::Json body = receipt(0, "quarantine/orders_raw_malformed");
  EXPECT_EQ(body.string("kind"), "malformed");
  EXPECT_EQ(body.string("ledger_hash"), receipt(0).string("ledger_hash"));
  EXPECT_EQ(body.find("rejects")->print(), "{\"malformed.encoding\":1,\"malformed.open_quote\":1}");
}

TEST_F(land, a_file_without_rows_is_a_ledger_entry) {
  deliver("landing/empty.csv", "");
  deliver("landing/header.csv", "a,b\n");
  const LandReport report = run("day-1");
  EXPECT_EQ(report.batch, "day-1");
  EXPECT_EQ(report.rows, 0);
  EXPECT_TRUE(snapshot().files().empty());
  const base::Json info = commit_info(0);
  EXPECT_EQ(info.find("tenterLedger")->find("files")->items().size(), 2U);
  EXPECT_EQ(run().files[0].outcome, LandedFile::Outcome::not_read);
  EXPECT_EQ(rows("SELECT count(*) FROM t"), (Texts{"0"}));
}

TEST_F(land, files_without_header_land_by_place) {
  landing_.csv.header = false;
  deliver("landing/a.csv", "1,2\n3\n");
  deliver("landing/b.csv", "4,5,6\n");
  run();
  EXPECT_EQ(rows("SELECT _c0, _c1, _c2 FROM t ORDER BY 1"), (Texts{"1|2|NULL", "4|5|6"}));
}

TEST_F(land, lines_are_right_when_a_file_is_read_in_many_pieces) {
  std::string bytes = "n,text\n";
  for (int i = 0; i < 3'000; ++i)
    bytes += std::to_string(i) + (i % 7 == 0 ? ",\"a\nb\"\n" : i % 5 == 0 ? ",x\r\n\r" : ",x\n");
  deliver("landing/a.csv", bytes);
  options_.limits.block_bytes = 500;
  EXPECT_EQ(run().rows, 3'000);
  // Each row's line is one more than the line ends before it.
  EXPECT_EQ(
      rows("SELECT count(*) FROM (SELECT _source_line - lag(_source_line) OVER (ORDER BY n::INT) AS step, "
           "lag(n::INT) OVER (ORDER BY n::INT) AS before FROM t) WHERE step <> CASE WHEN before % 7 = 0 OR "
           "before % 5 = 0 THEN 2 ELSE 1 END"),
      (Texts{"0"}));
  EXPECT_EQ(rows("SELECT min(_source_line) FROM t"), (Texts{"2"}));
}

TEST_F(land, no_matching_file_is_said) {
  const LandReport report = run();
  EXPECT_EQ(report.warnings, (Texts{"no file matches landing/*.csv"}));
  EXPECT_EQ(report.version, -1);
}

TEST_F(land, files_of_the_lakehouse_land_under_their_own_name) {
  deliver(".tenter/onelake/w/Shop.Lakehouse/Files/in/a.csv", "id\n1\n");
  landing_.globs = {"Files/in/*.csv"};
  run();
  EXPECT_EQ(rows("SELECT id, _source_file FROM t"), (Texts{"1|Files/in/a.csv"}));
}

}  // namespace
