#include "pages/classify/url_words.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.hpp"
#include "pages/outline/outline.hpp"

namespace heddle::pages {

namespace {

enum class Hint : std::uint8_t {
  product,
  collection,
  listing,
  article,
  documentation,
  forum,
  service,
  login,
  registration,
  error,
};

// Where in the path a word means it.
enum class Where : std::uint8_t { anywhere, before_last, last };

struct PathWord {
  std::string_view word;
  Hint hint;
  Where where = Where::anywhere;
};

constexpr auto kPathWords = std::to_array<PathWord>({
    {"product", Hint::product, Where::before_last},
    {"products", Hint::product, Where::before_last},
    {"products", Hint::collection, Where::last},
    {"produkt", Hint::product, Where::before_last},
    {"produkte", Hint::collection, Where::last},
    {"produit", Hint::product, Where::before_last},
    {"producto", Hint::product, Where::before_last},
    {"produto", Hint::product, Where::before_last},
    {"prodotto", Hint::product, Where::before_last},
    {"item", Hint::product, Where::before_last},
    {"itm", Hint::product, Where::before_last},
    {"dp", Hint::product, Where::before_last},
    {"p", Hint::product, Where::before_last},
    {"ip", Hint::product, Where::before_last},
    {"artikel", Hint::product, Where::before_last},
    {"app", Hint::product, Where::before_last},
    {"tovar", Hint::product, Where::before_last},
    {"urun", Hint::product, Where::before_last},
    {"goods", Hint::product, Where::before_last},
    {"shop", Hint::collection},
    {"store", Hint::collection, Where::last},
    {"category", Hint::collection},
    {"categories", Hint::collection},
    {"collection", Hint::collection},
    {"collections", Hint::collection},
    {"kategorie", Hint::collection},
    {"kategoria", Hint::collection},
    {"categorie", Hint::collection},
    {"categoria", Hint::collection},
    {"katalog", Hint::collection},
    {"catalog", Hint::collection},
    {"browse", Hint::collection},
    {"cat", Hint::collection},
    {"c", Hint::collection, Where::before_last},
    {"cp", Hint::collection, Where::before_last},
    {"department", Hint::collection},
    {"shopping", Hint::collection},
    {"bestsellers", Hint::collection},
    {"sale", Hint::collection, Where::last},
    {"news", Hint::listing, Where::last},
    {"blog", Hint::listing, Where::last},
    {"aktuelles", Hint::listing, Where::last},
    {"actualites", Hint::listing, Where::last},
    {"noticias", Hint::listing, Where::last},
    {"notizie", Hint::listing, Where::last},
    {"nyheter", Hint::listing, Where::last},
    {"novosti", Hint::listing, Where::last},
    {"topic", Hint::listing},
    {"topics", Hint::listing},
    {"tag", Hint::listing},
    {"tags", Hint::listing},
    {"list", Hint::listing},
    {"archive", Hint::listing},
    {"archives", Hint::listing},
    {"search", Hint::listing},
    {"suche", Hint::listing},
    {"recherche", Hint::listing},
    {"results", Hint::listing},
    {"directory", Hint::listing},
    {"jobs", Hint::listing, Where::last},
    {"events", Hint::listing, Where::last},
    {"schedule", Hint::listing, Where::last},
    {"standings", Hint::listing, Where::last},
    {"rankings", Hint::listing},
    {"issues", Hint::listing, Where::last},
    {"courses", Hint::listing, Where::last},
    {"programs", Hint::listing, Where::last},
    {"shows", Hint::listing},
    {"library", Hint::listing, Where::last},
    {"blog", Hint::article, Where::before_last},
    {"post", Hint::article, Where::before_last},
    {"posts", Hint::article, Where::before_last},
    {"news", Hint::article, Where::before_last},
    {"article", Hint::article},
    {"articles", Hint::article, Where::before_last},
    {"story", Hint::article, Where::before_last},
    {"features", Hint::article, Where::before_last},
    {"resources", Hint::article, Where::before_last},
    {"magazine", Hint::article, Where::before_last},
    {"magazin", Hint::article, Where::before_last},
    {"pulse", Hint::article, Where::before_last},
    {"tips", Hint::article},
    {"nachrichten", Hint::article, Where::before_last},
    {"actualite", Hint::article, Where::before_last},
    {"noticia", Hint::article, Where::before_last},
    {"docs", Hint::documentation},
    {"doc", Hint::documentation},
    {"documentation", Hint::documentation},
    {"dokumentation", Hint::documentation},
    {"manual", Hint::documentation},
    {"handbook", Hint::documentation},
    {"handbuch", Hint::documentation},
    {"reference", Hint::documentation},
    {"ref", Hint::documentation},
    {"userguide", Hint::documentation},
    {"usersguide", Hint::documentation},
    {"guides", Hint::documentation, Where::before_last},
    {"api", Hint::documentation, Where::before_last},
    {"man", Hint::documentation},
    {"man1", Hint::documentation},
    {"wiki", Hint::documentation, Where::before_last},
    {"tutorial", Hint::documentation},
    {"tutorials", Hint::documentation},
    {"quickstart", Hint::documentation},
    {"latest", Hint::documentation, Where::before_last},
    {"stable", Hint::documentation, Where::before_last},
    {"book", Hint::documentation, Where::before_last},
    {"glossary", Hint::documentation},
    {"help", Hint::documentation, Where::before_last},
    {"kb", Hint::documentation, Where::before_last},
    {"faq", Hint::documentation},
    {"forum", Hint::forum},
    {"forums", Hint::forum},
    {"foro", Hint::forum},
    {"thread", Hint::forum},
    {"threads", Hint::forum},
    {"showthread", Hint::forum},
    {"viewtopic", Hint::forum},
    {"viewforum", Hint::forum},
    {"questions", Hint::forum, Where::before_last},
    {"t", Hint::forum, Where::before_last},
    {"board", Hint::forum},
    {"boards", Hint::forum},
    {"discussion", Hint::forum, Where::before_last},
    {"discussions", Hint::forum},
    {"community", Hint::forum, Where::before_last},
    {"service", Hint::service},
    {"services", Hint::service},
    {"leistungen", Hint::service},
    {"dienstleistungen", Hint::service},
    {"prestations", Hint::service},
    {"servicios", Hint::service},
    {"servicos", Hint::service},
    {"servizi", Hint::service},
    {"diensten", Hint::service},
    {"uslugi", Hint::service},
    {"sluzby", Hint::service},
    {"solutions", Hint::service, Where::before_last},
    {"programs", Hint::service, Where::before_last},
    {"program", Hint::service},
    {"course", Hint::service},
    {"about", Hint::service},
    {"testimonials", Hint::service, Where::last},
    {"login", Hint::login},
    {"logon", Hint::login},
    {"signin", Hint::login},
    {"sign-in", Hint::login},
    {"sign_in", Hint::login},
    {"log-in", Hint::login},
    {"log_in", Hint::login},
    {"login_html", Hint::login},
    {"wp-login", Hint::login},
    {"user-login", Hint::login},
    {"authentication", Hint::login},
    {"authenticate", Hint::login},
    {"auth", Hint::login, Where::last},
    {"sso", Hint::login},
    {"anmelden", Hint::login},
    {"anmeldung", Hint::login},
    {"connexion", Hint::login},
    {"iniciar-sesion", Hint::login},
    {"entrar", Hint::login, Where::last},
    {"accedi", Hint::login},
    {"inloggen", Hint::login},
    {"logowanie", Hint::login},
    {"prihlaseni", Hint::login},
    {"belepes", Hint::login},
    {"giris", Hint::login},
    {"signup", Hint::registration},
    {"sign_up", Hint::registration},
    {"sign-up", Hint::registration},
    {"register", Hint::registration},
    {"registration", Hint::registration},
    {"registrierung", Hint::registration},
    {"registrieren", Hint::registration},
    {"inscription", Hint::registration},
    {"registro", Hint::registration},
    {"cadastro", Hint::registration},
    {"rejestracja", Hint::registration},
    {"create", Hint::registration, Where::last},
    {"create-account", Hint::registration},
    {"createaccount", Hint::registration},
    {"forgotpassword", Hint::registration},
    {"forgot-password", Hint::registration},
    {"password", Hint::registration},
    {"404", Hint::error, Where::last},
    {"error", Hint::error, Where::last},
    {"not-found", Hint::error, Where::last},
    {"notfound", Hint::error, Where::last},
    {"page-not-found", Hint::error, Where::last},
});

void set(UrlWords& words, Hint hint) {
  switch (hint) {
    case Hint::product:
      words.product = true;
      break;
    case Hint::collection:
      words.collection = true;
      break;
    case Hint::listing:
      words.listing = true;
      break;
    case Hint::article:
      words.article = true;
      break;
    case Hint::documentation:
      words.documentation = true;
      break;
    case Hint::forum:
      words.forum = true;
      break;
    case Hint::service:
      words.service = true;
      break;
    case Hint::login:
      words.login = true;
      break;
    case Hint::registration:
      words.registration = true;
      break;
    case Hint::error:
      words.error = true;
      break;
  }
}

void read_host(std::string_view host, UrlWords& words) {
  for (const std::string_view part : split(host, '.')) {
    const auto is_any = [&](std::initializer_list<std::string_view> names) {
      return std::find(names.begin(), names.end(), part) != names.end();
    };
    words.documentation |= is_any({"docs", "doc", "developer", "developers", "wiki", "manual",
                                   "help", "readthedocs", "gitbook", "guide"});
    words.forum |= is_any({"forum", "forums", "community", "boards", "board", "discuss", "users",
                           "discussion", "answers", "stackexchange", "foro"});
    words.forum |= part.size() > 5 && part.find("forum") != std::string_view::npos;
    words.login |= is_any({"login", "auth", "sso", "accounts"});
    words.article |= part == "blog";
  }
}

bool is_number(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789") == std::string_view::npos;
}

void read_segment(std::string_view segment, bool is_last, UrlWords& words) {
  for (const PathWord& row : kPathWords) {
    if (row.word != segment) continue;
    if (row.where == Where::anywhere || (row.where == Where::last) == is_last) set(words, row.hint);
  }
}

}  // namespace

UrlWords read_url_words(const Url& url) {
  UrlWords words;
  read_host(url.host(), words);
  const std::string path = to_lower_ascii(url.path());
  std::vector<std::string_view> segments;
  for (const std::string_view part : split(path, '/'))
    if (!part.empty() && segments.size() < 20) segments.push_back(part);
  const bool is_index = !segments.empty() && segments.back().starts_with("index.");
  if (is_index) segments.pop_back();
  words.is_front = segments.empty() && url.query().empty();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool is_last = i + 1 == segments.size();
    std::string_view segment = segments[i];
    if (is_last) segment = segment.substr(0, segment.rfind('.'));
    read_segment(segment, is_last, words);
    const int year = is_number(segment, 4) ? std::atoi(std::string(segment).c_str()) : 0;
    words.has_date |= year >= 1995 && year <= 2100 && i + 1 < segments.size();
    if (!is_last) continue;
    const auto dashes =
        std::count_if(segment.begin(), segment.end(), [](char c) { return c == '-' || c == '_'; });
    words.has_long_name = dashes >= 3;
  }
  const std::string query = "&" + to_lower_ascii(url.query());
  for (const std::string_view key :
       {"&q=", "&query=", "&search=", "&s=", "&keyword=", "&keywords="})
    words.is_search |= query.find(key) != std::string::npos;
  words.login |= query.find("section=login") != std::string::npos ||
                 query.find("action=login") != std::string::npos ||
                 query.find("mode=login") != std::string::npos;
  words.registration |= query.find("=register") != std::string::npos ||
                        query.find("=lostpassword") != std::string::npos ||
                        query.find("mode=adduser") != std::string::npos;
  return words;
}

}  // namespace heddle::pages
