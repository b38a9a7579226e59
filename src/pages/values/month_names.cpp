#include "pages/values/month_names.hpp"

#include <array>
#include <string>

namespace heddle::pages {

namespace {

// One line per month, words between single spaces.
constexpr std::array<std::u32string_view, 12> kMonths{
    U" january jan januar jänner jän janvier janv enero ene gennaio gen janeiro januari styczeń "
    U"stycznia sty leden ledna led január januára tammikuu tammikuuta ianuarie ian января январь "
    U"янв січень січня січ януари ιανουάριοσ ιανουαρίου ιαν ocak oca siječanj siječnja jaanuar "
    U"janvāris janvāri sausis sausio يناير ינואר janúar gener जनवरी ",
    U" february feb februar feber février févr fév fevrier febrero febbraio fevereiro fev februari "
    U"luty lutego lut únor února úno február februára helmikuu helmikuuta februarie февраля "
    U"февраль фев лютий лютого лют февруари φεβρουάριοσ φεβρουαρίου φεβ şubat şub veljača veljače "
    U"veebruar februāris februāri vasaris vasario فبراير פברואר febrúar febrer फ़रवरी फरवरी ",
    U" march mar märz mär mrz mars marzo março marco maart mrt marzec marca březen března bře "
    U"marec márca maaliskuu maaliskuuta március márc martie марта март мар березень березня бер "
    U"μάρτιοσ μαρτίου μαρ mart ožujak ožujka märts marts martā kovas kovo مارس מרץ març maret mac "
    U"मार्च ",
    U" april apr avril avr abril abr aprile kwiecień kwietnia kwi duben dubna dub apríl apríla "
    U"huhtikuu huhtikuuta április ápr aprilie апреля апрель апр квітень квітня кві април "
    U"απρίλιοσ απριλίου απρ nisan nis travanj travnja aprill aprīlis aprīlī balandis balandžio "
    U"أبريل ابريل אפריל अप्रैल ",
    U" may mai mayo maggio mag maio mei maj maja květen května kvě máj mája toukokuu toukokuuta "
    U"május máj мая май мај травень травня тра μάιοσ μαΐου μαϊ mayıs svibanj svibnja maijs maijā "
    U"gegužė gegužės مايو מאי maí maig मई ",
    U" june jun juni juin junio giugno giu junho czerwiec czerwca cze červen června čvn jún júna "
    U"kesäkuu kesäkuuta június iunie iun июня июнь июн червень червня чер юни јун ιούνιοσ ιουνίου "
    U"ιουν haziran haz lipanj lipnja juuni jūnijs jūnijā birželis birželio يونيو יוני júní juny "
    U"जून ",
    U" july jul juli juillet juil julio luglio lug julho lipiec lipca lip červenec července čvc "
    U"júl júla heinäkuu heinäkuuta július iulie iul июля июль июл липень липня лип юли јул ιούλιοσ "
    U"ιουλίου ιουλ temmuz tem srpanj srpnja juuli jūlijs jūlijā liepa liepos يوليو יולי júlí "
    U"juliol जुलाई ",
    U" august aug août aout agosto ago sierpień sierpnia sie srpen srpna srp elokuu elokuuta "
    U"augusztus augustus augusti augusta августа август авг серпень серпня сер αύγουστοσ αυγούστου "
    U"αυγ ağustos ağu kolovoz kolovoza augusts augustā rugpjūtis rugpjūčio أغسطس اغسطس אוגוסט "
    U"ágúst agost agustus ogos अगस्त ",
    U" september sep sept septembre septiembre settembre set setembro wrzesień września wrz září "
    U"zář septembra syyskuu syyskuuta szeptember szept septembrie сентября сентябрь сен сент "
    U"вересень вересня вер септември септембар σεπτέμβριοσ σεπτεμβρίου σεπ eylül eyl rujan rujna "
    U"septembris septembrī rugsėjis rugsėjo سبتمبر ספטמבר setembre सितंबर सितम्बर ",
    U" october oct oktober okt octobre octubre ottobre ott outubro out październik października "
    U"paź říjen října říj október októbra lokakuu lokakuuta octombrie октября октябрь окт жовтень "
    U"жовтня жов октомври октобар οκτώβριοσ οκτωβρίου οκτ ekim eki oktoober oktobris oktobrī "
    U"spalis spalio أكتوبر اكتوبر אוקטובר október octubre अक्टूबर ",
    U" november nov novembre noviembre novembro listopad listopada listopadu lis marraskuu "
    U"marraskuuta noiembrie noi novembra ноября ноябрь ноя листопад листопада лис ноември новембар "
    U"νοέμβριοσ νοεμβρίου νοε kasım kasim kas studeni studenoga novembris novembrī lapkritis "
    U"lapkričio نوفمبر נובמבר nóvember नवंबर नवम्बर ",
    U" december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro grudzień "
    U"grudnia gru prosinec prosince pro joulukuu joulukuuta decembrie decembra декабря декабрь дек "
    U"грудень грудня гру декември децембар δεκέμβριοσ δεκεμβρίου δεκ aralık aralik ara prosinac "
    U"prosinca detsember decembris decembrī gruodis gruodžio ديسمبر דצמבר desember desembre "
    U"दिसंबर दिसम्बर ",
};

}  // namespace

std::optional<int> month_named(std::u32string_view word) {
  if (word.empty() || word.find(U' ') != std::u32string_view::npos) return std::nullopt;
  std::u32string wanted(U" ");
  wanted.append(word).append(U" ");
  for (std::size_t month = 0; month < kMonths.size(); ++month)
    if (kMonths[month].find(wanted) != std::u32string_view::npos)
      return static_cast<int>(month) + 1;
  return std::nullopt;
}

}  // namespace heddle::pages
