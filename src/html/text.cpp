#include "html/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "html/parser/tokenizer/character_reference.hpp"

namespace heddle::html {

namespace {

enum class Display : std::uint8_t {
  flowing,
  block,
  paragraph,
  line_break,
  cell,
  skipped,
  verbatim
};

struct DisplayTable {
  std::array<Display, kKnownNames.size()> by_name{};

  constexpr DisplayTable() {
    for (const auto name :
         {"address",  "article",    "aside",  "blockquote", "body",    "caption",  "center",
          "dd",       "details",    "dialog", "dir",        "div",     "dl",       "dt",
          "fieldset", "figcaption", "figure", "footer",     "form",    "frameset", "h1",
          "h2",       "h3",         "h4",     "h5",         "h6",      "header",   "hgroup",
          "hr",       "html",       "legend", "li",         "main",    "menu",     "nav",
          "ol",       "optgroup",   "option", "search",     "section", "summary",  "table",
          "tbody",    "tfoot",      "thead",  "tr",         "ul"})
      set(name, Display::block);
    for (const auto name :
         {"head", "script", "style", "noscript", "template", "iframe", "noembed", "noframes",
          "object", "datalist", "title", "meta", "link", "audio", "video", "canvas", "rp"})
      set(name, Display::skipped);
    for (const auto name : {"pre", "textarea", "listing", "xmp", "plaintext"})
      set(name, Display::verbatim);
    set("p", Display::paragraph);
    set("br", Display::line_break);
    set("td", Display::cell);
    set("th", Display::cell);
  }

  constexpr void set(std::string_view name, Display display) {
    by_name[find_known_name(name)] = display;
  }
};
constexpr DisplayTable kDisplay;

// The elements of other XML vocabularies stand for themselves, whatever HTML means by their names.
Display display_of(const Document& document, NodeId node) {
  if (document.space(node) >= Namespace::none) return Display::block;
  const NameId tag = document.tag(node);
  return tag < kDisplay.by_name.size() ? kDisplay.by_name[tag] : Display::flowing;
}

// style="display: none" with any spacing.
bool hides(std::string_view style) {
  std::size_t at = style.find("display");
  if (at == std::string_view::npos) return false;
  at = style.find_first_not_of(" \t", at + 7);
  if (at == std::string_view::npos || style[at] != ':') return false;
  at = style.find_first_not_of(" \t", at + 1);
  return at != std::string_view::npos && style.substr(at, 4) == "none";
}

bool is_struck(const Document& document, NodeId node) {
  for (const auto name : {known("s"), known("strike"), known("del")})
    if (document.tag(node) == name) return true;
  const auto style = document.attribute(node, known("style"));
  return style && style->find("line-through") != std::string_view::npos;
}

constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  plain.fill(true);
  for (const unsigned char c : {' ', '\n', '\t', '\r', '\f'}) plain[c] = false;
  plain[0xC2] = false;
  return plain;
}();

// Appends words, with the requested white space between them.
class TextWriter {
 public:
  explicit TextWriter(std::string& out) : out_(out), start_(out.size()) {}

  void break_line(int lines) { lines_ = std::max(lines_, lines); }
  void add_line() { lines_ = std::min(lines_ + 1, 2); }
  void next_cell() { ++cells_; }

  void add_flowing(std::string_view text) {
    while (true) {
      const std::size_t space = space_length(text);
      if (space > 0) has_space_ = true;
      text.remove_prefix(space);
      if (text.empty()) return;
      const std::size_t end = phrase_length(text);
      separate();
      out_ += text.substr(0, end);
      text.remove_prefix(end);
    }
  }

  void add_verbatim(std::string_view text) {
    separate();
    while (!text.empty()) {
      const std::size_t end = std::min(text.find("\xC2\xA0"), text.size());
      out_ += text.substr(0, end);
      if (end < text.size()) out_ += ' ';
      text.remove_prefix(std::min(end + 2, text.size()));
    }
  }

  // At the end of the text: drops trailing white space of verbatim text.
  void finish() {
    const std::size_t last = out_.find_last_not_of(" \t\r\n\f");
    out_.resize(last == std::string::npos || last < start_ ? start_ : last + 1);
  }

 private:
  static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
  }
  // Certainly part of a word: neither white space nor the first byte of a no-break space.
  static bool is_plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }
  static bool is_no_break_space(std::string_view text, std::size_t at) {
    return text[at] == '\xC2' && at + 1 < text.size() && text[at + 1] == '\xA0';
  }

  // The length of the leading white space, no-break spaces included.
  static std::size_t space_length(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size()) {
      if (is_space(text[length]))
        ++length;
      else if (is_no_break_space(text, length))
        length += 2;
      else
        break;
    }
    return length;
  }

  // The length of the leading words that single spaces separate: they can be copied unchanged.
  static std::size_t phrase_length(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size()) {
      const char c = text[length];
      if (is_plain(c) || (c == '\xC2' && !is_no_break_space(text, length)))
        ++length;
      else if (c == ' ' && length + 1 < text.size() && is_plain(text[length + 1]))
        length += 2;
      else
        break;
    }
    return length;
  }

  void separate() {
    if (out_.size() == start_) {
      // No separator before the first word.
    } else if (lines_ > 0) {
      out_.append(static_cast<std::size_t>(lines_), '\n');
    } else if (cells_ > 0) {
      out_.append(cells_, '\t');
    } else if (has_space_) {
      out_ += ' ';
    }
    lines_ = 0;
    cells_ = 0;
    has_space_ = false;
  }

  std::string& out_;
  std::size_t start_;
  int lines_ = 0;  // line ends required before the next word
  std::size_t cells_ = 0;
  bool has_space_ = false;
};

