// Processes start tags in the body, one function per kind; the table at the end maps names to them.
#include "html/parser/foreign_names.hpp"
#include "html/parser/tag_rules.hpp"
#include "html/parser/tokenizer/characters.hpp"
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

TokenResult ordinary(TreeBuilder& builder, Token& token) {
  builder.reconstruct_formatting();
  builder.insert_element(token);
  return TokenResult::done;
}

TokenResult ignored(TreeBuilder& /*builder*/, Token& /*token*/) {
  return TokenResult::done;
}

TokenResult html(TreeBuilder& builder, Token& token) {
  if (!builder.is_template_open()) builder.add_late_attributes(builder.open[0].node, token);
  return TokenResult::done;
}

bool has_body(const TreeBuilder& builder) {
  return builder.open.size() > 1 && builder.open[1].is_html(known("body"));
}

TokenResult body(TreeBuilder& builder, Token& token) {
  if (!has_body(builder) || builder.is_template_open()) return TokenResult::done;
  builder.may_have_frameset = false;
  builder.add_late_attributes(builder.open[1].node, token);
  return TokenResult::done;
}

TokenResult frameset(TreeBuilder& builder, Token& token) {
  if (!has_body(builder) || !builder.may_have_frameset) return TokenResult::done;
  builder.tree.detach(builder.open[1].node);
  builder.open.pop_to(1);
  builder.insert_element(token);
  builder.mode = InsertionMode::in_frameset;
  return TokenResult::done;
}

TokenResult block(TreeBuilder& builder, Token& token) {
  builder.close_p();
  builder.insert_element(token);
  return TokenResult::done;
}

TokenResult heading(TreeBuilder& builder, Token& token) {
  builder.close_p();
  if (builder.open.current().has(is_heading)) builder.open.pop();
  builder.insert_element(token);
  return TokenResult::done;
}

TokenResult preformatted(TreeBuilder& builder, Token& token) {
  builder.skips_line_feed = true;
  builder.may_have_frameset = false;
  return block(builder, token);
}

TokenResult form(TreeBuilder& builder, Token& token) {
  const bool is_in_template = builder.is_template_open();
  if (builder.form != kNoIndex && !is_in_template) return TokenResult::done;
  builder.close_p();
  const NodeIndex node = builder.insert_element(token);
  if (!is_in_template) builder.form = node;
  return TokenResult::done;
}

// <li>, <dd> and <dt> close the previous one if it is open in the same list.
void close_item(TreeBuilder& builder, NameId tag, NameId other) {
  OpenElements& open = builder.open;
  if (!open.has(tag) && !open.has(other)) return;
  for (std::size_t i = open.size(); i-- > 0;) {
    builder.budget.charge(1);
    const OpenElement& element = open[i];
    if (element.is_html(tag) || element.is_html(other)) return open.pop_to(i);
    if (element.has(is_special) && !element.has(is_transparent_to_items)) return;
  }
}

TokenResult list_item(TreeBuilder& builder, Token& token) {
  builder.may_have_frameset = false;
  close_item(builder, known("li"), known("li"));
  return block(builder, token);
}

TokenResult definition(TreeBuilder& builder, Token& token) {
  builder.may_have_frameset = false;
  close_item(builder, known("dd"), known("dt"));
  return block(builder, token);
}

TokenResult plaintext(TreeBuilder& builder, Token& token) {
  block(builder, token);
  builder.read_plain_text();
  return TokenResult::done;
}

TokenResult button(TreeBuilder& builder, Token& token) {
  if (builder.open.has_in_scope(known("button"))) builder.open.pop_until(known("button"));
  builder.may_have_frameset = false;
  return ordinary(builder, token);
}

TokenResult formatting(TreeBuilder& builder, Token& token) {
  builder.reconstruct_formatting();
  builder.formatting.push(builder.insert_element(token));
  return TokenResult::done;
}

TokenResult link(TreeBuilder& builder, Token& token) {
  const std::size_t entry = builder.formatting.find(known("a"));
  if (entry != FormattingList::kNotFound) {
    const NodeIndex node = builder.formatting[entry];
    builder.run_adoption_agency(known("a"));
    builder.formatting.remove(node);
    builder.open.remove(node);
  }
  return formatting(builder, token);
}

TokenResult nobr(TreeBuilder& builder, Token& token) {
  builder.reconstruct_formatting();
  if (builder.open.has_in_scope(known("nobr"))) builder.run_adoption_agency(known("nobr"));
  return formatting(builder, token);
}

TokenResult marked(TreeBuilder& builder, Token& token) {
  ordinary(builder, token);
  builder.formatting.push_marker();
  builder.may_have_frameset = false;
  return TokenResult::done;
}

TokenResult table(TreeBuilder& builder, Token& token) {
  if (!builder.is_quirks_mode) builder.close_p();
  builder.insert_element(token);
  builder.may_have_frameset = false;
  builder.mode = InsertionMode::in_table;
  return TokenResult::done;
}

TokenResult void_inline(TreeBuilder& builder, Token& token) {
  builder.reconstruct_formatting();
  builder.insert_void_element(token);
  builder.may_have_frameset = false;
  return TokenResult::done;
}

