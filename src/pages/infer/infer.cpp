#include "pages/infer/infer.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "pages/infer/inference_context.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::NodeId;

namespace {

constexpr std::size_t kGroupsRead = 16;  // whose blocks are read
constexpr std::size_t kGroupsTried = 6;  // for which selectors are written
constexpr double kSureScore = 14;
constexpr double kLeastScore = 3.5;
constexpr double kLeastShare = 0.4;  // of the best list's score

struct Candidate {
  std::vector<NodeId> blocks;
  std::vector<ChosenField> fields;
  std::unique_ptr<BlockSlots> slots;  // holds what the fields point to
  double score = 0;
  std::vector<ClassSignal> signals;

  void add(double points, std::string_view signal) {
    score += points;
    if (points > 0 && !signal.empty()) signals.push_back({std::string(signal), points});
  }
  [[nodiscard]] const ChosenField* field(std::string_view name) const {
    for (const ChosenField& each : fields)
      if (each.name == name) return &each;
    return nullptr;
  }
};

class ListInference {
 public:
  ListInference(const PageOutline& outline, const Url& url, const InferLimits& limits)
      : context_(outline, url, limits) {}

  std::vector<InferredList> run() {
    std::vector<Candidate> candidates;
    for (ShapeGroup& group : context_.shapes.groups(kGroupsRead)) {
      Candidate candidate = read_group(std::move(group));
      if (candidate.score >= kLeastScore) candidates.push_back(std::move(candidate));
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    std::vector<InferredList> lists;
    std::vector<const Candidate*> written;
    std::size_t tried = 0;
    for (Candidate& candidate : candidates) {
      if (tried >= kGroupsTried || lists.size() >= context_.limits.max_lists) break;
      const bool is_far_behind = candidate.score < candidates.front().score * kLeastShare;
      if (is_far_behind || is_part_of_any(candidate, written)) continue;
      ++tried;
      auto list = write(candidate);
      if (!list) continue;
      written.push_back(&candidate);
      lists.push_back(*std::move(list));
    }
    return lists;
  }

 private:
  std::optional<InferredList> write(Candidate& candidate) {
    auto list = write_list(context_, candidate.blocks, *candidate.slots, candidate.fields);
    if (!list) return std::nullopt;
    list->confidence = std::clamp(candidate.score / kSureScore, 0.0, 1.0);
    list->signals = std::move(candidate.signals);
    std::stable_sort(
        list->signals.begin(), list->signals.end(),
        [](const ClassSignal& a, const ClassSignal& b) { return a.weight > b.weight; });
    return list;
  }

  Candidate read_group(ShapeGroup group) {
    Candidate candidate;
    candidate.blocks = std::move(group.nodes);
    candidate.slots = std::make_unique<BlockSlots>(context_.shapes, candidate.blocks);
    candidate.fields = choose_fields(*candidate.slots, context_.memory);
    leave_out_strangers(candidate);
    candidate.add(group.rank, "");
    judge_fields(candidate);
    judge_blocks(candidate, group);
    return candidate;
  }

  // Blocks without a title, such as advertisements between the others, when they are few.
  void leave_out_strangers(Candidate& candidate) {
    const ChosenField* title = candidate.field("title");
    if (title == nullptr || candidate.blocks.size() > BlockSlots::kMaxBlocks) return;
    std::vector<NodeId> kept;
    for (std::size_t i = 0; i < candidate.blocks.size(); ++i)
      if (title->slot->nodes[i] != kNoNode) kept.push_back(candidate.blocks[i]);
    const bool are_few = kept.size() >= 3 && kept.size() < candidate.blocks.size() &&
                         kept.size() * 10 >= candidate.blocks.size() * 6;
    if (!are_few) return;
    candidate.blocks = std::move(kept);
    candidate.slots = std::make_unique<BlockSlots>(context_.shapes, candidate.blocks);
    candidate.fields = choose_fields(*candidate.slots, context_.memory);
  }

  void judge_fields(Candidate& candidate) const {
    const auto covered = [&](const ChosenField* field) {
      return field == nullptr ? 0.0 : candidate.slots->coverage(*field->slot);
    };
    const ChosenField* title = candidate.field("title");
    const ChosenField* link = candidate.field("link");
    candidate.add(2 * covered(title), "each entry has a title");
    candidate.add(2 * covered(link), "each entry has its own link");
    candidate.add(2 * covered(candidate.field("price")), "prices");
    candidate.add(1 * covered(candidate.field("image")), "images");
    candidate.add(1 * covered(candidate.field("date")), "dates");
    candidate.add(0.5 * covered(candidate.field("rating")), "ratings");
    candidate.add(0.7 * covered(candidate.field("description")), "descriptions");
    if (title == nullptr) candidate.add(-3, "");
    if (title != nullptr && link != nullptr && title->slot->text < 6) candidate.add(-1, "");
  }

  void judge_blocks(Candidate& candidate, const ShapeGroup& group) const {
    const BlockSlots& slots = *candidate.slots;
    const BlockSlot& whole = slots.slots().front();
    double own = 0;      // text of elements that hold it themselves
    double regular = 0;  // the same of slots that most blocks have
    for (const BlockSlot& slot : slots.slots()) {
      if (!slot.has_own_text || slot.is_any_path) continue;
      own += slot.text * double(slot.present);
      if (slots.coverage(slot) >= 0.6) regular += slot.text * double(slot.present);
    }
    candidate.add(own > 0 ? 1.5 * regular / own : 0, "entries have the same structure");
    if (whole.names.block) candidate.add(0.7, "class name of an item, such as \"product\"");
    const auto tag = whole.tag;
    if (tag == html::known("article") || tag == html::known("li") || tag == html::known("tr"))
      candidate.add(0.4, "");
    const double average =
        double(group.text) / double(std::max<std::size_t>(1, candidate.blocks.size()));
    if (average > 900) candidate.add(-1.5, "");
    if (repeats_inside(slots)) candidate.add(-2.5, "");
    const NodeId heading = context_.outline.heading();
    if (heading != kNoNode && candidate.blocks.front() > heading) candidate.add(0.4, "");
  }

  // A block that holds a list itself is a section.
  [[nodiscard]] static bool repeats_inside(const BlockSlots& slots) {
    const double blocks = double(slots.blocks().size());
    double most = 0;
    for (const BlockSlot& slot : slots.slots()) {
      const bool is_entry =
          !slot.is_any_path && slot.depth > 0 && slot.text >= 12 && slot.link_text > 5;
      if (is_entry && slot.tag != html::known("a"))
        most = std::max(most, double(slot.occurrences) / blocks);
    }
    return most >= 3;
  }

  // The same blocks seen from outside or inside: the better one has been written already.
  [[nodiscard]] bool is_part_of_any(const Candidate& candidate,
                                    const std::vector<const Candidate*>& written) const {
    return std::any_of(written.begin(), written.end(), [&](const Candidate* other) {
      return nested(*other, candidate) || nested(candidate, *other);
    });
  }

  // Whether most blocks of `inner` lie in blocks of `outer`. Both are in document order.
  [[nodiscard]] bool nested(const Candidate& outer, const Candidate& inner) const {
    std::size_t at = 0;
    std::size_t inside = 0;
    for (const NodeId block : inner.blocks) {
      while (at < outer.blocks.size() && context_.document.subtree_end(outer.blocks[at]) <= block)
        ++at;
      if (at == outer.blocks.size()) break;
      inside += outer.blocks[at] <= block ? 1 : 0;
    }
    return inside * 2 > inner.blocks.size();
  }

  InferenceContext context_;
};

}  // namespace

std::vector<InferredList> infer_lists(const PageOutline& outline, const Url& url,
                                      const InferLimits& limits) {
  return ListInference(outline, url, limits).run();
}

}  // namespace heddle::pages
