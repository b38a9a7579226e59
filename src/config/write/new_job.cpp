#include "config/write/new_job.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/values/toml_value.hpp"
#include "config/write/field_text.hpp"
#include "model/web/url.hpp"

namespace heddle::config {

namespace {

constexpr std::string_view kInterval = "1h";
constexpr std::size_t kLongestName = 40;    // characters of a suggested name
constexpr std::size_t kLongestSample = 50;  // characters of a value in a comment

bool has_field(const WatchCandidate& watch, std::string_view name) {
  return std::any_of(watch.fields.begin(), watch.fields.end(),
                     [name](const FieldRule& field) { return field.name == name; });
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out = "[";
  for (const std::string& name : names) out += (out.size() > 1 ? ", " : "") + in_quotes(name);
  return out + "]";
}

class JobText {
 public:
  explicit JobText(const NewJob& job) : job_(job), watch_(job.watch) {}

  std::string write() {
    write_head();
    if (watch_.watch == WatchKind::feed)
      write_feed();
    else
      write_items();
    write_reports();
    return std::move(text_);
  }

 private:
  void line(std::string_view text) { text_.append(text) += '\n'; }

  void write_head() {
    const std::string id = to_slug(job_.name);
    line("# Written by `heddle add`: change what you like.");
    line(fmt::format("# `heddle check {}` reports mistakes, `heddle debug {}` shows what it finds.",
                     id, id));
    line(fmt::format("name = {}", in_quotes(job_.name)));
    line(fmt::format("url = {}", in_quotes(job_.url)));
    line("");
    write_schedule();
  }

  void write_schedule() {
    if (job_.interval.empty() && job_.inherits_schedule) {
      line(
          "# heddle.toml sets the schedule of all jobs. To give this job its own, remove the "
          "\"#\":");
      line(fmt::format("# interval = {}", in_quotes(kInterval)));
      return line("");
    }
    const std::string_view interval =
        job_.interval.empty() ? kInterval : std::string_view(job_.interval);
    line(
        "# How often the job runs: \"10m\", \"1h\", \"1d\". For fixed times write instead, such as "
        "every");
    line("# day at 8 o'clock: schedule = \"0 8 * * *\"");
    line(fmt::format("interval = {}", in_quotes(interval)));
    line("");
  }

  void write_feed() {
    line("# Each entry of the feed is an item with id, title, link, published, updated, author,");
    line("# summary and categories. The same id is the same entry.");
    line("watch = \"feed\"");
    line("");
  }

  void write_items() {
    if (!watch_.json_in.empty()) {
      line("# The element of the page whose text is JSON; the paths below read it.");
      line(fmt::format("json_in = {}", in_quotes(watch_.json_in)));
    }
    if (watch_.selector.empty()) {
      line("# The whole page is one item: there is no `selector`.");
    } else {
      line(fmt::format("# Each match of `selector` is one item: {} when this file was written.",
                       watch_.items));
      line(fmt::format("selector = {}", in_quotes(watch_.selector)));
    }
    line("");
    write_fields();
    write_identity();
  }

  void write_fields() {
    const bool is_json =
        !watch_.fields.empty() && watch_.fields.front().kind == SelectorKind::json_path;
    line(is_json ? "# What to take from each item: \"name:$.path\"."
                 : "# What to take from each item: \"name:css\" is a text, \"name:css@attribute\" "
                   "an attribute.");
    line("# The comment after a field is its first value when this file was written.");
    line("fields = [");
    for (std::size_t i = 0; i < watch_.fields.size(); ++i) {
      const bool has_value = !watch_.rows.empty() && i < watch_.rows.front().size();
      const std::string sample =
          has_value ? shortened(plain_text(watch_.rows.front()[i]), kLongestSample) : "";
      line(fmt::format("  {},{}{}", field_text(watch_.fields[i]), sample.empty() ? "" : "  # ",
                       sample));
    }
    line("]");
    line("");
  }

