#include "pages/infer/inference_context.hpp"

#include "pages/infer/selector_writer.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::NodeId;

namespace {

class RowReader {
 public:
  RowReader(InferenceContext& context, const InferredList& list) : context_(context), list_(list) {}

  // False when a selector does not compile.
  bool compile() {
    for (const InferredField& field : list_.fields) {
      if (field.selector.empty()) {
        selectors_.emplace_back();
        continue;
      }
      auto selector = html::Selector::compile(field.selector);
      if (!selector) return false;
      selectors_.emplace_back(std::move(*selector));
    }
    return true;
  }

  // nullopt when the budget of steps is used up.
  std::optional<std::vector<std::string>> read(NodeId block) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < list_.fields.size(); ++i) {
      NodeId node = block;
      if (selectors_[i]) {
        const auto found =
            html::select_first_inclusive(context_.document, *selectors_[i], block, context_.budget);
        if (!found) return std::nullopt;
        node = found->value_or(kNoNode);
      }
      const InferredField& field = list_.fields[i];
      row.push_back(node == kNoNode ? std::string()
                                    : field_value(context_.document, node, field.attribute,
                                                  field.is_money, context_.base));
    }
    return row;
  }

 private:
  InferenceContext& context_;
  const InferredList& list_;
  std::vector<std::optional<html::Selector>> selectors_;
};

bool is_blank(const std::vector<std::string>& row) {
  for (const std::string& value : row)
    if (!value.empty()) return false;
  return true;
}

}  // namespace

std::optional<InferredList> write_list(InferenceContext& context, const std::vector<NodeId>& blocks,
                                       const BlockSlots& slots,
                                       const std::vector<ChosenField>& fields) {
  SelectorWriter writer(context.shapes, context.budget);
  auto selector = writer.write_blocks(blocks);
  if (!selector) return std::nullopt;
  InferredList list;
  for (const ChosenField& field : fields)
    if (auto css = writer.write_field(slots.blocks(), field.slot->nodes, field.attribute))
      list.fields.push_back({field.name, *std::move(css), field.attribute, field.is_money});
  list.selector = std::move(selector->css);
  list.blocks = selector->matches.size();
  RowReader reader(context, list);
  if (list.fields.empty() || !reader.compile()) return std::nullopt;
  std::vector<std::vector<std::string>> rows;
  for (const NodeId block : selector->matches) {
    if (rows.size() >= context.limits.max_rows) break;
    auto row = reader.read(block);
    if (!row) return std::nullopt;
    if (!is_blank(*row)) rows.push_back(*std::move(row));
  }
  if (rows.empty()) return std::nullopt;
  list.rows = std::move(rows);
  return list;
}

}  // namespace heddle::pages
