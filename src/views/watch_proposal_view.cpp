#include "views/watch_proposal_view.hpp"

namespace heddle::views {

namespace {

std::string_view watch_name(WatchKind watch) {
  return watch == WatchKind::feed ? "feed" : "items";
}

// As a job's configuration has it.
std::string selector_with_attribute(const FieldRule& field) {
  return field.attribute.empty() ? field.selector : field.selector + "@" + field.attribute;
}

void write_field(JsonWriter& json, const FieldRule& field) {
  json.begin_object().field("name", field.name);
  json.field("selector", selector_with_attribute(field)).end_object();
}

void write_samples(JsonWriter& json, const WatchCandidate& candidate) {
  json.key("samples").begin_array();
  for (const std::vector<std::string>& row : candidate.rows) {
    json.begin_object();
    for (std::size_t i = 0; i < row.size() && i < candidate.fields.size(); ++i)
      json.field(candidate.fields[i].name, row[i]);
    json.end_object();
  }
  json.end_array();
}

void write_candidate(JsonWriter& json, const WatchCandidate& candidate) {
  json.begin_object().field("watch", watch_name(candidate.watch));
  json.field("description", candidate.description);
  json.key("confidence").decimal(candidate.confidence);
  json.field("json_in", candidate.json_in).field("selector", candidate.selector);
  json.key("fields").array(candidate.fields, write_field);
  json.field("key", candidate.key).field("items", candidate.items);
  write_samples(json, candidate);
  json.field("reasons", candidate.reasons).end_object();
}

}  // namespace

void write_watch_proposal_fields(JsonWriter& json, const WatchProposal& proposal) {
  json.field("url", proposal.url).field("final_url", proposal.final_url);
  json.field("title", proposal.title).field("class", proposal.page_class);
  json.key("confidence").decimal(proposal.confidence);
  json.field("signals", proposal.signals).field("hints", proposal.hints);
  json.key("candidates").array(proposal.candidates, write_candidate);
}

void write_repair_proposal_fields(JsonWriter& json, const RepairProposal& proposal) {
  json.field("url", proposal.url).field("known_items", proposal.known);
  json.field("items_now", proposal.items_now).field("empty_fields", proposal.empty_fields);
  json.key("found");
  if (proposal.found)
    write_candidate(json, *proposal.found);
  else
    json.null();
  json.field("lost_fields", proposal.lost_fields);
}

}  // namespace heddle::views
