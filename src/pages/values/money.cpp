#include "pages/values/money.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "pages/values/currency.hpp"
#include "pages/values/money_words.hpp"
#include "pages/values/number.hpp"

namespace heddle::pages {

namespace {

// Penalties for a number as the price; the lowest sum wins, the first of equal ones.
constexpr int kPartOfAWord = 16;
constexpr int kOldPrice = 8;
constexpr int kNoCurrency = 4;
constexpr int kWeakCurrency = 2;
constexpr int kQuantity = 2;
constexpr int kPerUnit = 1;

struct PriceCandidate {
  std::size_t begin = 0;  // of the number or the currency before it
  std::size_t end = 0;    // of the number or the currency after it
  std::string amount;
  std::optional<CurrencyMatch> currency;
  int penalty = 0;
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
      : normalized_(utf8), text_(normalized_.text), spans_(find_numbers(text_)) {}

  Money read() {
    join_split_cents();
    for (std::size_t i = 0; i < spans_.size(); ++i) consider(i);
    const PriceCandidate* best = best_candidate();
    const bool is_sure = best != nullptr && best->penalty < kNoCurrency;
    if (!is_sure && says_free(normalized_)) return {"0", std::nullopt};
    if (best == nullptr) return {std::nullopt, code_of(currency_anywhere(normalized_))};
    return money_of(*best);
  }

 private:
  static std::optional<std::string> code_of(const std::optional<CurrencyMatch>& currency) {
    if (!currency) return std::nullopt;
    return std::string(currency->code);
  }

  // Markup often separates the cents: "$12 99" when there is nothing else, and "12 ,99 €".
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
    const bool is_alone =
        spans_.size() == 2 && only_currency_around(spans_[0].begin, spans_[1].end);
    return is_alone && (gap == U". " || has_currency_around());
  }

  [[nodiscard]] bool only_currency_around(std::size_t begin, std::size_t end) const {
    const std::size_t before_end = skip_space_back(text_, begin);
    const auto before = currency_before(normalized_, before_end);
    const auto after = currency_at(normalized_, skip_space(text_, end));
    const bool clean_before = before ? before->begin == 0 : before_end == 0;
    const bool clean_after = after ? after->end == text_.size() : end == text_.size();
    return clean_before && clean_after;
  }

  [[nodiscard]] bool has_currency_around() const {
    return currency_before(normalized_, skip_space_back(text_, spans_.front().begin)) ||
           currency_at(normalized_, skip_space(text_, spans_.back().end));
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
    const auto before = currency_in_front(span.begin);
    const Magnitude magnitude = magnitude_at(normalized_, span.end, before.has_value());
    const std::size_t number_end = magnitude.places == 0 ? span.end : magnitude.end;
    const auto after = currency_behind(span, number_end);

    PriceCandidate candidate;
    candidate.currency = better_currency(before, after);
    candidate.begin = before ? before->begin : span.begin;
    candidate.end = after ? after->end : number_end;
    auto amount = read_decimal(written(span), rules_for(candidate.currency));
    if (!amount) return;
    candidate.amount = full_amount(i, std::move(*amount), candidate);
    if (magnitude.places != 0) candidate.amount = shift_decimal(candidate.amount, magnitude.places);
    candidate.penalty = penalty_of(candidate, span, number_end);
    candidates_.push_back(std::move(candidate));
  }

  [[nodiscard]] std::u32string_view written(NumberSpan span) const {
    return text_.substr(span.begin, span.end - span.begin);
  }

  static DecimalMarkRules rules_for(const std::optional<CurrencyMatch>& currency) {
    if (!currency || !has_three_decimals(currency->code)) return {};
    return {true, currency->code == "TND"};
  }

  // "$12", "$ 12", "EUR: 12", "$.12", "€ -12".
  [[nodiscard]] std::optional<CurrencyMatch> currency_in_front(std::size_t begin) const {
    std::size_t end = skip_space_back(text_, begin);
    if (is_sign(char_before(text_, end))) end = skip_space_back(text_, end - 1);
    if (char_before(text_, end) == U':') --end;
    auto currency = currency_before(normalized_, end);
    if (!currency && char_before(text_, end) == U'.')
      currency = currency_before(normalized_, end - 1);
    const bool is_of_previous =
        currency && !candidates_.empty() && currency->begin < candidates_.back().end;
    return is_of_previous ? std::nullopt : currency;
  }

  // "12€", "12 EUR". Hundredths are whole numbers, and a "p" follows its number directly.
  [[nodiscard]] std::optional<CurrencyMatch> currency_behind(NumberSpan span,
                                                             std::size_t end) const {
    auto currency = currency_at(normalized_, skip_space(text_, end));
    if (!currency || currency->minor_places == 0) return currency;
    const auto amount = read_decimal(written(span));
    const bool is_whole = amount && amount->find('.') == std::string::npos;
    const bool is_torn_off = currency->end - currency->begin == 1 && currency->begin != end;
    if (!is_whole || is_torn_off) return std::nullopt;
    return currency;
  }

