#include "pages/values/money.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "pages/values/currency.hpp"
#include "pages/values/money_words.hpp"
#include "pages/values/number.hpp"

namespace heddle::pages {

namespace {

// Reasons against a number being the price; the sum decides, the first of the best wins.
constexpr int kPartOfAWord = 16;
constexpr int kOldPrice = 8;
constexpr int kNoCurrency = 4;
constexpr int kWeakCurrency = 2;
constexpr int kQuantity = 2;
constexpr int kPerUnit = 1;

struct Candidate {
  std::size_t begin = 0;  // of the number or the currency before it
  std::size_t end = 0;    // of the number or the currency after it
  std::string amount;
  std::optional<CurrencyMark> currency;
  int objections = 0;
};

char32_t char_at(std::u32string_view text, std::size_t at) {
  return at < text.size() ? text[at] : U'\0';
}

char32_t char_before(std::u32string_view text, std::size_t at) {
  return at == 0 ? U'\0' : text[at - 1];
}

std::size_t skip_space(std::u32string_view text, std::size_t at) {
  return char_at(text, at) == U' ' ? at + 1 : at;
}

std::size_t skip_space_back(std::u32string_view text, std::size_t at) {
  return char_before(text, at) == U' ' ? at - 1 : at;
}

bool is_sign(char32_t c) {
  return c == U'-' || c == kMinus || c == kDash;
}

class PriceReader {
 public:
  explicit PriceReader(std::string_view utf8)
      : ready_(utf8), text_(ready_.text), spans_(find_numbers(text_)) {}

  Money read() {
    join_split_cents();
    for (std::size_t i = 0; i < spans_.size(); ++i) consider(i);
    const Candidate* best = best_candidate();
    const bool is_sure = best != nullptr && best->objections < kNoCurrency;
    if (!is_sure && says_free(ready_)) return {"0", std::nullopt};
    if (best == nullptr) return {std::nullopt, code_of(currency_anywhere(ready_))};
    return money_of(*best);
  }

 private:
  static std::optional<std::string> code_of(const std::optional<CurrencyMark>& mark) {
    if (!mark) return std::nullopt;
    return std::string(mark->code);
  }

  // Markup often tears the cents off: "$12 99" when there is nothing else, and "12 ,99 €".
  void join_split_cents() {
    for (std::size_t i = 0; i + 1 < spans_.size(); ++i) {
      const NumberSpan& cents = spans_[i + 1];
      const bool has_mark = !is_digit(text_[cents.begin]);
      const bool is_cents = cents.end - cents.begin == (has_mark ? 3U : 2U);
      if (!is_cents || !is_split_before(i, has_mark)) continue;
      const std::u32string_view digits = text_.substr(cents.end - 2, 2);
      split_cents_.emplace_back(i, std::string(digits.begin(), digits.end()));
    }
  }

  [[nodiscard]] bool is_split_before(std::size_t i, bool has_mark) const {
    const std::u32string_view gap =
        text_.substr(spans_[i].end, spans_[i + 1].begin - spans_[i].end);
    if (has_mark) return gap == U" ";
    if (gap != U" " && gap != U", " && gap != U". ") return false;
    return spans_.size() == 2 && only_currency_around(spans_[0].begin, spans_[1].end);
  }

  [[nodiscard]] bool only_currency_around(std::size_t begin, std::size_t end) const {
    const std::size_t before_end = skip_space_back(text_, begin);
    const auto before = currency_before(ready_, before_end);
    const auto after = currency_at(ready_, skip_space(text_, end));
    const bool clean_before = before ? before->begin == 0 : before_end == 0;
    const bool clean_after = after ? after->end == text_.size() : end == text_.size();
    return clean_before && clean_after && (before || after);
  }

  [[nodiscard]] const std::string* cents_of(std::size_t i) const {
    for (const auto& [span, cents] : split_cents_)
      if (span == i) return &cents;
    return nullptr;
  }

  [[nodiscard]] bool is_percentage(NumberSpan span) const {
    const char32_t after = char_at(text_, skip_space(text_, span.end));
    return after == U'%' || after == U'‰' || char_before(text_, span.begin) == U'%';
  }

