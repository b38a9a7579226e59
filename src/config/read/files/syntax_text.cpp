#include "config/read/files/syntax_text.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::config {

namespace {

constexpr std::size_t kShownBytes = 40;
constexpr const char* kUnclosedText =
    "a text is not closed: its closing quote is missing (a text over several lines is written in "
    "\"\"\"…\"\"\")";
constexpr const char* kLineForm = "a line is KEY = VALUE, [SECTION] or a comment after \"#\"";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') ||
         c == '\x7F';
}

std::string shortened(std::string_view text) {
  return text.size() <= kShownBytes ? std::string(text)
                                    : std::string(utf8_prefix(text, kShownBytes)) + "…";
}

// A place in a text of valid UTF-8.
struct TextPlace {
  TextPlace(std::string_view text, int line_number, int column) {
    for (int i = 1; i < line_number && !text.empty(); ++i)
      text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    line = text.substr(0, text.find('\n'));
    if (line.ends_with('\r')) line.remove_suffix(1);
    for (int i = 1; i < column && at < line.size(); ++i)
      at += std::max<std::size_t>(1, utf8_sequence_length(line.substr(at)));
  }

  [[nodiscard]] bool is_end() const { return trim(line.substr(at)).empty(); }
  [[nodiscard]] char found() const { return at < line.size() ? line[at] : '\n'; }
  [[nodiscard]] std::string_view before() const { return trim(line.substr(0, at)); }

  // What stands there, for people.
  [[nodiscard]] std::string what() const {
    if (found() == '"' || found() == '\'') return "a quotation mark";
    if (is_control(found()))
      return fmt::format("the control character U+{:04X}", static_cast<unsigned>(found()));
    if (is_end()) return "the end of the line";
    return fmt::format(
        "\"{}\"", line.substr(at, std::max<std::size_t>(1, utf8_sequence_length(line.substr(at)))));
  }

  // The word that reaches to this place or stands around it.
  [[nodiscard]] std::string word() const {
    constexpr std::string_view kEnds = " \t,=[]{}\"'#";
    const auto ends = [&](char c) { return has(kEnds, std::string_view(&c, 1)) || is_control(c); };
    std::size_t begin = at;
    while (begin > 0 && !ends(line[begin - 1])) --begin;
    std::size_t end = at;
    while (end < line.size() && !ends(line[end])) ++end;
    return shortened(line.substr(begin, end - begin));
  }

  std::string_view line;
  std::size_t at = 0;  // in bytes
};

// What stands between the last two apostrophes: "… saw 'b'".
std::string quoted_part(std::string_view reason) {
  const auto end = reason.rfind('\'');
  const auto begin = end == std::string_view::npos || end == 0 ? end : reason.rfind('\'', end - 1);
  if (begin == std::string_view::npos || begin >= end) return "";
  return shortened(reason.substr(begin + 1, end - begin - 1));
}

std::string escape_problem(std::string_view reason, const TextPlace& place) {
  if (has(reason, "surrogates"))
    return "\"\\uD800\" to \"\\uDFFF\" are no characters: write the character itself, or "
           "\"\\UXXXXXXXX\"";
  if (has(reason, "values greater")) return "there is no character above \"\\U0010FFFF\"";
  if (has(reason, "hex digit"))
    return "\"\\u\" needs four hexadecimal digits, \"\\U\" eight: write a backslash as \"\\\\\", "
           "or put the text in single quotes";
  if (has(reason, "escape sequence") && !place.is_end())
    return fmt::format(
        "unknown escape \"{}\" in a text: write a backslash as \"\\\\\", or put the text in single "
        "quotes",
        quoted_part(reason));
  return "";
}

std::string text_problem(std::string_view reason, const TextPlace& place) {
  if (std::string ours = escape_problem(reason, place); !ours.empty()) return ours;
  if (!place.is_end() && has(reason, "control characters"))
    return "a text contains a control character: write it as \"\\uXXXX\"";
  return kUnclosedText;
}

std::string no_value(const std::string& word) {
  const std::string lower = to_lower_ascii(word);
  for (const std::string_view none : {"null", "nil", "none", "nul"})
    if (lower == none) return fmt::format("TOML has no \"{}\": leave the key out", word);
  return fmt::format("\"{}\" is not a value: put a text in quotes", word);
}

std::string boolean_problem(const std::string& word) {
  const char first = word.empty() ? 'f' : word.front();
  return fmt::format("\"{}\" is not a value: write {} in small letters, or put a text in quotes",
                     word, first == 't' || first == 'T' ? "true" : "false");
}

