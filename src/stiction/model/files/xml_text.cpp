// SPDX-License-Identifier: BSD-2-Clause
// XML as text, read and written. Read: elements, attributes, text, CDATA, the five entities and character references. Comments,
// processing instructions and a DOCTYPE without declarations are skipped.
#include <stiction/base/invalid_input.h>
#include <stiction/base/utf8.h>
#include <stiction/model/files/xml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace stiction {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  }
}

// <?xml version="1.0" encoding="ISO-8859-1"?>
bool says_latin1(std::string_view text) {
  if (!text.starts_with("<?xml")) return false;
  std::string head(text.substr(0, text.find('>')));
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return std::tolower(c); });
  return head.find("iso-8859-1") != std::string::npos || head.find("latin1") != std::string::npos;
}

class XmlReader {
 public:
  XmlReader(std::string_view text, const std::string& file)
      : text_(text), file_(std::make_shared<const std::string>(file)) {}

  Xml run() {
    skip("\xEF\xBB\xBF");
    Xml document;
    content(document, 0);
    if (at_ < text_.size()) fail("a closing tag without its element");
    if (document.empty()) fail("no element");
    if (!document.data().empty()) fail("text outside of the root element");
    return document;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InvalidInput(*file_ + " is not well-formed XML: " + what + " at line " + std::to_string(line()));
  }

  // Lines are counted on the way, from the last place asked for.
  int line() const {
    const std::size_t end = std::min(at_, text_.size());
    if (end < counted_) counted_ = 0, line_ = 1;
    line_ += static_cast<int>(std::count(text_.begin() + counted_, text_.begin() + end, '\n'));
    counted_ = end;
    return line_;
  }

  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool skip(std::string_view what) {
    const bool found = starts(what);
    if (found) at_ += what.size();
    return found;
  }
  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  std::string_view until(std::string_view end, const char* what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail(std::string("unfinished ") + what);
    const std::string_view out = text_.substr(at_, found - at_);
    at_ = found + end.size();
    return out;
  }

  // Everything up to the closing tag of the element, or to the end of the document.
  void content(Xml& element, int depth) {
    std::string words;
    while (at_ < text_.size()) {
      if (text_[at_] != '<') {
        words += plain(text_.substr(at_, text_.find('<', at_) - at_));
        at_ = std::min(text_.find('<', at_), text_.size());
      } else if (starts("</")) {
        break;
      } else if (skip("<!--")) {
        until("-->", "comment");
      } else if (skip("<![CDATA[")) {
        const std::string_view raw = until("]]>", "CDATA section");
        require_utf8(raw);
        words += raw;
      } else if (skip("<?")) {
        until("?>", "processing instruction");
      } else if (skip("<!DOCTYPE")) {
        if (until(">", "DOCTYPE").find('[') != std::string_view::npos)
          fail("a DOCTYPE with declarations, which are not read; write out what its entities stand for,");
      } else {
        child_element(element, depth + 1);
      }
    }
    const auto first = std::find_if_not(words.begin(), words.end(), is_space);
    const auto last = std::find_if_not(words.rbegin(), std::make_reverse_iterator(first), is_space).base();
    element.data().assign(first, last);
  }

  void child_element(Xml& around, int depth) {
    if (depth > kXmlDepth)
      throw InvalidInput(*file_ + " has elements inside one another more than " + std::to_string(kXmlDepth) +
                         " deep at line " + std::to_string(line()) + "; that is no robot");
    if (++elements_ > kXmlElements)
      throw InvalidInput(*file_ + " has more than " + std::to_string(kXmlElements) + " elements; that is no robot");
    Xml element;
    element.stand_at(file_, line());
    ++at_;
    const std::string tag(name("a tag"));
    while (true) {
      skip_spaces();
      if (at_ >= text_.size()) fail("unfinished tag <" + tag + ">");
      if (skip("/>")) break;
      if (skip(">")) {
        content(element, depth);
        if (!skip("</")) fail("<" + tag + "> of line " + std::to_string(element.line()) + " is not closed");
        if (const std::string_view end = name("a tag"); end != tag)
          fail("</" + std::string(end) + "> where </" + tag + "> was expected");
        skip_spaces();
        if (!skip(">")) fail("expected >");
        break;
      }
      attribute_of(element, tag);
    }
    around.push_back({tag, std::move(element)});
  }