  // Adds the number as a candidate when it can be one.
  void consider(std::size_t i) {
    const NumberSpan span = spans_[i];
    if (span.begin < taken_until_ || is_percentage(span) || (i > 0 && cents_of(i - 1))) return;
    const auto before = mark_in_front(span.begin);
    const Magnitude magnitude = magnitude_at(ready_, span.end, before.has_value());
    const std::size_t number_end = magnitude.places == 0 ? span.end : magnitude.end;
    const auto after = mark_behind(span, number_end);

    Candidate candidate;
    candidate.currency = better_mark(before, after);
    candidate.begin = before ? before->begin : span.begin;
    candidate.end = after ? after->end : number_end;
    auto amount = read_decimal(written(span), rules_for(candidate.currency));
    if (!amount) return;
    candidate.amount = full_amount(i, std::move(*amount), candidate);
    if (magnitude.places != 0) candidate.amount = shift_decimal(candidate.amount, magnitude.places);
    candidate.objections = objections_to(candidate, span, number_end);
    candidates_.push_back(std::move(candidate));
  }

  [[nodiscard]] std::u32string_view written(NumberSpan span) const {
    return text_.substr(span.begin, span.end - span.begin);
  }

  static MarkRules rules_for(const std::optional<CurrencyMark>& mark) {
    if (!mark || !has_three_decimals(mark->code)) return {};
    return {true, mark->code == "TND"};
  }

  // "$12", "$ 12", "EUR: 12", "€ -12".
  [[nodiscard]] std::optional<CurrencyMark> mark_in_front(std::size_t begin) const {
    std::size_t end = skip_space_back(text_, begin);
    if (is_sign(char_before(text_, end))) end = skip_space_back(text_, end - 1);
    if (char_before(text_, end) == U':') --end;
    const auto mark = currency_before(ready_, end);
    const bool is_of_previous =
        mark && !candidates_.empty() && mark->begin < candidates_.back().end;
    return is_of_previous ? std::nullopt : mark;
  }

  // "12€", "12 EUR". Hundredths are whole numbers, and a "p" stands right behind its number.
  [[nodiscard]] std::optional<CurrencyMark> mark_behind(NumberSpan span, std::size_t end) const {
    auto mark = currency_at(ready_, skip_space(text_, end));
    if (!mark || mark->minor_places == 0) return mark;
    const auto amount = read_decimal(written(span));
    const bool is_whole = amount && amount->find('.') == std::string::npos;
    const bool is_torn_off = mark->end - mark->begin == 1 && mark->begin != end;
    if (!is_whole || is_torn_off) return std::nullopt;
    return mark;
  }

  static std::optional<CurrencyMark> better_mark(const std::optional<CurrencyMark>& before,
                                                 const std::optional<CurrencyMark>& after) {
    if (!before || !after) return before ? before : after;
    const bool after_knows_better = before->is_ambiguous && !after->is_ambiguous;
    return after_knows_better || before->is_weak ? after : before;
  }

  // Adds cents that stand apart: torn off, behind the currency ("12€99"), or the unit itself.
  std::string full_amount(std::size_t i, std::string amount, Candidate& candidate) {
    if (candidate.currency && candidate.currency->minor_places != 0)
      return shift_decimal(amount, -candidate.currency->minor_places);
    if (amount.find('.') != std::string::npos) return amount;
    if (const std::string* cents = cents_of(i)) {
      candidate.end = std::max(candidate.end, spans_[i + 1].end);
      if (!candidate.currency)
        candidate.currency = currency_at(ready_, skip_space(text_, candidate.end));
      return amount + "." + *cents;
    }
    const bool mark_is_behind = candidate.end > spans_[i].end && candidate.currency;
    if (!mark_is_behind || i + 1 >= spans_.size()) return amount;
    const NumberSpan next = spans_[i + 1];
    if (next.begin != candidate.end || next.end - next.begin != 2) return amount;
    taken_until_ = next.end;
    const std::u32string_view digits = written(next);
    return amount + "." + std::string(digits.begin(), digits.end());
  }

