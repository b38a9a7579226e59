#include "script/type_stubs.hpp"

#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::script {
namespace {

// Splits at commas outside of all brackets.
std::vector<std::string_view> split_outside_brackets(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
    if (c != ',' || depth != 0) continue;
    const std::string_view part = trim(text.substr(begin, i - begin));
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

struct Parameter {
  std::string_view name;  // "headers?", "..."
  std::string_view type;
};

struct Signature {
  std::vector<Parameter> parameters;
  std::vector<std::string_view> results;
};

std::size_t closing_bracket(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return text.size();
}

Signature parse_signature(std::string_view text) {
  Signature signature;
  const std::size_t close = closing_bracket(text);
  for (const std::string_view part : split_outside_brackets(text.substr(1, close - 1))) {
    const std::size_t colon = part.find(':');
    signature.parameters.push_back({part.substr(0, colon), trim(part.substr(colon + 1))});
  }
  const std::size_t colon = text.find(':', close);
  if (colon != std::string_view::npos)
    signature.results = split_outside_brackets(text.substr(colon + 1));
  return signature;
}

void add_comment(std::string& out, std::string_view text) {
  if (!text.empty()) out += fmt::format("--- {}\n", text);
}

void add_binding(std::string& out, const BindingDoc& doc) {
  const Signature signature = parse_signature(doc.signature);
  out += '\n';
  add_comment(out, doc.summary);
  if (doc.is_async) out += "---@async\n";
  std::string names;
  for (const Parameter& parameter : signature.parameters) {
    out += fmt::format("---@param {} {}\n", parameter.name, parameter.type);
    std::string_view name = parameter.name;
    if (name.ends_with('?')) name.remove_suffix(1);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  for (const std::string_view result : signature.results)
    out += fmt::format("---@return {}\n", result);
  out += fmt::format("function {}({}) end\n", doc.name, names);
}

void add_class(std::string& out, const ClassDoc& doc) {
  out += '\n';
  add_comment(out, doc.summary);
  out += fmt::format("---@class {}\n", doc.name);
  for (const FieldDoc& field : field_docs())
    if (field.owner == doc.name)
      out += fmt::format("---@field {} {}{}{}\n", field.name, field.type,
                         field.summary.empty() ? "" : " ", field.summary);
}

void add_global(std::string& out, const GlobalDoc& doc) {
  out += '\n';
  add_comment(out, doc.summary);
  if (doc.name == "spyweb") {
    out += "spyweb = heddle\n";
  } else if (doc.type == "table") {
    out += fmt::format("---@class {0}lib\n{0} = {{}}\n", doc.name);
  } else {
    out += fmt::format("---@type {}\n{} = nil\n", doc.type, doc.name);
  }
}

// Scripts define these themselves; the type tells an editor their arguments.
void add_hook(std::string& out, const HookDoc& doc) {
  out += '\n';
  add_comment(out, doc.summary);
  out += fmt::format("---@type fun{}\n{} = nil\n", doc.signature, doc.name);
}

}  // namespace

std::string lua_type_stubs() {
  std::string out =
      "---@meta heddle\n"
      "-- What Heddle gives to scripts. Written by `heddle types`; changes here are lost.\n"
      "---@diagnostic disable: missing-return, assign-type-mismatch\n";
  for (const ClassDoc& doc : class_docs()) add_class(out, doc);
  for (const GlobalDoc& doc : global_docs()) add_global(out, doc);
  for (const BindingDoc& doc : binding_docs()) add_binding(out, doc);
  for (const HookDoc& doc : hook_docs()) add_hook(out, doc);
  return out;
}

}  // namespace heddle::script
