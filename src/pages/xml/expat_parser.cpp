// parse_xml() with expat.
#include <limits>
#include <memory>

#include <expat.h>
#include <fmt/format.h>

#include "base/free_with.hpp"
#include "base/text.hpp"
#include "html/text.hpp"
#include "pages/xml/xml.hpp"
#include "pages/xml/xml_tree.hpp"

namespace heddle::pages {

namespace {

using ExpatHandle = std::unique_ptr<XML_ParserStruct, FreeWith<XML_ParserFree>>;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// Entities can refer to each other, and expat follows them by recursion.
constexpr int kMaxEntities = 1'000;

// Handlers of expat are plain functions; each gets this object back.
class ExpatParser {
 public:
  ExpatParser(std::string_view text, const html::ParseLimits& limits)
      : text_(text), tree_(text.size(), limits), handle_(XML_ParserCreate("UTF-8")) {}

  Result<html::Document> run() {
    if (handle_ == nullptr) return Error{ErrorCode::unavailable, "no memory for an XML parser"};
    if (text_.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      return Error{ErrorCode::bad_input, "too_complex: XML of 2 GB or more"};
    set_handlers();
    const XML_Status status =
        XML_Parse(handle_.get(), text_.data(), static_cast<int>(text_.size()), XML_TRUE);
    if (!tree_.problem().empty() || status == XML_STATUS_OK) return std::move(tree_).finish();
    return Error{ErrorCode::bad_input,
                 fmt::format("XML: line {}, column {}: {}", XML_GetCurrentLineNumber(handle_.get()),
                             XML_GetCurrentColumnNumber(handle_.get()) + 1,
                             XML_ErrorString(XML_GetErrorCode(handle_.get())))};
  }

 private:
  static ExpatParser& of(void* data) { return *static_cast<ExpatParser*>(data); }

  void set_handlers() {
    XML_SetUserData(handle_.get(), this);
    XML_SetElementHandler(handle_.get(), on_start, on_end);
    XML_SetCharacterDataHandler(handle_.get(), on_text);
    XML_SetCommentHandler(handle_.get(), on_comment);
    XML_SetProcessingInstructionHandler(handle_.get(), on_instruction);
    XML_SetStartDoctypeDeclHandler(handle_.get(), on_doctype);
    XML_SetEntityDeclHandler(handle_.get(), on_entity);
    XML_SetSkippedEntityHandler(handle_.get(), on_skipped_entity);
    XML_SetParamEntityParsing(handle_.get(), XML_PARAM_ENTITY_PARSING_NEVER);
  }

  void stop_if_exceeded() {
    if (!tree_.problem().empty()) XML_StopParser(handle_.get(), XML_FALSE);
  }

  static void on_start(void* data, const XML_Char* name, const XML_Char** pairs) {
    ExpatParser& self = of(data);
    self.attributes_.clear();
    for (; *pairs != nullptr; pairs += 2) self.attributes_.emplace_back(pairs[0], pairs[1]);
    self.tree_.open(name, self.attributes_);
    self.stop_if_exceeded();
  }

  static void on_end(void* data, const XML_Char* /*name*/) { of(data).tree_.close(); }

  static void on_text(void* data, const XML_Char* text, int length) {
    of(data).tree_.add_text({text, static_cast<std::size_t>(length)});
    of(data).stop_if_exceeded();
  }

  static void on_comment(void* data, const XML_Char* text) {
    of(data).tree_.add_comment(text);
    of(data).stop_if_exceeded();
  }

  static void on_instruction(void* data, const XML_Char* target, const XML_Char* text) {
    of(data).tree_.add_instruction(target, text);
    of(data).stop_if_exceeded();
  }

  static void on_doctype(void* data, const XML_Char* name, const XML_Char* system_id,
                         const XML_Char* public_id, int /*has_internal_subset*/) {
    of(data).tree_.add_doctype(name, public_id == nullptr ? "" : public_id,
                               system_id == nullptr ? "" : system_id);
  }

  static void on_entity(void* data, const XML_Char* /*name*/, int /*is_parameter*/,
                        const XML_Char* /*value*/, int /*length*/, const XML_Char* /*base*/,
                        const XML_Char* /*system_id*/, const XML_Char* /*public_id*/,
                        const XML_Char* /*notation*/) {
    if (++of(data).entities_ <= kMaxEntities) return;
    of(data).tree_.exceed(fmt::format("more than {} entities", kMaxEntities));
    of(data).stop_if_exceeded();
  }

  // An entity of a DTD that is not loaded: most likely one of HTML.
  static void on_skipped_entity(void* data, const XML_Char* name, int is_parameter) {
    if (is_parameter != 0) return;
    const std::string reference = fmt::format("&{};", name);
    std::string text;
    html::append_decoded(reference, text);
    of(data).tree_.add_text(text);
  }

  std::string_view text_;
  XmlTree tree_;
  ExpatHandle handle_;
  XmlAttributes attributes_;
  int entities_ = 0;
};

}  // namespace

Result<html::Document> parse_xml(std::string_view utf8, const html::ParseLimits& limits) {
  if (utf8.starts_with(kByteOrderMark)) utf8.remove_prefix(kByteOrderMark.size());
  const std::size_t begin = utf8.find_first_not_of(" \t\r\n");
  if (begin != std::string_view::npos) utf8.remove_prefix(begin);
  return ExpatParser(utf8, limits).run();
}

Result<XmlPage> read_xml(std::string_view utf8, const html::ParseLimits& limits) {
  auto document = parse_xml(utf8, limits);
  if (document) return XmlPage{*std::move(document), {}};
  std::string problem = std::move(document.error().message);
  if (problem.starts_with("too_complex")) return Error{ErrorCode::bad_input, std::move(problem)};
  auto repaired = repair_xml(utf8, limits);
  if (!repaired) return std::move(repaired.error());
  return XmlPage{*std::move(repaired), std::move(problem)};
}

}  // namespace heddle::pages