std::string prefix_problem(const std::string& number) {
  const std::size_t sign = number.starts_with('+') || number.starts_with('-') ? 1 : 0;
  const std::string prefix = number.substr(sign, 2);
  const bool is_prefix = prefix == "0x" || prefix == "0o" || prefix == "0b";
  if (!is_prefix) return "";
  if (sign > 0)
    return fmt::format("\"{}\": a number with {} has no sign: write it in decimal digits", number,
                       prefix);
  if (number.size() == 2)
    return fmt::format("\"{}\" is not a number: digits are missing after it", number);
  const char* digits = prefix == "0x" ? "0 to 9 and a to f" : prefix == "0o" ? "0 to 7" : "0 and 1";
  return fmt::format("\"{}\" is not a number: after {} stand the digits {}", number, prefix,
                     digits);
}

std::string digits_problem(std::string_view reason, const std::string& number) {
  if (has(reason, "not representable"))
    return fmt::format("the number {} is too large: the largest is 9223372036854775807",
                       quoted_part(reason));
  if (has(reason, "length limit") || has(reason, "too long"))
    return "the number has too many digits";
  if (has(reason, "could not be interpreted"))
    return fmt::format("the number {} is too large", quoted_part(reason));
  if (std::string ours = prefix_problem(number); !ours.empty()) return ours;
  if (has(reason, "underscores"))
    return fmt::format("\"{}\" is not a number: \"_\" may only stand between two digits", number);
  if (has(reason, "leading zeroes"))
    return fmt::format("\"{}\": a number must not begin with 0: put a text in quotes", number);
  return "";
}

std::string number_problem(std::string_view reason, const std::string& number) {
  const bool is_word = has(reason, "'nan'") || has(reason, "'inf'") ||
                       has(reason, "value-terminator") || has(reason, "begin with underscores");
  if (is_word) return no_value(number);
  if (std::string ours = digits_problem(reason, number); !ours.empty()) return ours;
  const std::size_t dot = number.find('.');
  const auto is_digit_at = [&](std::size_t at) {
    return at < number.size() && number[at] >= '0' && number[at] <= '9';
  };
  const bool lacks_digit =
      dot != std::string::npos && (!is_digit_at(dot + 1) || dot == 0 || !is_digit_at(dot - 1));
  if (lacks_digit && number.find('.', dot + 1) == std::string::npos)
    return fmt::format(
        "\"{}\" is not a number: a digit stands on both sides of the dot, such as "
        "0.5",
        number);
  if (number.ends_with('e') || number.ends_with('E'))
    return fmt::format("\"{}\" is not a number: digits are missing after \"e\", as in 1e3", number);
  return fmt::format(
      "\"{}\" is not a number: put a text in quotes, and write a quantity with a unit in quotes, "
      "such as \"5m\"",
      number);
}

std::string key_problem(const TextPlace& place) {
  const char last = place.before().empty() ? ' ' : place.before().back();
  if (last == '.' || place.found() == '.')
    return "a name is missing beside a dot: write a.b, or put a name that has dots in quotes";
  if (place.line.substr(0, place.at).find('[') != std::string_view::npos && place.is_end())
    return "a section is not closed: its name and its \"]\" are missing";
  return fmt::format("expected the name of a key or section, found {}", place.what());
}

std::string line_problem(const TextPlace& place) {
  switch (place.found()) {
    case '=':
      return "the key before \"=\" is missing: a line is KEY = VALUE";
    case '{':
      return "this looks like JSON: write TOML, one KEY = VALUE on each line, such as name = "
             "\"shop\"";
    case '.':
      return "a name is missing before the dot: write a.b, or put a name that has dots in quotes";
    case ']':
    case '}':
      return fmt::format("{} closes nothing: remove it, or write what it closes before it",
                         place.what());
    default:
      return fmt::format(
          "a key cannot begin with {}: {}; put a key with other characters than letters, digits, "
          "\"_\" and \"-\" in quotes",
          place.what(), kLineForm);
  }
}

std::string section_problem(std::string_view reason, const TextPlace& place) {
  if (has(reason, "blank bare keys")) return "a section needs a name: write [NAME]";
  if (!has(reason, "expected ']'") && !has(reason, "end-of-file")) return "";
  const char* end = trim(place.line).starts_with("[[") ? "]]" : "]";
  if (place.is_end()) return fmt::format("a section is not closed: its \"{}\" is missing", end);
  return fmt::format(
      "expected \"{}\" after the name of the section, found {}: put a name with such characters in "
      "quotes",
      end, place.what());
}

std::string repetition_problem(std::string_view reason, const TextPlace& place) {
  const std::string name = quoted_part(reason);
  const bool is_below_value = has(name, ".") && has(reason, "' as ");
  if (is_below_value)
    return fmt::format(
        "\"{}\" cannot be a section: this name or one before its dot has a value above; remove one "
        "of the two",
        name);
  if (!has(reason, "as dotted")) return fmt::format("\"{}\" is given twice: keep one", name);
  const auto keys = trim(place.line.substr(0, place.line.find('=')));
  const auto parent = place.line.substr(place.at, place.line.substr(place.at).find_first_of(".= "));
  return fmt::format(
      "\"{}\" cannot be given here: \"{}\" has a value or a section of its own above; write the "
      "key there, or remove one of the two",
      shortened(keys), shortened(parent));
}

