#include "pages/discover/pager_words.hpp"

#include <array>
#include <string>

#include "base/text.hpp"
#include "pages/outline/phrases.hpp"

namespace heddle::pages {

namespace {

constexpr int kNext = static_cast<int>(PagerWord::next);
constexpr int kNextPage = static_cast<int>(PagerWord::next_page);
constexpr int kMore = static_cast<int>(PagerWord::more);
constexpr int kPrevious = static_cast<int>(PagerWord::previous);
constexpr int kLast = static_cast<int>(PagerWord::last);

const PhraseSet& pager_phrases() {
  static constexpr auto kPhrases = std::to_array<Phrase>({
      {"next", kNext},
      {"next page", kNextPage},
      {"go to next page", kNextPage},
      {"older", kNextPage},
      {"older posts", kNextPage},
      {"older entries", kNextPage},
      {"older articles", kNextPage},
      {"older post", kNextPage},
      {"more results", kNextPage},
      {"next results", kNextPage},
      {"next posts", kNextPage},
      {"more posts", kNextPage},
      {"older comments", kNextPage},
      {"previous entries", kNextPage},
      {"previous posts", kNextPage},
      {"load more", kMore},
      {"show more", kMore},
      {"view more", kMore},
      {"see more", kMore},
      {"more products", kMore},
      {"previous", kPrevious},
      {"prev", kPrevious},
      {"previous page", kPrevious},
      {"newer posts", kPrevious},
      {"newer entries", kPrevious},
      {"newer", kPrevious},
      {"back", kPrevious},
      {"last", kLast},
      {"last page", kLast},
      {"first", kPrevious},
      {"nächste", kNext},
      {"nächste seite", kNextPage},
      {"weiter", kNext},
      {"vor", kNext},
      {"folgende", kNext},
      {"ältere beiträge", kNextPage},
      {"ältere artikel", kNextPage},
      {"ältere einträge", kNextPage},
      {"eine seite vor", kNextPage},
      {"mehr laden", kMore},
      {"mehr anzeigen", kMore},
      {"zurück", kPrevious},
      {"vorherige", kPrevious},
      {"vorherige seite", kPrevious},
      {"neuere beiträge", kPrevious},
      {"letzte", kLast},
      {"suivant", kNext},
      {"suivante", kNext},
      {"page suivante", kNextPage},
      {"suiv", kNext},
      {"articles plus anciens", kNextPage},
      {"articles précédents", kNextPage},
      {"messages plus anciens", kNextPage},
      {"charger plus", kMore},
      {"voir plus", kMore},
      {"afficher plus", kMore},
      {"précédent", kPrevious},
      {"précédente", kPrevious},
      {"page précédente", kPrevious},
      {"dernière", kLast},
      {"dernière page", kLast},
      {"siguiente", kNext},
      {"siguientes", kNext},
      {"página siguiente", kNextPage},
      {"siguiente página", kNextPage},
      {"entradas antiguas", kNextPage},
      {"entradas anteriores", kNextPage},
      {"entradas más antiguas", kNextPage},
      {"cargar más", kMore},
      {"ver más", kMore},
      {"mostrar más", kMore},
      {"anterior", kPrevious},
      {"última", kLast},
      {"próximo", kNext},
      {"próxima", kNext},
      {"próxima página", kNextPage},
      {"seguinte", kNext},
      {"página seguinte", kNextPage},
      {"avançar", kNext},
      {"postagens mais antigas", kNextPage},
      {"posts antigos", kNextPage},
      {"carregar mais", kMore},
      {"ver mais", kMore},
      {"successivo", kNext},
      {"successiva", kNext},
      {"pagina successiva", kNextPage},
      {"avanti", kNext},
      {"prossima", kNext},
      {"prossimo", kNext},
      {"seguente", kNext},
      {"articoli precedenti", kNextPage},
      {"post più vecchi", kNextPage},
      {"carica altri", kMore},
      {"mostra altri", kMore},
      {"precedente", kPrevious},
      {"indietro", kPrevious},
      {"ultima", kLast},
      {"volgende", kNext},
      {"volgende pagina", kNextPage},
      {"oudere berichten", kNextPage},
      {"meer laden", kMore},
      {"toon meer", kMore},
      {"vorige", kPrevious},
      {"laatste", kLast},
      {"nästa", kNext},
      {"nästa sida", kNextPage},
      {"äldre inlägg", kNextPage},
      {"visa fler", kMore},
      {"föregående", kPrevious},
      {"neste", kNext},
      {"neste side", kNextPage},
      {"eldre innlegg", kNextPage},
      {"vis flere", kMore},
      {"forrige", kPrevious},
      {"næste", kNext},
      {"næste side", kNextPage},
      {"ældre indlæg", kNextPage},
      {"seuraava", kNext},
      {"seuraava sivu", kNextPage},
      {"näytä lisää", kMore},
      {"edellinen", kPrevious},
      {"järgmine", kNext},
      {"następna", kNext},
      {"następny", kNext},
      {"następna strona", kNextPage},
      {"dalej", kNext},
      {"starsze posty", kNextPage},
      {"starsze wpisy", kNextPage},
      {"pokaż więcej", kMore},
      {"załaduj więcej", kMore},
      {"poprzednia", kPrevious},
      {"poprzedni", kPrevious},
      {"ostatnia", kLast},
      {"další", kNext},
      {"další strana", kNextPage},
      {"následující", kNext},
      {"starší příspěvky", kNextPage},
      {"načíst další", kMore},
      {"předchozí", kPrevious},
      {"ďalšia", kNext},
      {"ďalej", kNext},
      {"nasledujúca", kNext},
      {"predchádzajúca", kPrevious},
      {"következő", kNext},
      {"következő oldal", kNextPage},
      {"régebbi bejegyzések", kNextPage},
      {"előző", kPrevious},
      {"naslednja", kNext},
      {"sljedeća", kNext},
      {"sledeća", kNext},
      {"prethodna", kPrevious},
      {"următoarea", kNext},
      {"următor", kNext},
      {"următoarea pagină", kNextPage},
      {"înainte", kNext},
      {"anterioară", kPrevious},
      {"далее", kNext},
      {"дальше", kNext},
      {"следующая", kNext},
      {"следующий", kNext},
      {"следующая страница", kNextPage},
      {"след", kNext},
      {"вперед", kNext},
      {"вперёд", kNext},
      {"старые записи", kNextPage},
      {"предыдущие записи", kNextPage},
      {"показать еще", kMore},
      {"показать ещё", kMore},
      {"загрузить еще", kMore},
      {"назад", kPrevious},
      {"предыдущая", kPrevious},
      {"последняя", kLast},
      {"наступна", kNext},
      {"далі", kNext},
      {"попередня", kPrevious},
      {"следваща", kNext},
      {"напред", kNext},
      {"предишна", kPrevious},
      {"επόμενη", kNext},
      {"επόμενο", kNext},
      {"επόμενη σελίδα", kNextPage},
      {"προηγούμενη", kPrevious},
      {"sonraki", kNext},
      {"sonraki sayfa", kNextPage},
      {"ileri", kNext},
      {"daha fazla", kMore},
      {"önceki", kPrevious},
      {"التالي", kNext},
      {"التالى", kNext},
      {"الصفحة التالية", kNextPage},
      {"تحميل المزيد", kMore},
      {"السابق", kPrevious},
      {"הבא", kNext},
      {"הבאה", kNext},
      {"העמוד הבא", kNextPage},
      {"לעמוד הבא", kNextPage},
      {"הקודם", kPrevious},
      {"بعدی", kNext},
      {"صفحه بعد", kNextPage},
      {"अगला", kNext},
      {"अगला पृष्ठ", kNextPage},
      {"trang sau", kNextPage},
      {"tiếp", kNext},
      {"tiếp theo", kNext},
      {"sau", kNext},
      {"xem thêm", kMore},
      {"trang trước", kPrevious},
      {"selanjutnya", kNext},
      {"berikutnya", kNext},
      {"postingan lama", kNextPage},
      {"muat lebih banyak", kMore},
      {"sebelumnya", kPrevious},
      {"ถัดไป", kNext},
      {"หน้าถัดไป", kNextPage},
      {"ก่อนหน้า", kPrevious},
      {"次へ", kNext},
      {"次", kNext},
      {"次のページ", kNextPage},
      {"次ページ", kNextPage},
      {"もっと見る", kMore},
      {"前へ", kPrevious},
      {"前のページ", kPrevious},
      {"下一页", kNextPage},
      {"下一頁", kNextPage},
      {"下页", kNextPage},
      {"下頁", kNextPage},
      {"后页", kNextPage},
      {"下一步", kNext},
      {"加载更多", kMore},
      {"載入更多", kMore},
      {"上一页", kPrevious},
      {"上一頁", kPrevious},
      {"末页", kLast},
      {"最後", kLast},
      {"다음", kNext},
      {"다음 페이지", kNextPage},
      {"더보기", kMore},
      {"더 보기", kMore},
      {"이전", kPrevious},
      {"마지막", kLast},
  });
  static const PhraseSet set(kPhrases);
  return set;
}

bool is_label_sign(char32_t c) {
  return c == U'>' || c == U'<' || c == U'»' || c == U'«' || c == U'›' || c == U'‹' || c == U'→' ||
         c == U'←' || c == U'▶' || c == U'►' || c == U'◄' || c == U'⟩' || c == U'❯' || c == U'❮' ||
         c == U'|' || c == U'.' || c == U'…' || c == U':' || c == U'⇒' || c == U'(' || c == U')' ||
         c == U'[' || c == U']' || c == U'+' || c == U'-' || c == U'–' || c == U'\uFE0F' ||
         c == U'!' || c == U'▸' || c == U'>' || c == U'·';
}

bool points_forward(char32_t c) {
  return c == U'>' || c == U'»' || c == U'›' || c == U'→' || c == U'▶' || c == U'►' || c == U'⟩' ||
         c == U'❯' || c == U'⇒' || c == U'▸';
}

bool points_back(char32_t c) {
  return c == U'<' || c == U'«' || c == U'‹' || c == U'←' || c == U'◄' || c == U'❮';
}

struct SplitLabel {
  std::string words;
  int forward = 0;
  int back = 0;
};

SplitLabel split_label(std::string_view label) {
  SplitLabel out;
  for (const char32_t c : to_code_points(label)) {
    out.forward += points_forward(c) ? 1 : 0;
    out.back += points_back(c) ? 1 : 0;
    if (is_label_sign(c) || c == U'\u00A0' || c == U'\n' || c == U'\t')
      out.words += ' ';
    else
      append_utf8(out.words, c);
  }
  std::string joined;
  for (const std::string_view word : split(out.words, ' ')) {
    if (word.empty()) continue;
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  out.words = fold_case(joined);
  return out;
}

}  // namespace

PagerWord pager_word(std::string_view label) {
  label = trim(label);
  if (label.empty() || label.size() > 60) return PagerWord::none;
  const SplitLabel parts = split_label(label);
  if (parts.words.empty()) {
    if (parts.forward > 0 && parts.back == 0)
      return parts.forward == 1 ? PagerWord::arrow : PagerWord::double_arrow;
    return parts.back > 0 ? PagerWord::previous : PagerWord::none;
  }
  if (const auto whole = pager_phrases().whole(parts.words)) return static_cast<PagerWord>(*whole);
  // "Next 20", "Next page (2)", "Weiter zu Seite 2": short, and it begins with the word.
  const auto match = pager_phrases().find(parts.words);
  const bool is_most =
      match && match->begin == 0 && (match->end * 2 >= parts.words.size() || parts.forward > 0);
  if (is_most && parts.words.size() < 30) return static_cast<PagerWord>(match->meaning);
  return PagerWord::none;
}

}  // namespace heddle::pages
