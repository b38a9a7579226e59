#include "pages/changes/volatile_text.hpp"

#include <array>
#include <memory>
#include <vector>

#include <re2/re2.h>

namespace heddle::pages {

namespace {

// "5 minutes ago" in the languages of most pages.
constexpr const char* kRelativeTimes[] = {
    R"((?:\d+|an?|one)\s*(?:s|secs?|seconds?|mins?|m|minutes?|hrs?|h|hours?|days?|d|weeks?|w|months?|years?|y)\s+ago\b)",
    R"(\b(?:just now|moments? ago|gerade eben|à l'instant|ahora mismo)\b)",
    R"(\bvor\s+(?:\d+|eine[rm]?)\s+(?:Sekunden?|Minuten?|Stunden?|Tag(?:en)?|Wochen?|Monat(?:en)?|Jahr(?:en)?)\b)",
    R"(\bil y a\s+(?:\d+|une?)\s+(?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)\b)",
    R"(\bhace\s+(?:\d+|una?)\s+(?:segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?)\b)",
    R"(\bhá\s+(?:\d+|uma?)\s+(?:segundos?|minutos?|horas?|dias?|semanas?|mês|meses|anos?)\b)",
    R"((?:\d+|un[ao']?)\s*(?:second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi])\s+fa\b)",
    R"((?:\d+|een)\s+(?:seconden?|minuten?|minuut|uur|uren|dag(?:en)?|weken|week|maand(?:en)?|jaar)\s+geleden\b)",
    R"((?:\d+\s+)?(?:sekund[ęy]?|minut[ęy]?|godzin[ęy]?|dni|dzień|tygodni[ea]?|tydzień|miesiąc[ea]?|miesięcy|lat[a]?)\s+temu\b)",
    R"((?:\d+\s+)?(?:секунд[уы]?|минут[уы]?|час(?:а|ов)?|д(?:ень|ня|ней)|недел[юиь]|месяц(?:а|ев)?|лет|года?)\s+назад)",
    R"(\d+\s*(?:秒|分|分钟|分鐘|時間|小时|小時|日|天|週間|周|か月|个月|個月|年)\s*前)",
    R"(\d+\s*(?:초|분|시간|일|주|개월|년)\s*전)",
};

constexpr const char* kClock = R"(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?[ap]\.?m\.?)?)";

// A moment: a date with a time of day, or a time of day with seconds.
constexpr const char* kTimeStamps[] = {
    R"(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?)",
    R"(\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+(?:at |um |à |alle |om )?CLOCK)",
    R"((?:\pL+\.?,?\s+)?\d{1,2}\.?\s+\pL+\.?,?\s+\d{4},?\s+(?:at |um |à |alle |om |-\s?)?CLOCK(?:\s?(?:UTC|GMT|[A-Z]{3,4}|[+-]\d{4}))?)",
    R"(\pL+\.?\s+\d{1,2},?\s+\d{4},?\s+(?:at |-\s?)?CLOCK(?:\s?[A-Z]{3,4})?)",
    R"(\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?(?:\s?[ap]\.?m\.?)?\b)",
};

// "Last updated: 3 May 2026", "Stand: 12.05.2026": a date after a word that says it is one of the
// page.
constexpr const char* kUpdated =
    R"(((?:(?:last |page )?(?:updated|modified|refreshed|generated|checked|retrieved)(?: on| at)?|as of|stand|aktualisiert(?: am)?|zuletzt geändert(?: am)?|letzte änderung|mis à jour(?: le)?|dernière mise à jour|actualizado(?: el)?|última actualización|atualizado(?: em)?|aggiornato(?: il)?|ultimo aggiornamento|bijgewerkt(?: op)?|laatst bijgewerkt|zaktualizowano|ostatnia aktualizacja|обновлено|最終更新日?|更新日時?|更新时间|최종 수정일?)\s*[::]?\s*)(?:\pL+\.?,?\s+)?\d[\d./\-: ,]*(?:\s?\pL+\.?,?\s+\d{4})?(?:\s?CLOCK)?)";
constexpr const char* kUpdatedMonthFirst =
    R"(((?:(?:last |page )?(?:updated|modified|refreshed|generated|checked|retrieved)(?: on| at)?|as of)\s*:?\s*)\pL+\.?\s+\d{1,2},?\s+\d{4}(?:,?\s?(?:at )?CLOCK)?)";

// Random names: UUIDs, long hexadecimal numbers, values of parameters that carry them.
constexpr const char* kIds[] = {
    R"(\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b)",
    R"(\b(?:[0-9]+[a-fA-F]|[a-fA-F]+[0-9])[0-9a-fA-F]{14,}\b)",
    R"(((?:^|[?&;])(?:s?id|sess(?:ion)?_?id|phpsessid|jsessionid|token|csrf\w*|nonce|cb|cachebuster|_?ts|timestamp|rnd|random|utm_\w+|gclid|fbclid)=)[^&;#\s]+)",
};

// A number beside a word for something that is counted by the page itself.
constexpr const char* kNumber =
    R"(\d(?:[\d.,   ]*\d)?\s?(?:[kKmM]|Tsd\.?|Mio\.?|тыс\.?|млн\.?|万|千)?)";
constexpr const char* kCounted =
    R"((?:(?:total |page )?views?|likes?|dislikes?|comments?|replies|repl(?:y|ies)|shares?|reposts?|retweets?|followers?|subscribers?|members? online|users? online|guests?|visitors?|visits?|readers?|watchers?|watching|viewing|online|downloads?|votes?|upvotes?|points?|stars?|forks?|hits|people (?:are )?(?:viewing|watching)(?: this)?|Aufrufe|Kommentare?|Antworten|Besucher|Gäste|Zugriffe|Leser|Abonnenten|Stimmen|vues?|commentaires?|réponses?|visiteurs?|abonnés?|visitas|visualizaciones|comentarios?|respuestas|seguidores|visualizações|comentários?|respostas|visualizzazioni|commenti|risposte|weergaven|reacties|bezoekers|wyświetle(?:nia|ń)|komentarz[ey]?|komentarzy|просмотр(?:а|ов)?|комментари(?:й|я|ев)|回视聴|回視聴|閲覧|次阅读|次浏览|评论|コメント|조회수?|댓글))";

// Patterns with a first group keep it.
struct VolatilePattern {
  std::unique_ptr<RE2> expression;
  bool keeps_first_group = false;
};

std::string with_parts(std::string pattern) {
  for (const auto& [name, text] :
       {std::pair{"CLOCK", kClock}, {"NUMBER", kNumber}, {"COUNTED", kCounted}})
    for (std::size_t at = pattern.find(name); at != std::string::npos; at = pattern.find(name))
      pattern.replace(at, std::string_view(name).size(), text);
  return pattern;
}

class VolatilePatterns {
 public:
  VolatilePatterns() {
    for (const char* pattern : kRelativeTimes) add(pattern);
    for (const char* pattern : kTimeStamps) add(pattern);
    add(kUpdated, true);
    add(kUpdatedMonthFirst, true);
    add(kIds[0]);
    add(kIds[1]);
    add(kIds[2], true);
    add(R"((^|[^\d.,\pL\p{Sc}])NUMBER\s*COUNTED(?:\b|$))", true);
    add(R"((\bCOUNTED\s*[::]?\s*\(?)NUMBER(?:\b|$))", true);
  }

  [[nodiscard]] std::string mask(std::string_view line) const {
    std::string text(line);
    for (const VolatilePattern& pattern : patterns_)
      RE2::GlobalReplace(&text, *pattern.expression,
                         pattern.keeps_first_group ? "\\1\x01" : "\x01");
    return text;
  }

 private:
  void add(const std::string& pattern, bool keeps_first_group = false) {
    RE2::Options options;
    options.set_case_sensitive(false);
    patterns_.push_back(
        {std::make_unique<RE2>("(?:" + with_parts(pattern) + ")", options), keeps_first_group});
  }

  std::vector<VolatilePattern> patterns_;
};

}  // namespace

std::string without_volatile_parts(std::string_view line) {
  constexpr std::size_t kLongestLine = 20'000;  // a longer one is compared as it is
  if (line.size() > kLongestLine) return std::string(line);
  static const VolatilePatterns patterns;
  return patterns.mask(line);
}

}  // namespace heddle::pages
