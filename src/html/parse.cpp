// The one file that knows MyHTML. Its internal headers are used, not api.h: limits need the length
// of the stack of open elements, and the copy reads nodes without a call per field.
#include "html/parse.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <myhtml/myhtml.h>
#include <myhtml/tag.h>
#include <myhtml/tree.h>

#include "base/free_with.hpp"
#include "base/text.hpp"
#include "html/document_builder.hpp"
#include "html/parse_guard.hpp"

namespace heddle::html {

namespace {

using MyHtml = std::unique_ptr<myhtml_t, FreeWith<myhtml_destroy>>;
using MyHtmlTree = std::unique_ptr<myhtml_tree_t, FreeWith<myhtml_tree_destroy>>;

// Most pages go in as one piece. MyHTML finds a token's bytes by walking all pieces from the first,
// so pieces must be few; a refused page is still read to the end of its piece, and a tag that never
// ends is only noticed there, so they must not be huge.
constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr std::size_t kNear = std::size_t{16} << 10U;  // how far back to look for a place to cut
constexpr std::size_t kLookahead = 9;                  // "<!" and seven letters

// A tree that held more than this is given back to the system before the next page.
constexpr std::size_t kNodesWorthKeeping = 50'000;
constexpr std::size_t kBytesWorthKeeping = std::size_t{4} << 20U;

// MyHTML looks up to seven letters beyond "<!" and loses some when a piece ends before them.
bool is_clean_cut(std::string_view rest, std::size_t at) {
  const std::size_t from = at - std::min(at, kLookahead);
  return rest.substr(from, at - from).find("<!") == std::string_view::npos;
}

// Where to cut a piece off: before a tag, or else before a space; where neither is near there is
// nothing but one long text or value.
std::size_t piece_length(std::string_view rest) {
  if (rest.size() <= kPiece) return rest.size();
  for (const char before : {'<', ' '}) {
    std::size_t at = rest.rfind(before, kPiece);
    while (at != std::string_view::npos && at > 0 && at + kNear > kPiece) {
      if (is_clean_cut(rest, at)) return at;
      at = rest.rfind(before, at - 1);
    }
  }
  return kPiece;
}

std::string_view view(const mycore_string_t& text) {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.length);
}

std::string_view view(const char* text) {
  return text == nullptr ? "" : text;
}

ParseGuard& guard_of(void* context) {
  return *static_cast<ParseGuard*>(context);
}

// Skips the rest of the piece: no tokens are handled any more, and as plain text there are none.
// Before a CDATA section MyHTML waits for the tree builder to have seen the last token, which in
// single mode must be true already: so say that it has.
void stop_building(myhtml_tree_t* tree, myhtml_token_node_t* token) {
  tree->parse_flags = MyHTML_TREE_PARSE_FLAGS_WITHOUT_PROCESS_TOKEN;
  tree->state = MyHTML_TOKENIZER_STATE_PLAINTEXT;
  tree->token_last_done = token;
}

std::size_t text_length(const myhtml_tree_node_t* node) {
  const bool is_text =
      node != nullptr && node->tag_id == MyHTML_TAG__TEXT && node->token != nullptr;
  return is_text ? node->token->str.length : 0;
}

bool is_table_part(const myhtml_tree_node_t& node) {
  switch (node.tag_id) {
    case MyHTML_TAG_TABLE:
    case MyHTML_TAG_TBODY:
    case MyHTML_TAG_TFOOT:
    case MyHTML_TAG_THEAD:
    case MyHTML_TAG_TR:
      return true;
    default:
      return false;
  }
}

// The length of the text that new text would be joined to: MyHTML copies it whole each time.
std::size_t joined_text_length(const myhtml_tree_list_t& open) {
  if (open.length == 0) return 0;
  const myhtml_tree_node_t* node = open.list[open.length - 1];
  std::size_t length = text_length(node->last_child);
  for (std::size_t i = open.length; i > 0 && is_table_part(*open.list[i - 1]); --i)
    length += text_length(open.list[i - 1]->prev);  // text misplaced in a table moves before it
  return length;
}

std::size_t count_attributes(const myhtml_token_attr_t* attribute) {
  std::size_t count = 0;
  for (; attribute != nullptr; attribute = attribute->next) ++count;
  return count;
}

void count_element_token(ParseGuard& guard, const myhtml_tree_t& tree,
                         const myhtml_token_node_t& token) {
  const std::size_t attributes = count_attributes(token.attr_first);
  guard.count_attributes(attributes);
  if (token.tag_id == MyHTML_TAG_HTML || token.tag_id == MyHTML_TAG_BODY)
    guard.count_merged_attributes(attributes);
  if (token.tag_id >= MyHTML_TAG_LAST_ENTRY)
    guard.count_unknown_tag(token.raw_length, tree.tags->tags_count);
}

void* on_token(myhtml_tree_t* tree, myhtml_token_node_t* token, void* context) {
  ParseGuard& guard = guard_of(context);
  guard.count_token(tree->open_elements->length, tree->active_formatting->length);
  if (token->tag_id == MyHTML_TAG__TEXT)
    guard.count_copied_bytes(joined_text_length(*tree->open_elements));
  else
    count_element_token(guard, *tree, *token);
  if (guard.is_exceeded()) stop_building(tree, token);
  return context;
}

// When MyHTML cuts white space off the start of a text, it forgets that there is less room then;
// text joined to it later would be written over whatever lies behind. The true room stands in front
// of the bytes.
void correct_text_size(mycore_string_t& text) {
  if (text.data != nullptr)
    text.size = std::min(text.size, mchar_async_get_size_by_data(text.data));
}

void on_insert(myhtml_tree_t* /*tree*/, myhtml_tree_node_t* node, void* context) {
  guard_of(context).count_insert();
  if (node->tag_id == MyHTML_TAG__TEXT && node->token != nullptr)
    correct_text_size(node->token->str);
}

void on_remove(myhtml_tree_t* /*tree*/, myhtml_tree_node_t* /*node*/, void* context) {
  guard_of(context).count_remove();
}

// MyHTML's tag ids, as ids of ours: its table spells SVG names as SVG does, wherever they stand.
class TagMap {
 public:
  TagMap() {
    for (std::size_t id = MyHTML_TAG__UNDEF + 1; id < MyHTML_TAG_LAST_ENTRY; ++id) {
      const auto* tag = myhtml_tag_static_get_by_id(id);
      ids_[id] = find_known_name(to_lower_ascii({tag->name, tag->name_length}));
    }
  }

