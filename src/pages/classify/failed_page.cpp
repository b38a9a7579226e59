#include "pages/classify/failed_page.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "html/text.hpp"
#include "pages/classify/page_words.hpp"

namespace heddle::pages {

using html::kNoNode;
using html::known;
using html::NodeId;

namespace {

constexpr double kLeastScore = 5;
constexpr double kSureScore = 10;
constexpr std::uint32_t kSmallPage = 1500;  // characters of content
constexpr std::size_t kMaxScriptBytes = 64 * 1024;

// A challenge page says so in its markup. Scripts that guard ordinary pages are not listed.
constexpr auto kChallengeMarks = std::to_array<std::string_view>({
    "_cf_chl_opt",
    "challenge-platform/h/",
    "cf-chl-",
    "cf-browser-verification",
    "captcha-delivery.com",
    "px-captcha",
    "_pxAppId",
    "distil_r_captcha",
    "incapsula incident",
    "Incapsula incident",
    "AwsWafIntegration",
    "awsWafCookieDomainList",
    "errors.edgesuite.net",
    "sec-if-cpt",
    "sec-cpt-if",
    "sucuri_cloudproxy_js",
    "check.ddos-guard.net",
    "smartcaptcha",
    "SmartCaptcha",
    "showcaptcha",
    "/.within.website/x/cmd/anubis",
    "validateCaptcha",
    "botdetect",
    "KPSDK",
});

constexpr auto kCaptchaWidgets = std::to_array<std::string_view>({
    "recaptcha",
    "hcaptcha",
    "challenges.cloudflare.com",
    "geetest",
    "arkoselabs",
    "funcaptcha",
    "_Incapsula_Resource",
    "captcha",
});

bool holds_any(std::string_view text, std::span<const std::string_view> marks) {
  return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) {
    return text.find(mark) != std::string_view::npos;
  });
}

class Judgement {
 public:
  explicit Judgement(PageClass page_class) { page_.page_class = page_class; }

  void add(double points, std::string_view signal) {
    score_ += points;
    if (points > 0) page_.signals.push_back({std::string(signal), points});
  }
  void subtract(double points) { score_ -= points; }
  [[nodiscard]] double score() const { return score_; }

  [[nodiscard]] std::optional<ClassifiedPage> result() {
    if (score_ < kLeastScore) return std::nullopt;
    page_.confidence =
        std::min(0.5 + (score_ - kLeastScore) / (2 * (kSureScore - kLeastScore)), 1.0);
    std::stable_sort(
        page_.signals.begin(), page_.signals.end(),
        [](const ClassSignal& a, const ClassSignal& b) { return a.weight > b.weight; });
    return std::move(page_);
  }

 private:
  ClassifiedPage page_;
  double score_ = 0;
};

std::string_view header(const PageResponse& response, std::string_view name) {
  if (response.headers == nullptr) return {};
  for (const auto& [key, value] : *response.headers)
    if (key == name) return value;
  return {};
}

class FailureFinder {
 public:
  explicit FailureFinder(const FailureQuestion& page)
      : page_(page),
        facts_(page.facts),
        document_(page.outline.document()),
        title_(fold_case(utf8_prefix(page.facts.title, 400))) {
    for (const std::string& heading : facts_.headings)
      headings_.push_back(fold_case(utf8_prefix(heading, 400)));
    if (facts_.content_text < kSmallPage) {
      const NodeId body = document_.body();
      small_text_ = fold_case(utf8_prefix(
          html::readable_text(document_, body == kNoNode ? html::Document::root() : body), 8000));
    }
  }

  std::optional<ClassifiedPage> run() {
    if (auto wall = judge_bot_wall()) return wall;
    if (auto login = judge_login()) return login;
    return judge_error();
  }

 private:
  // Scripts, frames and ids of a small page.
  struct Marks {
    bool challenge = false;
    bool widget = false;
  };

  void add_marks(std::string_view text, Marks& marks) const {
    marks.challenge = marks.challenge || holds_any(text, kChallengeMarks);
    marks.widget = marks.widget || holds_any(text, kCaptchaWidgets);
  }

  [[nodiscard]] Marks find_marks() const {
    Marks marks;
    std::size_t left = kMaxScriptBytes;
    const auto end = static_cast<NodeId>(document_.size());
    for (NodeId node = 1; node < end && !marks.challenge; ++node) {
      if (!document_.is_element(node)) continue;
      const auto tag = document_.tag(node);
      for (const auto name :
           {known("id"), known("class"), known("src"), known("action"), known("href")})
        if (const auto value = document_.attribute(node, name))
          add_marks(utf8_prefix(*value, 500), marks);
      const bool is_source = tag == known("script") || tag == known("a") || tag == known("iframe");
      if (!is_source) continue;
      const std::string_view text = document_.text(node).substr(0, left);
      left -= text.size();
      add_marks(text, marks);
    }
    return marks;
  }