std::string list_problem(std::string_view reason, const TextPlace& place) {
  if (has(reason, "saw comma"))
    return "a value is missing before \",\" in a list: remove the \",\"";
  if (has(reason, "end-of-file")) return "a list is not closed: its \"]\" is missing";
  return fmt::format(
      "expected \",\" or \"]\" in a list, found {}: a \",\" stands between two "
      "values",
      place.what());
}

std::string table_problem(std::string_view reason) {
  if (has(reason, "comma)") || has(reason, "saw comma"))
    return "a table in { } has a \",\" without a key after or before it: remove the \",\"";
  return "a table in { } must be closed by \"}\" on the same line";
}

std::string structure_problem(std::string_view reason, const TextPlace& place) {
  if (has(reason, "cannot redefine")) return repetition_problem(reason, place);
  if (has(reason, "cannot insert"))
    return fmt::format(
        "\"{}\" cannot be given here: its table is complete, or one of its names "
        "has another value above",
        quoted_part(reason));
  if (has(reason, "parsing array")) return list_problem(reason, place);
  if (has(reason, "inline table:")) return table_problem(reason);
  if (has(reason, "after '\\r'"))
    return "a carriage return stands alone: end the lines with a line feed (LF, or CR LF)";
  const bool is_only_key = has(reason, "end-of-file") && !has(place.line, "=");
  if (has(reason, "expected '='") || is_only_key)
    return fmt::format("expected \"=\" after the key, found {}: a line is KEY = VALUE",
                       place.what());
  if (has(reason, "expected value, saw") && !place.is_end() && place.found() != '#')
    return fmt::format("expected a value after \"=\", found {}", place.what());
  if (has(reason, "expected value, saw"))
    return fmt::format("a value is missing after \"=\": write for example {} \"text\"",
                       shortened(place.before()));
  if (has(reason, "could not determine value type"))
    return "expected a value: a text in quotes, a number, true, false or a list in [ ]";
  if (has(reason, "expected a comment or whitespace"))
    return fmt::format("expected the end of the line after the {}, found {}",
                       has(reason, "table header") ? "section" : "value", place.what());
  if (has(reason, "end-of-file")) return "a value is missing after \"=\"";
  return "";
}

// What the library was reading: "Error while parsing integer: …".
enum class Part { text, comment, boolean, number, date, section, key, line, other };

Part part_of(std::string_view reason) {
  struct Known {
    std::string_view words;
    Part part;
  };
  constexpr std::array<Known, 13> kKnown{{{"parsing string", Part::text},
                                          {"parsing literal string", Part::text},
                                          {"parsing unicode", Part::text},
                                          {"parsing comment", Part::comment},
                                          {"parsing boolean", Part::boolean},
                                          {"integer:", Part::number},
                                          {"floating-point:", Part::number},
                                          {"begin with underscores", Part::number},
                                          {"too long to identify", Part::number},
                                          {"parsing date", Part::date},
                                          {"parsing time", Part::date},
                                          {"parsing table header", Part::section},
                                          {"parsing root table", Part::line}}};
  for (const Known& each : kKnown)
    if (has(reason, each.words)) return each.part;
  return has(reason, "parsing key:") ? Part::key : Part::other;
}

std::string problem_of(Part part, std::string_view reason, const TextPlace& place) {
  switch (part) {
    case Part::text:
      return text_problem(reason, place);
    case Part::comment:
      return "a comment contains a control character: remove it";
    case Part::boolean:
      return boolean_problem(place.word());
    case Part::number:
      return number_problem(reason, place.word());
    case Part::date:
      return fmt::format("\"{}\" begins like a date or time, but is none: put a text in quotes",
                         place.word());
    case Part::section:
      return section_problem(reason, place);
    case Part::key:
      return key_problem(place);
    case Part::line:
      return has(reason, "expected keys") ? line_problem(place) : "";
    case Part::other:
      break;
  }
  return "";
}

}  // namespace

std::string syntax_text(std::string_view reason, std::string_view text, int line, int column) {
  const TextPlace place(text, line, column);
  const Part part = part_of(reason);
  if (is_control(place.found()) && part != Part::text && part != Part::comment)
    return fmt::format("{} stands here: remove it, and save the file as UTF-8 text", place.what());
  std::string ours = problem_of(part, reason, place);
  if (ours.empty()) ours = structure_problem(reason, place);
  return ours.empty() ? fmt::format("{} is not expected here: {}", place.what(), kLineForm) : ours;
}

int line_of_invalid_utf8(std::string_view text) {
  int line = 1;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) return line;
    if (text.front() == '\n') ++line;
    text.remove_prefix(length);
  }
  return 0;
}

}  // namespace heddle::config
