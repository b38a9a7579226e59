#include "html/serialize.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace heddle::html {

namespace {

template <std::size_t N>
bool is_one_of(NameId tag, const std::array<NameId, N>& names) {
  for (const NameId name : names)
    if (name == tag) return true;
  return false;
}

constexpr std::array kVoid = {known("area"),  known("base"), known("basefont"), known("bgsound"),
                              known("br"),    known("col"),  known("embed"),    known("frame"),
                              known("hr"),    known("img"),  known("input"),    known("keygen"),
                              known("link"),  known("meta"), known("param"),    known("source"),
                              known("track"), known("wbr")};

constexpr std::array kRawText = {known("style"),    known("script"),  known("xmp"),
                                 known("iframe"),   known("noembed"), known("noframes"),
                                 known("plaintext")};

void append_escaped(std::string& out, std::string_view text, bool in_attribute) {
  const std::string_view special = in_attribute ? "&\"\xC2" : "&<>\xC2";
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find_first_of(special), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    std::size_t used = 1;
    switch (text.front()) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        used = text.substr(0, 2) == "\xC2\xA0" ? 2 : 1;
        out += used == 2 ? std::string_view("&nbsp;") : text.substr(0, 1);
    }
    text.remove_prefix(used);
  }
}

class Serializer {
 public:
  explicit Serializer(const Document& document) : document_(document) {}

  std::string run(NodeId top, NodeId first) {
    const NodeId end = document_.subtree_end(top);
    NodeId open = first == top ? document_.parent(top) : top;
    for (NodeId node = first; node < end; ++node) {
      for (; open != document_.parent(node); open = document_.parent(open)) close(open);
      write(node);
      if (document_.is_element(node)) open = node;
    }
    const NodeId last = first == top ? document_.parent(top) : top;
    for (; open != last; open = document_.parent(open)) close(open);
    return std::move(out_);
  }

 private:
  void write(NodeId node) {
    switch (document_.kind(node)) {
      case NodeKind::document:
        break;
      case NodeKind::doctype:
        out_ += "<!DOCTYPE ";
        if (!document_.attributes(node).empty())
          out_ += document_.name(document_.attributes(node)[0].name);
        out_ += '>';
        break;
      case NodeKind::comment:
        out_ += "<!--";
        out_ += document_.comment(node);
        out_ += "-->";
        break;
      case NodeKind::instruction:
        out_ += "<?";
        out_ += document_.tag_name(node);
        out_ += ' ';
        out_ += document_.comment(node);
        out_ += "?>";
        break;
      case NodeKind::text:
        write_text(node);
        break;
      case NodeKind::element:
        write_start_tag(node);
        break;
    }
  }

  void write_text(NodeId node) {
    const NodeId parent = document_.parent(node);
    const bool is_raw =
        document_.space(parent) == Namespace::html && is_one_of(document_.tag(parent), kRawText);
    if (is_raw)
      out_ += document_.text(node);
    else
      append_escaped(out_, document_.text(node), false);
  }

  void write_start_tag(NodeId node) {
    out_ += '<';
    out_ += document_.tag_name(node);
    for (const Attribute& attribute : document_.attributes(node)) {
      out_ += ' ';
      out_ += document_.name(attribute.name);
      out_ += "=\"";
      append_escaped(out_, document_.value(attribute), true);
      out_ += '"';
    }
    out_ += '>';
  }

  void close(NodeId node) {
    const bool is_void =
        document_.space(node) == Namespace::html && is_one_of(document_.tag(node), kVoid);
    if (document_.kind(node) != NodeKind::element || is_void) return;
    out_ += "</";
    out_ += document_.tag_name(node);
    out_ += '>';
  }

  const Document& document_;
  std::string out_;
};

}  // namespace

std::string outer_html(const Document& document, NodeId node) {
  if (node == Document::root()) return inner_html(document, node);
  return Serializer(document).run(node, node);
}

std::string inner_html(const Document& document, NodeId node) {
  return Serializer(document).run(node, node + 1);
}

}  // namespace heddle::html
