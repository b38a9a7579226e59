#include "pages/propose/json_lists.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace heddle::pages {

namespace {

constexpr std::size_t kMaxLists = 5;
constexpr std::size_t kMaxArrays = 2'000;  // of objects
constexpr std::size_t kSamples = 30;       // objects of a list that are read
constexpr std::size_t kMaxMembers = 60;    // of an object
constexpr std::size_t kMaxSteps = 20;      // of a path
constexpr std::size_t kLongestName = 60;
constexpr std::size_t kLongestValue = 200;  // of a field without a known role, on average
constexpr std::size_t kMaxFields = 8;
constexpr std::size_t kEnoughFields = 3;  // then others are left out
constexpr double kSureScore = 12;
constexpr double kLeastScore = 3;

// A field by what its members are usually called. The order is that of the fields.
struct FieldRole {
  std::string_view field;
  double points;
  std::array<std::string_view, 10> names;  // lower case, without "_" and "-"
};

constexpr auto kRoles = std::to_array<FieldRole>({
    {"title", 3, {"title", "name", "headline", "productname", "displayname", "label", "subject"}},
    {"link",
     2,
     {"url", "link", "href", "permalink", "htmlurl", "weburl", "canonicalurl", "producturl"}},
    {"price",
     2,
     {"price", "saleprice", "currentprice", "finalprice", "lowprice", "amount", "cost"}},
    {"date",
     1,
     {"date", "published", "publishedat", "datepublished", "pubdate", "createdat", "updatedat",
      "createddate", "time", "timestamp"}},
    {"description", 0.5, {"description", "summary", "excerpt", "subtitle", "abstract"}},
    {"stock", 0.5, {"stock", "availability", "instock", "available", "status"}},
    {"rating", 0.5, {"rating", "score", "stars", "points", "ratingvalue"}},
    {"id", 0.5, {"id", "sku", "slug", "uid", "guid", "code", "objectid"}},
});

std::string folded_name(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '_' && c != '-') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

// ".name" or "['na me']"; empty for names that no path should hold.
std::string step_of(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return {};
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_plain = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_plain))
    return fmt::format(".{}", name);
  std::string quoted = fmt::format("['");
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') return {};
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "']";
}

// A member that many objects of a list have, or a member of an object in it ("price.amount").
struct MemberOfList {
  std::string path;         // ".price.amount"
  std::string name;         // the one that says what it is: "price"
  std::size_t present = 0;  // objects with a value
  std::size_t length = 0;   // of all values
  bool is_inner = false;
};

struct ListOfObjects {
  std::string path;  // "$.data.items[*]"
  std::size_t depth = 0;
  std::size_t nested = 0;  // lists around it
  std::size_t objects = 0;
  std::vector<JsonId> samples;
};

class JsonListSearch {
 public:
  explicit JsonListSearch(const JsonDocument& json) : json_(json) {}