  [[nodiscard]] int objections_to(const Candidate& candidate, NumberSpan span,
                                  std::size_t number_end) const {
    int sum = 0;
    if (!candidate.currency)
      sum += precedes_unit_word(ready_, number_end) ? kNoCurrency + kQuantity : kNoCurrency;
    else if (candidate.currency->is_weak)
      sum += kWeakCurrency;
    const bool letter_before =
        candidate.begin == span.begin && is_letter(char_before(text_, span.begin));
    const bool letter_after = candidate.end == number_end && is_letter(char_at(text_, number_end));
    if (letter_before || letter_after) sum += kPartOfAWord;
    if (follows_old_price_word(ready_, candidate.begin)) sum += kOldPrice;
    const bool is_per_unit = char_at(text_, skip_space(text_, candidate.end)) == U'/' ||
                             char_before(text_, skip_space_back(text_, candidate.begin)) == U'=';
    return is_per_unit ? sum + kPerUnit : sum;
  }

  [[nodiscard]] const Candidate* best_candidate() const {
    const auto best = std::min_element(
        candidates_.begin(), candidates_.end(),
        [](const Candidate& a, const Candidate& b) { return a.objections < b.objections; });
    return best == candidates_.end() ? nullptr : &*best;
  }

  [[nodiscard]] Money money_of(const Candidate& best) const {
    Money money{best.amount, code_of(best.currency)};
    if (!best.currency || best.currency->is_ambiguous) use_clearer_currency(money);
    if (const Candidate* lower = lower_end_of_range(best)) {
      money.amount = lower->amount;
    } else if (has_sign(best) && best.amount.find_first_not_of("0.") != std::string::npos) {
      money.amount = "-" + best.amount;
    }
    return money;
  }

  void use_clearer_currency(Money& money) const {
    const auto mark = currency_anywhere(ready_);
    if (mark && (!money.currency || !mark->is_ambiguous)) money.currency = mark->code;
  }

  // "10 – 20 €": the number before the best one, when a word or dash makes both a range.
  [[nodiscard]] const Candidate* lower_end_of_range(const Candidate& best) const {
    if (&best == candidates_.data()) return nullptr;
    const Candidate& previous = *(&best - 1);
    if (!is_less(previous.amount, best.amount) || previous.objections >= kOldPrice) return nullptr;
    const std::u32string_view gap =
        std::u32string_view(ready_.folded).substr(previous.end, best.begin - previous.end);
    if (!joins_range(ready_, gap, previous.begin)) return nullptr;
    // "Model 14 - 999 €" is no range: behind words both ends must be of one size.
    const bool follows_word = is_letter(char_before(text_, skip_space_back(text_, previous.begin)));
    const bool is_close = is_less(best.amount, shift_decimal(previous.amount, 1));
    return !follows_word || is_close || follows_range_word(ready_, previous.begin) ? &previous
                                                                                   : nullptr;
  }

  // A sign right before the number or its currency; with a space only at the start of the text.
  [[nodiscard]] bool has_sign(const Candidate& candidate) const {
    return is_signed_at(candidate.begin) ||
           (candidate.currency && candidate.currency->begin == candidate.begin &&
            is_signed_at(skip_space(text_, candidate.currency->end) + 1));
  }

  [[nodiscard]] bool is_signed_at(std::size_t begin) const {
    const std::size_t end = skip_space_back(text_, begin);
    if (end == 0 || end > text_.size() || !is_sign(text_[end - 1])) return false;
    const char32_t before = char_before(text_, end - 1);
    if (is_digit(before) || is_letter(before)) return false;
    return end == begin || end == 1 || text_[end - 1] == kMinus;
  }

  ReadyText ready_;
  std::u32string_view text_;
  std::vector<NumberSpan> spans_;
  std::vector<std::pair<std::size_t, std::string>> split_cents_;  // by the span they belong to
  std::vector<Candidate> candidates_;
  std::size_t taken_until_ = 0;  // numbers before are part of a candidate
};

}  // namespace

Money read_money(std::string_view text) {
  return PriceReader(text).read();
}

}  // namespace heddle::pages
