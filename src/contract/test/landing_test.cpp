#include "documents.h"

namespace contract {
namespace {

std::string error_of(const std::string& text) {
  return only_error(check_landing(text));
}

TEST(LandingDocument, ReadsTheExampleOfTheFormat) {
  const Landing landing = landing_of(kLanding);
  EXPECT_EQ(landing.name.text(), "bronze.orders_raw");
  EXPECT_EQ(landing.description, "Orders exactly as the shop sent them.");
  EXPECT_EQ(landing.globs, std::vector<std::string>{"landing/orders/*.csv"});
  EXPECT_EQ(landing.csv, CsvFormat());
}

TEST(LandingDocument, ReadsGlobsAndEveryCsvOption) {
  const Landing landing = landing_of(
      "description: x\nLANDING: [a/*.txt, Files/b.csv]\n"
      "Format:\n  csv: {header: false, delimiter: \";\", quote: \"'\", escape: \"\\\\\"}\n"
      "Owner: Ann\nNotes: n\ntable_id: bronze.orders_raw\n");
  EXPECT_EQ(landing.globs, (std::vector<std::string>{"a/*.txt", "Files/b.csv"}));
  EXPECT_EQ(landing.csv,
            (CsvFormat{false, ';', '\'', '\\', contract::Encoding::utf_8, contract::Compression::by_name}));
  const CsvFormat encoded =
      landing_of("Description: x\nLanding: a.txt\nFormat: {csv: {encoding: UTF-16, compression: none}}\n")
          .csv;
  EXPECT_EQ(encoded.encoding, contract::Encoding::utf_16);
  EXPECT_EQ(encoded.compression, contract::Compression::none);
  EXPECT_EQ(landing.owner, "Ann");
  EXPECT_EQ(landing.notes, "n");
}

TEST(LandingDocument, DoublesTheQuoteThatIsChosenUnlessAnEscapeIsGiven) {
  const Landing landing =
      landing_of("Description: x\nLanding: a.txt\nFormat: {csv: {quote: \"'\", delimiter: tab}}\n");
  EXPECT_EQ(landing.csv.escape, '\'');
  EXPECT_EQ(landing.csv.delimiter, '\t');
}

TEST(LandingDocument, TakesCsvForGrantedOnlyWhenTheFilesSaySo) {
  EXPECT_EQ(landing_of("Description: x\nLanding: [a.csv, b.CSV.gz]\n").globs.size(), 2U);
  EXPECT_EQ(error_of("Description: x\nLanding: a.txt\n"), "document.missing_key 1:1");
}

TEST(LandingDocument, SendsPromisesToSilver) {
  for (const std::string key : {"Schema: {a: string}", "Primary key: a", "Checks: {a: b > 0}", "Not null: a",
                                "Unique keys: [a]", "Max reject ratio: 5%", "Quarantine: q.o"}) {
    const Checked checked = check_landing(kLanding + key + "\n");
    EXPECT_EQ(only_error(checked), "document.landing_promise 4:1") << key;
    EXPECT_NE(checked.errors.at(0).hint.find("silver"), std::string::npos);
  }
}

TEST(LandingDocument, ReadsWhatIsRefused) {
  EXPECT_FALSE(landing_of(kLanding + "New columns: add\nMalformed rows: quarantine\n").refuses_new_columns);
  EXPECT_TRUE(landing_of(kLanding + "New columns: refuse\n").refuses_new_columns);
  EXPECT_TRUE(landing_of(kLanding + "malformed_rows: Refuse\nColumn names: clean\n").refuses_malformed);
  EXPECT_EQ(error_of(kLanding + "Malformed rows: drop\n"), "document.wrong_value 4:17");
}

TEST(LandingDocument, ReadsFormatsAndNames) {
  EXPECT_TRUE(landing_of(kLanding + "Column names: as sent\n").keeps_names);
  EXPECT_FALSE(landing_of(kLanding + "Column names: clean\n").keeps_names);
  EXPECT_EQ(error_of(kLanding + "Column names: raw\n"), "document.wrong_value 4:15");
  EXPECT_EQ(landing_of(changed(kLanding, "Format: csv", "Format: delta")).format,
            contract::FileFormat::delta);
  EXPECT_EQ(landing_of(changed(kLanding, "Format: csv", "Format: {delta: }")).format,
            contract::FileFormat::delta);
  EXPECT_EQ(landing_of(changed(kLanding, "Format: csv", "Format: {parquet: }")).format,
            contract::FileFormat::parquet);
  EXPECT_EQ(error_of(changed(kLanding, "Format: csv", "Format: {delta: {version: 3}}")),
            "document.wrong_value 3:17");
  EXPECT_EQ(landing_of(changed(kLanding, "Format: csv", "Format: {json: }")).format,
            contract::FileFormat::json);
  EXPECT_EQ(landing_of(changed(kLanding, "Format: csv", "Format: JSONL")).format,
            contract::FileFormat::jsonl);
  EXPECT_EQ(landing_of(changed(kLanding, "Format: csv", "Format: {jsonl: {compression: gzip}}")).compression,
            contract::Compression::gzip);
  EXPECT_EQ(error_of(changed(kLanding, "Format: csv", "Format: {csv: {encoding: latin1}}")),
            "document.wrong_value 3:26");
  EXPECT_EQ(error_of(changed(kLanding, "Format: csv", "Format: {csv: {compression: zstd}}")),
            "document.wrong_value 3:29");
  EXPECT_EQ(error_of(changed(kLanding, "landing/orders/*.csv", "abfss://x/*.csv")),
            "document.not_built 2:10");
}

TEST(LandingDocument, RefusesGlobsThatLeaveTheProject) {
  for (const std::string glob :
       {"/data/*.csv", "~/x.csv", "../x.csv", "a/../b.csv", "a//b.csv", "'a\\b.csv'", "./a.csv"})
    EXPECT_EQ(error_of(changed(kLanding, "landing/orders/*.csv", glob)), "document.glob 2:10") << glob;
  EXPECT_EQ(error_of(changed(kLanding, "landing/orders/*.csv", "[a.csv, a.csv]")),
            "document.repeated_value 2:18");
}

TEST(LandingDocument, RefusesCharactersThatCannotSplit) {
  const auto with = [](const std::string& csv) {
    return changed(kLanding, "Format: csv", "Format: {csv: " + csv + "}");
  };
  EXPECT_EQ(error_of(with("{delimiter: \"||\"}")), "document.csv_character 3:27");
  EXPECT_EQ(error_of(with("{delimiter: \"\\n\"}")), "document.csv_character 3:27");
  EXPECT_EQ(error_of(with("{quote: \"\"}")), "document.csv_character 3:23");
  EXPECT_EQ(error_of(with("{delimiter: \"'\", quote: \"'\"}")), "document.csv_character 3:15");
  EXPECT_EQ(error_of(with("{header: yes}")), "document.wrong_value 3:24");
}

TEST(LandingDocument, RefusesADocumentOfNoKindOrOfTwo) {
  EXPECT_EQ(error_of("Description: x\nOwner: y\n"), "document.no_kind 1:1");
  EXPECT_EQ(error_of(kLanding + "From: a.b\n"), "document.two_kinds 4:1");
  EXPECT_EQ(error_of("Description: x\nLandnig: a.csv\n"), "document.unknown_key 2:1");
  EXPECT_EQ(error_of("Description: x\nView ID: a.b\n"), "document.not_built 2:1");
  EXPECT_EQ(error_of("just text\n"), "document.wrong_value 1:1");
}

}  // namespace
}  // namespace contract