  static std::optional<CurrencyMatch> better_currency(const std::optional<CurrencyMatch>& before,
                                                      const std::optional<CurrencyMatch>& after) {
    if (!before || !after) return before ? before : after;
    const bool after_knows_better = before->is_ambiguous && !after->is_ambiguous;
    return after_knows_better || before->is_weak ? after : before;
  }

  // Adds separate cents: split off by markup, after the currency ("12€99"), or the unit itself.
  std::string full_amount(std::size_t i, std::string amount, PriceCandidate& candidate) {
    if (candidate.currency && candidate.currency->minor_places != 0)
      return shift_decimal(amount, -candidate.currency->minor_places);
    if (amount.find('.') != std::string::npos) return amount;
    if (const std::string* cents = cents_of(i)) {
      candidate.end = std::max(candidate.end, spans_[i + 1].end);
      if (!candidate.currency)
        candidate.currency = currency_at(normalized_, skip_space(text_, candidate.end));
      return amount + "." + *cents;
    }
    // In "$38 $12" the second mark belongs to the second price.
    const bool is_mark_between = candidate.currency && candidate.begin == spans_[i].begin;
    if (!is_mark_between || i + 1 >= spans_.size()) return amount;
    const NumberSpan next = spans_[i + 1];
    if (next.begin != candidate.end || next.end - next.begin != 2) return amount;
    taken_until_ = next.end;
    const std::u32string_view digits = written(next);
    return amount + "." + std::string(digits.begin(), digits.end());
  }

  [[nodiscard]] int penalty_of(const PriceCandidate& candidate, NumberSpan span,
                               std::size_t number_end) const {
    int sum = 0;
    if (!candidate.currency)
      sum += precedes_unit_word(normalized_, number_end) ? kNoCurrency + kQuantity : kNoCurrency;
    else if (candidate.currency->is_weak)
      sum += kWeakCurrency;
    const bool letter_before =
        candidate.begin == span.begin && is_letter(char_before(text_, span.begin));
    const bool letter_after = candidate.end == number_end && is_letter(char_at(text_, number_end));
    if (letter_before || letter_after) sum += kPartOfAWord;
    if (follows_old_price_word(normalized_, candidate.begin)) sum += kOldPrice;
    const bool is_per_unit = char_at(text_, skip_space(text_, candidate.end)) == U'/' ||
                             char_before(text_, skip_space_back(text_, candidate.begin)) == U'=';
    return is_per_unit ? sum + kPerUnit : sum;
  }

  [[nodiscard]] const PriceCandidate* best_candidate() const {
    const auto best = std::min_element(
        candidates_.begin(), candidates_.end(),
        [](const PriceCandidate& a, const PriceCandidate& b) { return a.penalty < b.penalty; });
    return best == candidates_.end() ? nullptr : &*best;
  }

  [[nodiscard]] Money money_of(const PriceCandidate& best) const {
    Money money{best.amount, code_of(best.currency)};
    if (!best.currency || best.currency->is_ambiguous) use_clearer_currency(money);
    if (const PriceCandidate* lower = lower_end_of_range(best)) {
      money.amount = lower->amount;
    } else if (has_sign(best) && best.amount.find_first_not_of("0.") != std::string::npos) {
      money.amount = "-" + best.amount;
    }
    return money;
  }

  void use_clearer_currency(Money& money) const {
    const auto currency = currency_anywhere(normalized_);
    if (currency && (!money.currency || !currency->is_ambiguous)) money.currency = currency->code;
  }

  // "10 – 20 €": the number before the best one, when a word or dash makes both a range.
  [[nodiscard]] const PriceCandidate* lower_end_of_range(const PriceCandidate& best) const {
    if (&best == candidates_.data()) return nullptr;
    const PriceCandidate& previous = *(&best - 1);
    if (!is_less(previous.amount, best.amount) || previous.penalty >= kOldPrice) return nullptr;
    const std::u32string_view gap =
        std::u32string_view(normalized_.folded).substr(previous.end, best.begin - previous.end);
    if (!joins_range(normalized_, gap, previous.begin)) return nullptr;
    // "Model 14 - 999 €" is no range: after words both ends must be of similar size.
    const bool follows_word = is_letter(char_before(text_, skip_space_back(text_, previous.begin)));
    const bool is_close = is_less(best.amount, shift_decimal(previous.amount, 1));
    return !follows_word || is_close || follows_range_word(normalized_, previous.begin) ? &previous
                                                                                        : nullptr;
  }

  // A sign right before the number or its currency; with a space only at the start of the text.
  [[nodiscard]] bool has_sign(const PriceCandidate& candidate) const {
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

  NormalizedText normalized_;
  std::u32string_view text_;
  std::vector<NumberSpan> spans_;
  std::vector<std::pair<std::size_t, std::string>> split_cents_;  // by the span they belong to
  std::vector<PriceCandidate> candidates_;
  std::size_t taken_until_ = 0;  // numbers before it are part of a candidate
};

}  // namespace

Money read_money(std::string_view text) {
  return PriceReader(text).read();
}

}  // namespace heddle::pages