  NameId name_of(const myhtml_tree_node_t& node, DocumentBuilder& builder) const {
    if (node.tag_id < ids_.size() && ids_[node.tag_id] != kNoName) return ids_[node.tag_id];
    const auto* tag = myhtml_tag_get_by_id(node.tree->tags, node.tag_id);
    const std::string_view name(tag->name, tag->name_length);
    return builder.intern(node.ns == MyHTML_NAMESPACE_SVG ? std::string(name)
                                                          : to_lower_ascii(name));
  }

 private:
  std::array<NameId, MyHTML_TAG_LAST_ENTRY> ids_{};
};

Namespace space_of(const myhtml_tree_node_t& node) {
  if (node.ns == MyHTML_NAMESPACE_SVG) return Namespace::svg;
  if (node.ns == MyHTML_NAMESPACE_MATHML) return Namespace::mathml;
  return Namespace::html;
}

// MyHTML splits "xlink:href" in SVG into a namespace and "href"; we keep the name whole.
void copy_foreign_attribute(const myhtml_token_attr_t& attribute, DocumentBuilder& builder) {
  const std::string_view local = view(attribute.key);
  std::string name(local);
  AttributeSpace space = AttributeSpace::none;
  if (attribute.ns == MyHTML_NAMESPACE_XLINK) {
    space = AttributeSpace::xlink;
    name = fmt::format("xlink:{}", local);
  } else if (attribute.ns == MyHTML_NAMESPACE_XML) {
    space = AttributeSpace::xml;
    name = fmt::format("xml:{}", local);
  } else if (attribute.ns == MyHTML_NAMESPACE_XMLNS) {
    space = AttributeSpace::xmlns;
    if (local != "xmlns") name = fmt::format("xmlns:{}", local);
  }
  builder.add_attribute(builder.intern(name), view(attribute.value), space);
}

// Walks MyHTML's tree by its links, without recursion, and writes it into a Document.
class TreeCopy {
 public:
  TreeCopy(const myhtml_tree_t& tree, const TagMap& tags, DocumentBuilder& builder)
      : tree_(tree), tags_(tags), builder_(builder) {}

  Status run(const ParseGuard& guard) {
    const myhtml_tree_node_t* node = tree_.document->child;
    std::size_t depth = 1;
    while (node != nullptr) {
      const bool is_element = copy_node(*node);
      if (is_element && node->child != nullptr) {
        node = node->child;
        if (++depth > guard.limits().max_depth + 1) return guard.depth_error();
        continue;
      }
      if (is_element) builder_.close();
      while (node->next == nullptr) {
        node = node->parent;
        if (node == tree_.document) return guard.check_names(builder_.new_name_count());
        builder_.close();
        --depth;
      }
      node = node->next;
    }
    return Done{};
  }