  void judge_challenge_words(Judgement& judged) const {
    double best = 0;
    const auto weigh = [&](const PhraseShare& said) {
      if (said.meaning == kChallenge) best = std::max(best, said.share >= 0.5 ? 5.0 : 2.5);
      if (said.meaning == kChallengeMaybe) best = std::max(best, said.share >= 0.6 ? 2.5 : 1.0);
    };
    weigh(largest_share(challenge_phrases(), title_));
    for (const std::string& heading : headings_) weigh(largest_share(challenge_phrases(), heading));
    if (best > 0) judged.add(best, "title or heading of a bot check");
    double in_text = 0;
    std::size_t from = 0;
    while (const auto match = challenge_phrases().find(small_text_, from)) {
      in_text = std::max(in_text, match->meaning == kChallenge ? 3.0 : 0.5);
      from = match->end;
    }
    if (in_text > 0) judged.add(in_text, "text of a bot check");
  }

  std::optional<ClassifiedPage> judge_bot_wall() const {
    Judgement judged(PageClass::bot_wall);
    if (header(page_.response, "cf-mitigated") == "challenge")
      judged.add(10, "header cf-mitigated: challenge");
    judge_challenge_words(judged);
    if (facts_.content_text < kSmallPage) {
      const Marks marks = find_marks();
      if (marks.challenge) judged.add(5, "markup of a bot check");
      if (marks.widget) judged.add(facts_.content_text < 300 ? 3 : 1, "captcha");
    }
    const int status = page_.response.status;
    if (judged.score() > 0 && (status == 403 || status == 429 || status == 503 || status == 405))
      judged.add(1.5, "status " + std::to_string(status));
    subtract_content(judged, 1);
    if (facts_.content_text >= kSmallPage) judged.subtract(facts_.content_text > 4000 ? 6 : 3);
    if (facts_.content_links > 60) judged.subtract(3);
    if (facts_.text_inputs >= 3 || facts_.text_areas > 0) judged.subtract(3);
    if (!facts_.password_forms.empty()) judged.subtract(4);
    return judged.result();
  }

  void subtract_content(Judgement& judged, double factor) const {
    if (facts_.prose > 1500)
      judged.subtract(8 * factor);
    else if (facts_.prose > 800)
      judged.subtract(5 * factor);
    else if (facts_.prose > 400)
      judged.subtract(2 * factor);
    if (page_.content.is_product) judged.subtract(7 * factor);
    if (page_.content.is_article) judged.subtract(4 * factor);
    if (page_.content.is_discussion) judged.subtract(5 * factor);
  }

  // The form of a login page: one password, at most a name and a code beside it.
  [[nodiscard]] const PasswordForm* login_form() const {
    const PasswordForm* best = nullptr;
    for (const PasswordForm& form : facts_.password_forms) {
      if (form.passwords != 1 || form.texts > 3 || form.choices > 2) continue;
      if (best == nullptr || (form.is_content && !best->is_content)) best = &form;
    }
    return best;
  }

  void judge_access_words(std::string_view text, double points, std::string_view signal,
                          Judgement& judged) const {
    bool logs_in = false;
    bool registers = false;
    std::size_t from = 0;
    while (const auto match = access_phrases().find(text, from)) {
      logs_in |= match->meaning == kLogsIn || match->meaning == kMustLogIn;
      registers |= match->meaning == kRegisters || match->meaning == kResetsPassword;
      from = match->end;
    }
    if (logs_in)
      judged.add(points, signal);
    else if (registers)
      judged.subtract(points);
  }

  void judge_heading_words(Judgement& judged) const {
    for (const std::string& heading : headings_) {
      const PhraseShare said = largest_share(access_phrases(), heading);
      if (said.share < 0.4) continue;
      if (said.meaning == kLogsIn || said.meaning == kMustLogIn)
        return judged.add(1.5, "heading of a login page");
      return judged.subtract(1.5);
    }
  }