  std::vector<WatchCandidate> run() {
    collect_lists();
    std::vector<WatchCandidate> candidates;
    for (const ListOfObjects& list : lists_)
      if (auto candidate = judge(list); candidate.confidence > 0)
        candidates.push_back(std::move(candidate));
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.confidence > b.confidence; });
    if (candidates.size() > kMaxLists) candidates.resize(kMaxLists);
    return candidates;
  }

 private:
  void collect_lists() {
    std::size_t arrays = 0;
    const auto end = static_cast<JsonId>(json_.size());
    for (JsonId id = 0; id < end && arrays < kMaxArrays; ++id) {
      if (json_.kind(id) != JsonKind::array || json_.is_replaced(id)) continue;
      const JsonId first = json_.first_child(id);
      if (first == kNoJson || json_.kind(first) != JsonKind::object) continue;
      ++arrays;
      add_list(id);
    }
  }

  void add_list(JsonId array) {
    ListOfObjects list;
    if (!describe_path(array, list)) return;
    const auto known = index_.find(list.path);
    if (known == index_.end()) {
      index_.emplace(list.path, lists_.size());
      lists_.push_back(std::move(list));
    }
    ListOfObjects& found = lists_[known == index_.end() ? lists_.size() - 1 : known->second];
    for (JsonId each = json_.first_child(array); each != kNoJson; each = json_.next(each)) {
      if (json_.kind(each) != JsonKind::object) continue;
      ++found.objects;
      if (found.samples.size() < kSamples) found.samples.push_back(each);
    }
  }

  // Elements of lists around it are all meant.
  bool describe_path(JsonId array, ListOfObjects& list) const {
    std::vector<std::string> steps;
    for (JsonId at = array; at != JsonDocument::root(); at = json_.parent(at)) {
      if (steps.size() == kMaxSteps) return false;
      const bool is_element = !json_.is_member(at);
      steps.push_back(is_element ? "[*]" : step_of(json_.name(at)));
      if (steps.back().empty()) return false;
      list.nested += is_element ? 1 : 0;
    }
    list.depth = steps.size();
    list.path.assign(1, '$');
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) list.path += *step;
    list.path += "[*]";
    return true;
  }

  void count_members(const ListOfObjects& list, JsonId object, const std::string& prefix,
                     std::vector<MemberOfList>& members) const {
    std::size_t seen = 0;
    for (JsonId member = json_.first_child(object); member != kNoJson && seen < kMaxMembers;
         member = json_.next(member), ++seen) {
      const std::string step = step_of(json_.name(member));
      if (step.empty() || json_.kind(member) == JsonKind::null) continue;
      if (json_.kind(member) == JsonKind::object && prefix.empty())
        count_members(list, member, step, members);
      if (json_.is_container(member)) continue;
      const std::string path = prefix + step;
      auto known = std::find_if(members.begin(), members.end(),
                                [&](const MemberOfList& each) { return each.path == path; });
      if (known == members.end()) {
        if (members.size() >= kMaxMembers * 2) continue;
        members.push_back({path, std::string(json_.name(member)), 0, 0, !prefix.empty()});
        if (!prefix.empty()) name_inner(members.back(), object);
        known = members.end() - 1;
      }
      ++known->present;
      known->length += json_value_text(json_, member).value_or(std::string()).size();
    }
  }

  // {"price": {"amount": 12}} is a price; {"author": {"name": "…"}} is no name of the object.
  void name_inner(MemberOfList& member, JsonId outer) const {
    const std::string inner = folded_name(member.name);
    const bool is_value = inner == "amount" || inner == "value" || inner == "current" ||
                          inner == "rendered" || inner == "href";
    member.name = is_value ? std::string(json_.name(outer))
                           : std::string(json_.name(outer)) + "_" + member.name;
  }

  WatchCandidate judge(const ListOfObjects& list) const {
    WatchCandidate candidate;
    candidate.selector = list.path;
    candidate.description = fmt::format("{} JSON objects", list.objects);
    std::vector<MemberOfList> members;
    for (const JsonId object : list.samples) count_members(list, object, "", members);
    std::erase_if(members, [&](const MemberOfList& member) {
      return member.present * 10 < list.samples.size() * 6;
    });
    double score = std::log2(double(std::min<std::size_t>(list.objects, 64)));
    score += choose_fields(list, members, candidate);
    score -= 0.3 * double(list.depth) + 1.5 * double(list.nested);
    if (candidate.fields.empty() || list.objects < 2 || score < kLeastScore) return candidate;
    candidate.confidence = std::clamp(score / kSureScore, 0.05, 1.0);
    candidate.reasons.push_back(fmt::format("{} objects in one list", list.objects));
    return candidate;
  }

  static void add_field(std::string name, const MemberOfList& member, WatchCandidate& candidate) {
    for (char& c : name) {
      const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
      if (!is_plain) c = '_';
    }
    FieldRule rule;
    rule.name = std::move(name);
    rule.selector = fmt::format("${}", member.path);
    rule.kind = SelectorKind::json_path;
    if (rule.name == "price") rule.type = FieldType::money;
    const auto is_same = [&](const FieldRule& each) {
      return each.name == rule.name || each.selector == rule.selector;
    };
    if (std::none_of(candidate.fields.begin(), candidate.fields.end(), is_same))
      candidate.fields.push_back(std::move(rule));
  }

  static const MemberOfList* member_with_role(const FieldRole& role,
                                              const std::vector<MemberOfList>& members) {
    for (const std::string_view name : role.names)
      for (const MemberOfList& member : members)
        if (!name.empty() && folded_name(member.name) == name) return &member;
    return nullptr;
  }

  static double choose_fields(const ListOfObjects& list, const std::vector<MemberOfList>& members,
                              WatchCandidate& candidate) {
    double score = 0;
    for (const FieldRole& role : kRoles) {
      const MemberOfList* member = member_with_role(role, members);
      if (member == nullptr) continue;
      score += role.points;
      candidate.reasons.push_back(fmt::format("each object has \"{}\"", member->name));
      add_field(std::string(role.field), *member, candidate);
    }
    for (const MemberOfList& member : members) {
      const bool is_long = member.length > kLongestValue * list.samples.size();
      if (candidate.fields.size() >= kEnoughFields || is_long) continue;
      score += 0.3;
      add_field(member.name, member, candidate);
    }
    if (candidate.fields.size() > kMaxFields) candidate.fields.resize(kMaxFields);
    return score;
  }

  const JsonDocument& json_;
  std::vector<ListOfObjects> lists_;
  std::map<std::string, std::size_t, std::less<>> index_;  // by path
};

}  // namespace

std::vector<WatchCandidate> find_json_lists(const JsonDocument& json) {
  return JsonListSearch(json).run();
}

}  // namespace heddle::pages
