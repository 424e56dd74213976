#include "yaml.h"

#include <sstream>

#include <base/text.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace contract {

namespace {

using base::Kind;

constexpr std::size_t kMaxBytes = 1U << 20;

// Builds the tree from the parser's events; after the first fault it only listens.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const Source& source) : source_(source) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node = start(Node::Type::null, mark, "", anchor);
    const std::string_view rest = source_.text().substr(std::min(node.begin, source_.text().size()));
    for (const std::string_view word : {"null", "Null", "NULL", "~"})
      if (rest.starts_with(word)) node.text = word;
    add(std::move(node));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "found an alias (*name), which documents do not use", "quote a text that begins with *");
    add(start(Node::Type::null, mark, "", 0));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node = start(Node::Type::text, mark, tag, anchor);
    node.text = value;
    node.plain = tag == "?";
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open_.push_back({start(Node::Type::list, mark, tag, anchor), std::nullopt});
    open_.back().node.flow = style == YAML::EmitterStyle::Flow;
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open_.push_back({start(Node::Type::mapping, mark, tag, anchor), std::nullopt});
    open_.back().node.flow = style == YAML::EmitterStyle::Flow;
  }
  void OnMapEnd() override { close(); }

  std::optional<base::Error> fault;
  std::optional<Node> root;

 private:
  struct Open {
    Node node;
    std::optional<Node> key;
  };

  Node start(Node::Type type, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor)
      refuse(mark, "found an anchor (&name), which documents do not use", "quote a text that begins with &");
    if (!tag.empty() && tag != "?" && tag != "!")
      refuse(mark, "found a YAML tag, which documents do not use", "quote a text that begins with !");
    Node node;
    node.type = type;
    node.begin = static_cast<std::size_t>(std::max(mark.pos, 0));
    return node;
  }

  void refuse(const YAML::Mark& mark, std::string message, std::string hint) {
    if (fault) return;
    const base::Place place = source_.place(static_cast<std::size_t>(std::max(mark.pos, 0)));
    if (auto quoted = quoted_line(source_.line(place.line))) hint = "write: " + *quoted;
    fault = base::Error{Kind::invalid, "document.yaml", std::move(message), std::move(hint), place};
  }

  void add(Node node) {
    if (open_.empty()) {
      root = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.type == Node::Type::list) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      check_key(node, parent.node);
      parent.key = std::move(node);
    } else {
      if (node.is_null() && node.text.empty()) node.begin = parent.key->begin;
      parent.node.members.push_back({*std::move(parent.key), std::move(node)});
      parent.key.reset();
    }
  }

  void check_key(const Node& key, const Node& mapping) {
    if (fault) return;
    if (!key.is_text()) {
      fault =
          base::Error{Kind::invalid, "document.yaml", "a key must be text; found a list, a mapping or null",
                      "quote the key", source_.place(key.begin)};
      return;
    }
    for (const Entry& entry : mapping.members) {
      if (entry.key.text != key.text) continue;
      const base::Place first = source_.place(entry.key.begin);
      fault = base::Error{Kind::invalid, "document.repeated_key",
                          "\"" + key.text + "\" stands twice; first at line " + std::to_string(first.line),
                          "keep one of the two", source_.place(key.begin)};
      return;
    }
  }

  void close() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  const Source& source_;
  std::vector<Open> open_;
};

base::Error at(const Source& source, std::size_t offset, std::string message, std::string hint) {
  return {Kind::invalid, "document.yaml", std::move(message), std::move(hint), source.place(offset)};
}

// What yaml-cpp cannot take, or would take silently for something else.
std::optional<base::Error> check_bytes(const Source& source) {
  const std::string_view text = source.text();
  if (text.size() > kMaxBytes) return at(source, 0, "the document is larger than 1 MiB", "split it");
  std::size_t begin = 0;
  for (const std::string_view line : base::split(text, '\n')) {
    if (!base::is_utf8(line))
      return at(source, begin, "this line is not UTF-8", "save the document as UTF-8");
    begin += line.size() + 1;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F)
      return at(source, i, "found a control character",
                "remove it, or write it as an escape in double quotes");
  }
  return std::nullopt;
}

std::optional<base::Error> check_tabs(const Source& source, std::int64_t line) {
  const std::string_view text = source.line(line);
  const std::size_t end = text.find_first_not_of(" \t");
  const std::size_t tab = text.find('\t');
  if (tab == std::string_view::npos || tab >= std::min(end, text.size())) return std::nullopt;
  return base::Error{Kind::invalid,
                     "document.yaml",
                     "YAML takes no tab in the indentation of a line",
                     "indent with spaces",
                     {source.file(), line, static_cast<std::int64_t>(tab) + 1}};
}

base::Error explain(const Source& source, const YAML::Exception& exception) {
  base::Place place = source.place(static_cast<std::size_t>(std::max(exception.mark.pos, 0)));
  if (auto tabs = check_tabs(source, place.line)) return *tabs;
  std::string hint = "quote texts that hold : # , [ ] { } or begin with a quote or a sign";
  // The parser often notices only on the next line, so the lines above are looked at too.
  for (std::int64_t line = place.line; line > 0 && line + 2 > place.line; --line) {
    const auto quoted = quoted_line(source.line(line));
    if (!quoted) continue;
    hint = "write: " + *quoted;
    if (line != place.line) place = {source.file(), line, 1};
    break;
  }
  return {Kind::invalid, "document.yaml", "YAML cannot read on here (" + exception.msg + ")", std::move(hint),
          place};
}

}  // namespace

base::Result<Node> read_yaml(const Source& source) {
  if (auto fault = check_bytes(source)) return base::fail(*std::move(fault));
  TreeBuilder builder(source);
  std::istringstream stream{std::string(source.text())};
  try {
    YAML::Parser parser(stream);
    const bool found = parser.HandleNextDocument(builder);
    if (builder.fault) return base::fail(*std::move(builder.fault));
    if (!found || !builder.root)
      return base::fail(Kind::invalid, "document.empty", "the document is empty; expected keys and values",
                        "begin with Description: …", source.place(0));
    TreeBuilder second(source);
    if (parser.HandleNextDocument(second))
      return base::fail(at(source, second.root ? second.root->begin : 0, "a second document begins here",
                           "keep one document in a file"));
  } catch (const YAML::Exception& exception) {
    if (builder.fault) return base::fail(*std::move(builder.fault));
    return base::fail(explain(source, exception));
  }
  return *std::move(builder.root);
}

}  // namespace contract