// Walks one subtree in document order; the parent of the next node shows which elements have ended.
class TextWalk {
 public:
  enum class Struck { keep, omit };

  TextWalk(const Document& document, NodeId top, std::string& out, Struck struck = Struck::keep)
      : document_(document), top_(top), open_(top), writer_(out), struck_(struck) {}

  // In document order.
  void omit(std::span<const NodeId> nodes) { omitted_ = nodes; }

  void run() {
    const NodeId end = document_.subtree_end(top_);
    if (document_.is_element(top_)) enter(top_);
    NodeId node = top_ + 1;
    while (node < end) {
      for (; open_ != document_.parent(node); open_ = document_.parent(open_)) leave(open_);
      node = visit(node);
    }
    writer_.finish();
  }

 private:
  [[nodiscard]] bool is_next_omitted(NodeId node) {
    while (!omitted_.empty() && omitted_.front() < node) omitted_ = omitted_.subspan(1);
    return !omitted_.empty() && omitted_.front() == node;
  }

  // Returns the node to continue with.
  NodeId visit(NodeId node) {
    if (is_next_omitted(node)) return document_.subtree_end(node);
    if (document_.kind(node) == NodeKind::text) add_text(node);
    if (!document_.is_element(node)) return node + 1;
    const bool is_omitted = struck_ == Struck::omit && is_struck(document_, node);
    if (is_omitted || !is_displayed(document_, node)) return document_.subtree_end(node);
    enter(node);
    open_ = node;
    return node + 1;
  }

  void add_text(NodeId node) {
    if (verbatim_end_ > node)
      writer_.add_verbatim(document_.text(node));
    else
      writer_.add_flowing(document_.text(node));
  }

  void enter(NodeId node) {
    switch (display_of(document_, node)) {
      case Display::verbatim:
        verbatim_end_ = std::max(verbatim_end_, document_.subtree_end(node));
        writer_.break_line(1);
        break;
      case Display::line_break:
        writer_.add_line();
        break;
      case Display::cell:
        if (document_.previous_element(node) != kNoNode) writer_.next_cell();
        break;
      default:
        break_around(node);
    }
  }

  void leave(NodeId node) {
    const Display display = display_of(document_, node);
    if (display == Display::verbatim)
      writer_.break_line(1);
    else if (display != Display::line_break && display != Display::cell)
      break_around(node);
  }

  void break_around(NodeId node) {
    const Display display = display_of(document_, node);
    if (display == Display::block) writer_.break_line(1);
    if (display == Display::paragraph) writer_.break_line(2);
  }

  const Document& document_;
  NodeId top_;
  NodeId open_;  // the current element
  TextWriter writer_;
  Struck struck_;
  std::span<const NodeId> omitted_;  // those that may still come
  NodeId verbatim_end_ = 0;          // nodes before it keep their white space
};

}  // namespace

bool is_displayed(const Document& document, NodeId node) {
  if (display_of(document, node) == Display::skipped) return false;
  if (document.has_attribute(node, known("hidden"))) return false;
  const auto style = document.attribute(node, known("style"));
  return !style || !hides(*style);
}

std::string readable_text(const Document& document, NodeId node) {
  std::string out;
  append_readable_text(document, node, out);
  return out;
}

std::string text_without_struck(const Document& document, NodeId node) {
  std::string out;
  TextWalk(document, node, out, TextWalk::Struck::omit).run();
  return out;
}

std::string text_without(const Document& document, NodeId node, std::span<const NodeId> omitted) {
  std::string out;
  TextWalk walk(document, node, out);
  walk.omit(omitted);
  walk.run();
  return out;
}

void append_readable_text(const Document& document, NodeId node, std::string& out) {
  if (document.kind(node) == NodeKind::text) {
    TextWriter writer(out);
    writer.add_flowing(document.text(node));
    return writer.finish();
  }
  TextWalk(document, node, out).run();
}

void append_decoded(std::string_view text, std::string& out) {
  while (true) {
    const std::size_t mark = text.find('&');
    out += text.substr(0, mark);
    if (mark == std::string_view::npos) return;
    text.remove_prefix(mark);
    const auto reference = parser::read_character_reference(text, false);
    out += reference.consumed == 0 ? text.substr(0, 1) : reference.text();
    text.remove_prefix(std::max<std::size_t>(reference.consumed, 1));
  }
}

}  // namespace heddle::html