  // All other fields together would make an item new with every price.
  void write_identity() {
    if (watch_.key.empty()) return;  // only all fields together tell the items apart
    line("# Items with the same value in these fields are the same item; what changes about it is");
    line(fmt::format("# reported, and `heddle changes {}` lists it.", to_slug(job_.name)));
    line(fmt::format("key = {}", list_of(watch_.key)));
    line("");
    std::vector<std::string> names;
    for (const char* name : {"title", "price", "stock"}) {
      const bool is_key = std::find(watch_.key.begin(), watch_.key.end(), name) != watch_.key.end();
      if (has_field(watch_, name) && !is_key) names.emplace_back(name);
    }
    if (names.empty() || names.size() + watch_.key.size() == watch_.fields.size()) return;
    line("# Only differences in these fields are changes; others, such as dates, change without");
    line("# meaning.");
    line(fmt::format("hash_fields = {}", list_of(names)));
    line("");
  }

  void write_reports() {
    line(
        "# The first run stores the present items without a message; \"report\" reports all of "
        "them.");
    line("first_run = \"baseline\"");
    line("");
    line("# Only items in which one of these words occurs:");
    line("# keywords = [\"wool\", \"sale\"]");
    line("");
    line(
        "# New items are shown on the desktop, if there is one. To switch that off, remove the "
        "\"#\":");
    line("# [notification]");
    line("# enabled = false");
    line("# To send them to a program as JSON:");
    line("# [webhook]");
    line("# enabled = true");
    line("# url = \"https://example.org/hook\"");
  }

  const NewJob& job_;
  const WatchCandidate& watch_;
  std::string text_;
};

// "Blankets" of "Blankets | Shop".
std::string_view first_part(std::string_view title) {
  std::size_t end = title.size();
  for (const std::string_view separator : {" | ", " - ", " – ", " — ", " :: ", " · ", " • ", " » "})
    if (const auto at = title.find(separator); at != std::string_view::npos && at > 2)
      end = std::min(end, at);
  return trim(title.substr(0, end));
}

std::string without_references(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '{' && c != '}' && c != '$') out += c;
  return std::string(trim(out));
}

// At a blank if there is one.
std::string cut_at_word(std::string text) {
  const std::u32string characters = to_code_points(text);
  if (characters.size() <= kLongestName) return text;
  std::string out;
  for (const char32_t c : characters.substr(0, kLongestName)) append_utf8(out, c);
  const auto blank = out.rfind(' ');
  return blank == std::string::npos || blank < out.size() / 2 ? out : out.substr(0, blank);
}

}  // namespace

std::string new_job_text(const NewJob& job) {
  return JobText(job).write();
}

bool has_default_schedule(const Loaded& project) {
  return project.layers.contains("defaults.interval") ||
         project.layers.contains("defaults.schedule");
}

std::string suggested_job_name(const WatchProposal& page) {
  std::string name = cut_at_word(without_references(first_part(plain_text(page.title))));
  if (to_slug(name).size() >= 2) return name;
  const auto url = Url::parse(page.final_url);
  std::string_view host = url ? url->host() : std::string_view("page");
  if (host.starts_with("www.")) host.remove_prefix(4);
  return std::string(host);
}

std::string new_job_file(std::string_view name) {
  const std::string id = to_slug(name);
  return id.empty() ? std::string() : "jobs/" + id + "/config.toml";
}

std::string holder_of_job_name(const Loaded& project, std::string_view name) {
  const std::string id = to_slug(name);
  for (const LoadedJob& job : project.jobs)
    if (job.id.text == id || job.name == name) return job.origin.text();
  std::error_code unknown;
  const std::filesystem::path folder = project.project.root / "jobs" / id;
  const auto type = std::filesystem::symlink_status(folder, unknown).type();
  return type == std::filesystem::file_type::not_found ? std::string() : "jobs/" + id;
}

std::string unused_job_name(const Loaded& project, const std::string& name) {
  std::string unused = name;
  for (int number = 2; !holder_of_job_name(project, unused).empty(); ++number)
    unused = fmt::format("{} {}", name, number);
  return unused;
}

}  // namespace heddle::config