  std::optional<ClassifiedPage> judge_login() const {
    Judgement judged(PageClass::login);
    const int status = page_.response.status;
    if (status == 401) judged.add(6, "status 401");
    const PasswordForm* form = login_form();
    const bool asks_for_name = form == nullptr && facts_.password_forms.empty() &&
                               facts_.text_inputs >= 1 && facts_.text_inputs <= 2 &&
                               facts_.content_text < 600;
    if (form == nullptr && !asks_for_name && judged.score() == 0) return std::nullopt;
    if (form != nullptr && form->is_content)
      judged.add(2.5, "login form");
    else if (form != nullptr && is_dialog_of_empty_page(*form))
      judged.add(1.5, "login form");
    else if (form != nullptr || asks_for_name)
      judged.add(0.5, "form that asks for a name");
    const bool has_registration =
        std::any_of(facts_.password_forms.begin(), facts_.password_forms.end(),
                    [](const PasswordForm& each) { return each.passwords >= 2 || each.texts > 3; });
    if (has_registration) judged.subtract(2);
    if (form != nullptr && form->texts == 0) judged.subtract(0.5);
    if (page_.url_words.login) judged.add(2, "URL of a login page");
    if (page_.url_words.registration) judged.subtract(3);
    judge_access_words(title_, 2, "title of a login page", judged);
    judge_heading_words(judged);
    if (form != nullptr) judge_form_words(*form, judged);
    judge_login_size(form, judged);
    if (status == 403) judged.add(1, "status 403");
    subtract_content(judged, 0.4);
    return judged.result();
  }

  [[nodiscard]] bool is_dialog_of_empty_page(const PasswordForm& form) const {
    return facts_.content_text < 400 && page_.outline.regions(form.node) == bit(Region::overlay);
  }

  void judge_form_words(const PasswordForm& form, Judgement& judged) const {
    const std::string text =
        fold_case(utf8_prefix(html::readable_text(document_, form.node), 2000));
    std::string labels;
    for (NodeId node = form.node; node < document_.subtree_end(form.node); ++node)
      if (document_.tag(node) == known("input"))
        if (const auto value = document_.attribute(node, known("value"));
            value && value->size() < 60)
          labels += " | " + fold_case(*value);
    judge_access_words(text + labels, 1, "form says log in", judged);
    std::size_t from = 0;
    while (const auto match = access_phrases().find(small_text_, from)) {
      from = match->end;
      if (match->meaning == kMustLogIn) return judged.add(2, "text that asks to log in");
    }
  }

  void judge_login_size(const PasswordForm* form, Judgement& judged) const {
    std::uint32_t other = facts_.content_text;
    if (form != nullptr && form->is_content)
      other -= std::min(other, page_.outline.text_length(form->node));
    if (other < 400)
      judged.add(2, "little else on the page");
    else if (other < 1200)
      judged.add(1, "little else on the page");
    else if (other > 4000)
      judged.subtract(3);
    else if (other > 2500)
      judged.subtract(1.5);
    const bool is_announced =
        page_.url_words.login || access_phrases().occurs_in(title_) || page_.response.status == 401;
    if (other > 800 && !is_announced) judged.subtract(1.5);
  }

  static double error_points(const PhraseShare& said, double points) {
    if (said.meaning == kErrorNumber) return said.share >= 0.9 ? points * 0.6 : 0;
    return said.share >= 0.45 ? points : 0;
  }

  std::optional<ClassifiedPage> judge_error() const {
    Judgement judged(PageClass::error_page);
    const int status = page_.response.status;
    if (status >= 400) judged.add(10, "status " + std::to_string(status));
    if (status >= 400) return judged.result();
    const double title = error_points(largest_share(error_phrases(), title_), 4);
    if (title > 0) judged.add(title, "title of an error page");
    double heading = 0;
    for (std::size_t i = 0; i < headings_.size(); ++i)
      heading = std::max(
          heading, error_points(largest_share(error_phrases(), headings_[i]), i == 0 ? 4 : 2));
    if (heading > 0) judged.add(heading, "heading of an error page");
    if (title > 0 && heading > 0) judged.add(1.5, "title and heading agree");
    if (page_.url_words.error) judged.add(2, "URL of an error page");
    if (const auto said = error_phrases().find(small_text_);
        said && said->meaning != kErrorNumber && judged.score() < 8)
      judged.add(2, "text of an error page");
    if (judged.score() == 0) return std::nullopt;
    if (facts_.content_text < 400) judged.add(1.5, "hardly any content");
    if (facts_.reply_names >= 3) judged.subtract(6);
    if (page_.url_words.forum) judged.subtract(2);
    if (page_.content.is_product) judged.subtract(3);
    if (page_.url_words.documentation) judged.subtract(2);
    subtract_content(judged, 1);
    return judged.result();
  }

  const FailureQuestion& page_;
  const PageFacts& facts_;
  const html::Document& document_;
  std::string title_;
  std::vector<std::string> headings_;
  std::string small_text_;  // of pages with little content
};

}  // namespace

std::optional<ClassifiedPage> find_failure(const FailureQuestion& page) {
  return FailureFinder(page).run();
}

}  // namespace heddle::pages