 private:
  // True when the node is an element, which is then open.
  bool copy_node(const myhtml_tree_node_t& node) {
    switch (node.tag_id) {
      case MyHTML_TAG__TEXT:
        if (node.token != nullptr) builder_.add_text(view(node.token->str));
        return false;
      case MyHTML_TAG__COMMENT:
        builder_.add_comment(node.token == nullptr ? "" : view(node.token->str));
        return false;
      case MyHTML_TAG__DOCTYPE:
        builder_.add_doctype(builder_.intern(view(tree_.doctype.attr_name)),
                             view(tree_.doctype.attr_public), view(tree_.doctype.attr_system));
        return false;
      default:
        builder_.open(tags_.name_of(node, builder_), space_of(node));
        if (node.token != nullptr) copy_attributes(node.token->attr_first);
        return true;
    }
  }

  void copy_attributes(const myhtml_token_attr_t* attribute) {
    for (; attribute != nullptr; attribute = attribute->next) {
      if (attribute->ns != MyHTML_NAMESPACE_HTML)
        copy_foreign_attribute(*attribute, builder_);
      else if (attribute->key.length != 0)
        builder_.add_attribute(builder_.intern(view(attribute->key)), view(attribute->value),
                               AttributeSpace::none);
    }
  }

  const myhtml_tree_t& tree_;
  const TagMap& tags_;
  DocumentBuilder& builder_;
};

}  // namespace

class Parser::Impl {
 public:
  Result<Document> parse(std::string_view utf8, const ParseLimits& limits) {
    if (!tree_ && !create_tree())
      return Error{ErrorCode::unavailable, "html: no memory for the parser"};
    ParseGuard guard(limits, utf8.size());
    auto document = build(utf8, guard);
    if (utf8.size() > kBytesWorthKeeping || guard.nodes() > kNodesWorthKeeping) tree_.reset();
    return document;
  }

 private:
  bool create_tree() {
    if (!myhtml_) {
      myhtml_.reset(myhtml_create());
      if (!myhtml_) return false;
      if (MyHTML_FAILED(myhtml_init(myhtml_.get(), MyHTML_OPTIONS_PARSE_MODE_SINGLE, 1, 0)))
        return false;
    }
    tree_.reset(myhtml_tree_create());
    return tree_ && !MyHTML_FAILED(myhtml_tree_init(tree_.get(), myhtml_.get()));
  }

  Result<Document> build(std::string_view utf8, ParseGuard& guard) {
    prepare(guard);
    if (!feed(utf8, guard)) return guard.error();
    DocumentBuilder builder(guard.expected_sizes());
    auto copied = TreeCopy(*tree_, tags_, builder).run(guard);
    if (!copied) return std::move(copied.error());
    return std::move(builder).finish();
  }

  void prepare(ParseGuard& guard) {
    myhtml_tree_clean(tree_.get());
    tree_->parse_flags = MyHTML_TREE_PARSE_FLAGS_CLEAN;
    tree_->callback_before_token = on_token;
    tree_->callback_before_token_ctx = &guard;
    tree_->callback_tree_node_insert = on_insert;
    tree_->callback_tree_node_insert_ctx = &guard;
    tree_->callback_tree_node_remove = on_remove;
    tree_->callback_tree_node_remove_ctx = &guard;
    myhtml_encoding_set(tree_.get(), MyENCODING_UTF_8);
  }

  bool feed(std::string_view utf8, ParseGuard& guard) {
    do {
      const std::string_view part = utf8.substr(0, piece_length(utf8));
      utf8.remove_prefix(part.size());
      if (MyHTML_FAILED(myhtml_parse_chunk(tree_.get(), part.data(), part.size())))
        return guard.fail("the parser gave up");
      if (guard.is_exceeded() || !accepts_unfinished_token(guard)) return false;
    } while (!utf8.empty());
    if (MyHTML_FAILED(myhtml_parse_chunk_end(tree_.get()))) return guard.fail("the parser gave up");
    return !guard.is_exceeded();
  }

  // A tag may go on over many pieces, and gathers attributes all the while.
  bool accepts_unfinished_token(ParseGuard& guard) {
    const myhtml_token_node_t* token = tree_->current_token_node;
    if (token == nullptr) return true;
    return guard.accepts_attributes(count_attributes(token->attr_first));
  }

  MyHtml myhtml_;
  MyHtmlTree tree_;  // freed before myhtml_
  TagMap tags_;
};

Parser::Parser() : impl_(std::make_unique<Impl>()) {}
Parser::~Parser() = default;
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;

Result<Document> Parser::parse(std::string_view utf8, const ParseLimits& limits) {
  return impl_->parse(utf8, limits);
}

Result<Document> parse(std::string_view utf8, const ParseLimits& limits) {
  return Parser().parse(utf8, limits);
}

}  // namespace heddle::html