  void attribute_of(Xml& element, const std::string& tag) {
    const std::string key(name("an attribute"));
    if (element.attributes().size() >= kXmlAttributes)
      fail("more than " + std::to_string(kXmlAttributes) + " attributes in <" + tag + ">");
    if (attribute(element, key.c_str())) fail("attribute '" + key + "' stands twice in <" + tag + ">");
    skip_spaces();
    if (!skip("=")) fail("expected = after attribute '" + key + "'");
    skip_spaces();
    const bool single = starts("'");
    if (!skip(single ? "'" : "\"")) fail("attribute '" + key + "' has no quotes");
    const std::string_view value = until(single ? "'" : "\"", "attribute");
    if (value.find('<') != std::string_view::npos) fail("attribute '" + key + "' has a < in it");
    element.set(key, plain(value));
  }

  std::string_view name(const char* what) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) &&
           std::string_view("<>/='\"&").find(text_[at_]) == std::string_view::npos)
      ++at_;
    if (at_ == begin) fail(std::string("expected ") + what);
    require_utf8(text_.substr(begin, at_ - begin));
    return text_.substr(begin, at_ - begin);
  }

  // Comments may hold anything; names and text become Python's, which are UTF-8.
  void require_utf8(std::string_view raw) const {
    if (!is_utf8(raw)) fail("a byte that is not UTF-8 (save the file as UTF-8)");
  }

  // Text with its entities replaced.
  std::string plain(std::string_view raw) const {
    require_utf8(raw);
    std::string out;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] != '&') {
        out += raw[i];
        continue;
      }
      const std::size_t end = raw.find(';', i);
      if (end == std::string_view::npos) fail("& without ;");
      entity(raw.substr(i + 1, end - i - 1), out);
      i = end;
    }
    return out;
  }

  void entity(std::string_view word, std::string& out) const {
    const std::pair<std::string_view, char> known[] = {
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [key, c] : known)
      if (word == key) {
        out += c;
        return;
      }
    if (word.starts_with("#")) {
      const bool hex = word.starts_with("#x");
      const std::string_view digits = word.substr(hex ? 2 : 1);
      std::uint32_t code = 0;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
      if (error == std::errc{} && end == digits.data() + digits.size() && code > 0 && code < 0x110000 &&
          (code < 0xD800 || code > 0xDFFF))
        return append_utf8(code, out);
    }
    fail("unknown entity &" + std::string(word) + ";");
  }

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::size_t at_ = 0;
  int elements_ = 0;
  mutable std::size_t counted_ = 0;
  mutable int line_ = 1;
};

std::string escaped(const std::string& value) {
  std::string out;
  for (const char c : value) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

void write(const std::string& tag, const Xml& element, std::string& out) {
  out += '<' + tag;
  for (const auto& [key, value] : element.attributes()) out += ' ' + key + "=\"" + escaped(value) + '"';
  out += '>' + escaped(element.data());
  for (const auto& [name, part] : element) write(name, part, out);
  out += "</" + tag + '>';
}

}  // namespace

Xml parse_xml(const std::string& text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw InvalidInput(file + " is empty, expected XML");
  if (!says_latin1(text)) return XmlReader(text, file).run();
  std::string utf8;
  for (const char c : text) append_utf8(static_cast<unsigned char>(c), utf8);
  return XmlReader(utf8, file).run();
}

std::string write_xml(const Xml& document) {
  std::string out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
  for (const auto& [tag, element] : document) write(tag, element, out);
  return out;
}

}  // namespace stiction