TokenResult input(TreeBuilder& builder, Token& token) {
  if (builder.open.has_in_scope(known("select"))) builder.open.pop_until(known("select"));
  builder.reconstruct_formatting();
  builder.insert_void_element(token);
  if (!is_hidden_input(builder, token)) builder.may_have_frameset = false;
  return TokenResult::done;
}

TokenResult parameter(TreeBuilder& builder, Token& token) {
  builder.insert_void_element(token);
  return TokenResult::done;
}

TokenResult horizontal_rule(TreeBuilder& builder, Token& token) {
  builder.may_have_frameset = false;
  builder.close_p();
  if (builder.open.has_in_scope(known("select"))) builder.generate_implied_end_tags();
  return parameter(builder, token);
}

TokenResult image(TreeBuilder& /*builder*/, Token& token) {
  token.name = known("img");
  return TokenResult::reprocess;
}

TokenResult textarea(TreeBuilder& builder, Token& token) {
  builder.insert_text_element(token, TextMode::rcdata);
  builder.skips_line_feed = true;
  builder.may_have_frameset = false;
  return TokenResult::done;
}

TokenResult raw_text(TreeBuilder& builder, Token& token) {
  builder.insert_text_element(token, TextMode::raw_text);
  return TokenResult::done;
}

TokenResult xmp(TreeBuilder& builder, Token& token) {
  builder.close_p();
  builder.reconstruct_formatting();
  builder.may_have_frameset = false;
  return raw_text(builder, token);
}

TokenResult iframe(TreeBuilder& builder, Token& token) {
  builder.may_have_frameset = false;
  return raw_text(builder, token);
}

TokenResult select(TreeBuilder& builder, Token& token) {
  if (builder.open.has_in_scope(known("select"))) {
    builder.open.pop_until(known("select"));
    return TokenResult::done;
  }
  builder.may_have_frameset = false;
  return ordinary(builder, token);
}

TokenResult option(TreeBuilder& builder, Token& token) {
  if (builder.open.has_in_scope(known("select")))
    builder.generate_implied_end_tags(known("optgroup"));
  else if (builder.open.is_current(known("option")))
    builder.open.pop();
  return ordinary(builder, token);
}

TokenResult option_group(TreeBuilder& builder, Token& token) {
  if (builder.open.has_in_scope(known("select")))
    builder.generate_implied_end_tags();
  else if (builder.open.is_current(known("option")))
    builder.open.pop();
  return ordinary(builder, token);
}

TokenResult ruby_base(TreeBuilder& builder, Token& token) {
  if (builder.open.has_in_scope(known("ruby"))) builder.generate_implied_end_tags();
  builder.insert_element(token);
  return TokenResult::done;
}

TokenResult ruby_text(TreeBuilder& builder, Token& token) {
  if (builder.open.has_in_scope(known("ruby"))) builder.generate_implied_end_tags(known("rtc"));
  builder.insert_element(token);
  return TokenResult::done;
}

TokenResult foreign(TreeBuilder& builder, Token& token) {
  builder.reconstruct_formatting();
  const Namespace space = token.name == known("svg") ? Namespace::svg : Namespace::mathml;
  adjust_foreign_attributes(builder, token, space);
  builder.insert_foreign_element(token, space);
  return TokenResult::done;
}

constexpr TagRules kRules =
    TagRules(ordinary)
        .set({"html"}, html)
        .set({"base", "basefont", "bgsound", "link", "meta", "noframes", "script", "style",
              "template", "title"},
             in_head)
        .set({"body"}, body)
        .set({"frameset"}, frameset)
        .set({"address", "article", "aside",   "blockquote", "center",     "details", "dialog",
              "dir",     "div",     "dl",      "fieldset",   "figcaption", "figure",  "footer",
              "header",  "hgroup",  "main",    "menu",       "nav",        "ol",      "p",
              "search",  "section", "summary", "ul"},
             block)
        .set({"h1", "h2", "h3", "h4", "h5", "h6"}, heading)
        .set({"pre", "listing"}, preformatted)
        .set({"form"}, form)
        .set({"li"}, list_item)
        .set({"dd", "dt"}, definition)
        .set({"plaintext"}, plaintext)
        .set({"button"}, button)
        .set({"a"}, link)
        .set({"b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"},
             formatting)
        .set({"nobr"}, nobr)
        .set({"applet", "marquee", "object"}, marked)
        .set({"table"}, table)
        .set({"area", "br", "embed", "img", "keygen", "wbr"}, void_inline)
        .set({"input"}, input)
        .set({"param", "source", "track"}, parameter)
        .set({"hr"}, horizontal_rule)
        .set({"image"}, image)
        .set({"textarea"}, textarea)
        .set({"xmp"}, xmp)
        .set({"iframe"}, iframe)
        .set({"noembed"}, raw_text)
        .set({"select"}, select)
        .set({"option"}, option)
        .set({"optgroup"}, option_group)
        .set({"rb", "rtc"}, ruby_base)
        .set({"rp", "rt"}, ruby_text)
        .set({"math", "svg"}, foreign)
        .set({"caption", "col", "colgroup", "frame", "head", "tbody", "td", "tfoot", "th", "thead",
              "tr"},
             ignored);

}  // namespace

TokenResult body_start_tag(TreeBuilder& builder, Token& token) {
  return kRules.of(token.name)(builder, token);
}

}  // namespace heddle::html::parser
