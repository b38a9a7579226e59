#include <string>

#include <gtest/gtest.h>

#include "html/parse.hpp"
#include "pages/classify/classify.hpp"

namespace heddle::pages {
namespace {

ClassifiedPage classified(std::string_view body, int status = 200,
                          std::string_view address = "https://site.example/a/page",
                          const Headers& headers = {}) {
  const auto document = *html::parse(body);
  const Url url = *Url::parse(std::string(address));
  const PageResponse response{url, status, &headers};
  return classify_page(PageOutline(document), StructuredData::collect(document), response);
}

PageClass class_of(std::string_view body, int status = 200,
                   std::string_view address = "https://site.example/a/page") {
  return classified(body, status, address).page_class;
}

std::string small_page(std::string_view title, std::string_view heading, std::string_view text) {
  return "<html><head><title>" + std::string(title) + "</title></head><body><h1>" +
         std::string(heading) + "</h1><p>" + std::string(text) + "</p></body></html>";
}

std::string prose(int paragraphs) {
  std::string text;
  for (int i = 0; i < paragraphs; ++i)
    text +=
        "<p>The weaver threads the warp through the heddles one after the other, because each of "
        "them lifts its own share of the threads, and only together do they make a pattern that "
        "holds. It takes the better part of a morning before the first row can be woven at "
        "all.</p>";
  return text;
}

constexpr std::string_view kNavigation =
    "<header><nav><a href=/>Home</a> <a href=/shop>Shop</a> <a href=/contact>Contact</a></nav>"
    "<form action=/search><input name=q></form></header>";
constexpr std::string_view kHeaderLogin =
    "<header><nav><a href=/>Home</a></nav><form action=/login><input name=user>"
    "<input type=password name=pass><button>Log in</button></form></header>";

struct SaidPage {
  const char* title;
  const char* heading;
  const char* text;
};

TEST(FailedPage, KnowsBotChecksInManyLanguages) {
  const SaidPage pages[] = {
      {"Just a moment...", "shop.example", "Checking your browser before accessing shop.example."},
      {"Attention Required!", "Sorry, you have been blocked",
       "You are unable to access this site."},
      {"Robot Check", "Enter the characters you see below", "Sorry, we just need to make sure."},
      {"Nur einen Moment …", "shop.example", "Bestätigen Sie, dass Sie ein Mensch sind."},
      {"Un instant…", "shop.example", "Vérifiez que vous êtes humain en effectuant l'action."},
      {"Un momento…", "shop.example", "Verifique que es un ser humano."},
      {"Um momento…", "shop.example", "Confirme que é humano."},
      {"Verifica", "Verifica di essere umano", "Spunta la casella: non sono un robot."},
      {"Ik ben geen robot", "Controle", "Controleer of u een mens bent"},
      {"Potwierdź, że jesteś człowiekiem", "Nie jestem robotem", "Zaznacz pole."},
      {"Ой!", "Подтвердите, что вы не робот", "Запросы похожи на автоматические. Я не робот"},
      {"Bir dakika", "İnsan olduğunuzu doğrulayın", "Ben robot değilim"},
      {"安全验证", "请完成安全验证", "拖动滑块"},
      {"確認", "人間であることを確認", "私はロボットではありません"},
      {"확인", "로봇이 아닙니다", "사람인지 확인하십시오"},
      {"تحقق", "تحقق من أنك إنسان", "لست برنامج روبوت"},
  };
  for (const auto& [title, heading, text] : pages)
    EXPECT_EQ(class_of(small_page(title, heading, text), 403), PageClass::bot_wall) << title;
}

TEST(FailedPage, KnowsBotChecksByMarkupAndHeaders) {
  EXPECT_EQ(class_of("<title>site.example</title><body><script>var dd={'cid':'x'}</script><script "
                     "src=https://ct.captcha-delivery.com/c.js></script></body>",
                     403),
            PageClass::bot_wall);
  EXPECT_EQ(class_of("<title></title><body><div id=px-captcha></div></body>", 200),
            PageClass::bot_wall);
  EXPECT_EQ(class_of("<head><meta name=robots content=noindex></head><body><iframe "
                     "src='/_Incapsula_Resource?x=1'>Request unsuccessful. Incapsula incident ID: "
                     "1-2</iframe></body>"),
            PageClass::bot_wall);
  EXPECT_EQ(class_of("<title>Access Denied</title><h1>Access Denied</h1>You don't have permission."
                     "<p>https://errors.edgesuite.net/18.1<p><a "
                     "href='https://errors.edgesuite.net/18.1'>x</a>",
                     403),
            PageClass::bot_wall);
  const auto page = classified("<title>x</title><body>x</body>", 403, "https://site.example/",
                               {{"cf-mitigated", "challenge"}});
  EXPECT_EQ(page.page_class, PageClass::bot_wall);
  EXPECT_EQ(page.signals.front().text, "header cf-mitigated: challenge");
}

TEST(FailedPage, TellsErrorsFromBotChecks) {
  EXPECT_EQ(class_of("<title>shop.example | 521: Web server is down</title><div "
                     "id=cf-error-details><h1>Web server is down</h1>Error code 521</div>",
                     521),
            PageClass::error_page);
  EXPECT_EQ(class_of(small_page("429 Too Many Requests", "Too Many Requests", "nginx"), 429),
            PageClass::error_page);
  EXPECT_EQ(class_of(small_page("Access denied", "Access denied", "You may not see this."), 403),
            PageClass::error_page);
  EXPECT_EQ(class_of("<title>Access denied | shop.example used Cloudflare to restrict "
                     "access</title><div id=cf-error-details><h1>Error 1015</h1><h2>You are being "
                     "rate limited</h2></div>",
                     429),
            PageClass::bot_wall);
}

TEST(FailedPage, KnowsLoginPagesThatAdvertise) {
  EXPECT_EQ(class_of("<title>Member login - Weavers</title>" + std::string(kNavigation) +
                     "<main><h1>Member login</h1><form><label>E-mail<input type=email "
                     "name=mail></label><label>Password<input type=password name=p></label><input "
                     "type=checkbox name=keep><button>Sign in</button><a href=/lost>Forgot your "
                     "password?</a></form><h2>Not a member yet?</h2>" +
                     prose(2) + "<a href=/join>Create an account</a></main>"),
            PageClass::login);
}

TEST(FailedPage, ReadsFrontPagesWithALoginFormBesideTheirListsAsContent) {
  std::string page =
      "<title>Weavers - The community</title>" + std::string(kNavigation) +
      "<div class=columns><div class=box><h3>Log in</h3><form><input name=user><input "
      "type=password name=pass><button>Log in</button></form></div><div class=list>";
  for (int i = 0; i < 30; ++i)
    page += "<div class=entry><a href=/t/" + std::to_string(i) +
            ">Which reed do I need for this linen?</a> <span>by weaver, yesterday</span></div>";
  EXPECT_FALSE(is_failure(class_of(page + "</div></div>")));
}

TEST(FailedPage, ReadsCommentFormsThatWantALoginAsContent) {
  EXPECT_FALSE(is_failure(
      class_of("<title>Weaving at home</title>" + std::string(kNavigation) +
               "<article><h1>Weaving at "
               "home</h1>" +
               prose(4) +
               "</article><section id=respond><p>You must be logged in to post a "
               "comment.</p><form><input name=log><input type=password name=pwd><button>Log "
               "in</button></form></section>")));
}

TEST(FailedPage, ReadsArticlesAboutBotChecksAsArticles) {
  const std::string article =
      std::string(kNavigation) +
      "<article><h1>Are you a robot? How CAPTCHAs came to be</h1><p>By Ada, 3 March "
      "2026</p>" +
      prose(6) + "<p>Verify you are human: the sentence everybody knows.</p></article>";
  EXPECT_FALSE(is_failure(class_of("<title>Are you a robot? | Weekly</title>" + article)));
  EXPECT_FALSE(is_failure(class_of("<title>Just a moment: a short story</title>" + article)));
}

TEST(FailedPage, ReadsFormsWithCaptchaAsContent) {
  EXPECT_FALSE(is_failure(class_of(
      "<title>Contact</title>" + std::string(kNavigation) +
      "<main><h1>Contact us</h1><p>We answer within a day.</p><form><input name=name><input "
      "type=email name=mail><textarea name=text></textarea><div class=g-recaptcha></div>"
      "<button>Send</button></form></main><script "
      "src=https://www.google.com/recaptcha/api.js></script>")));
}

TEST(FailedPage, KnowsErrorPagesByStatus) {
  for (const int status : {400, 403, 404, 410, 429, 500, 502, 503}) {
    const auto page = classified(small_page("Oh", "Oh", "Sorry"), status);
    EXPECT_EQ(page.page_class, PageClass::error_page) << status;
    EXPECT_DOUBLE_EQ(page.confidence, 1);
    EXPECT_EQ(page.signals.front().text, "status " + std::to_string(status));
  }
}

TEST(FailedPage, KnowsSoftErrorsInManyLanguages) {
  const SaidPage pages[] = {
      {"Page not found | Shop", "Oops! That page can't be found.", "Try a search."},
      {"404 - Shop", "404", "The page you are looking for does not exist."},
      {"Shop", "Page not found", "It may have moved."},
      {"Seite nicht gefunden – Laden", "Seite nicht gefunden", "Die Seite gibt es nicht."},
      {"Page introuvable", "Erreur 404", "Cette page n'existe pas."},
      {"Página no encontrada - Tienda", "Página no encontrada", "Vuelve al inicio."},
      {"Página não encontrada", "Ops!", "Página não encontrada"},
      {"Pagina non trovata", "Errore 404", "La pagina non esiste."},
      {"Pagina niet gevonden", "Pagina niet gevonden", "Ga terug."},
      {"Sidan hittades inte", "Sidan kunde inte hittas", "Gå till startsidan"},
      {"Siden blev ikke fundet", "Siden blev ikke fundet", "Gå til forsiden"},
      {"Sivua ei löytynyt", "Sivua ei löytynyt", "Etusivulle"},
      {"Nie znaleziono strony", "Strona nie istnieje", "Wróć"},
      {"Stránka nenalezena", "Stránka nebyla nalezena", "Zpět"},
      {"Az oldal nem található", "404", "Vissza"},
      {"Страница не найдена", "Ошибка 404", "Вернуться на главную"},
      {"Сторінку не знайдено", "Сторінку не знайдено", "На головну"},
      {"Η σελίδα δεν βρέθηκε", "404", "Αρχική"},
      {"Sayfa bulunamadı", "404", "Ana sayfa"},
      {"الصفحة غير موجودة", "الصفحة غير موجودة", "الرئيسية"},
      {"הדף לא נמצא", "הדף לא נמצא", "לדף הבית"},
      {"页面不存在", "404", "返回首页"},
      {"ページが見つかりません", "ページが見つかりません", "トップへ"},
      {"페이지를 찾을 수 없습니다", "404", "홈으로"},
      {"Không tìm thấy trang", "404", "Trang chủ"},
      {"502 Bad Gateway", "502 Bad Gateway", "nginx"},
      {"Wartungsarbeiten", "Wartungsarbeiten", "Wir sind gleich wieder da."},
      {"Site en maintenance", "Site en maintenance", "Revenez bientôt"},
  };
  for (const auto& [title, heading, text] : pages)
    EXPECT_EQ(class_of(small_page(title, heading, text)), PageClass::error_page) << title;
}

TEST(FailedPage, KnowsSoftErrorsThatRecommendProducts) {
  std::string page = "<title>Page not found | Lamps</title>" + std::string(kNavigation) +
                     "<main><h1>Page not found</h1><p>We could not find it.</p><div class=grid>";
  for (int i = 0; i < 12; ++i)
    page += "<div class=card><a href=/p/" + std::to_string(i) +
            "><img src=a.jpg><h3>Desk lamp</h3></a><span class=price>$" + std::to_string(20 + i) +
            ".00</span><button>Add to cart</button></div>";
  EXPECT_EQ(class_of(page + "</div></main>"), PageClass::error_page);
}

TEST(FailedPage, ReadsContentThatNamesErrorNumbersAsContent) {
  const std::string product =
      "<main><h1>Error 404 T-Shirt</h1><span class=price>€19.90</span><button>Add to "
      "cart</button><p>Soft cotton, printed by hand.</p></main>";
  EXPECT_FALSE(is_failure(class_of("<title>Error 404 T-Shirt | Nerd wear</title>" + product, 200,
                                   "https://shop.example/products/404")));
  EXPECT_FALSE(is_failure(
      class_of("<title>Peugeot 404 - Wikipedia</title><h1>Peugeot 404</h1>" + prose(2))));
  EXPECT_FALSE(
      is_failure(class_of("<title>HTTP 404 - Encyclopedia</title><h1>HTTP 404</h1>" + prose(5))));
  EXPECT_FALSE(is_failure(
      class_of("<title>502 Bad Gateway - Support forum</title><h1>502 Bad Gateway</h1><div "
               "class=post><p>Since the update I get this.</p></div><div class='post reply'>"
               "<p>Restart it.</p></div><div class='post reply'><p>Thanks.</p></div><div "
               "class='post reply'><p>Same here.</p></div>",
               200, "https://forum.site.example/t/502-bad-gateway/7")));
  EXPECT_FALSE(is_failure(class_of("<title>Room 404 | Hotel</title>" + std::string(kNavigation) +
                                   "<h1>Room 404</h1>" + prose(1))));
}

TEST(FailedPage, KnowsLoginPagesInManyLanguages) {
  const SaidPage pages[] = {
      {"Log in", "Log in to your account", "Log in"},
      {"Sign in | Shop", "Welcome back", "Sign in"},
      {"Anmelden – Laden", "Anmelden", "Einloggen"},
      {"Connexion", "Identifiez-vous", "Se connecter"},
      {"Iniciar sesión", "Iniciar sesión", "Acceder"},
      {"Entrar", "Acesse sua conta", "Entrar"},
      {"Accedi", "Accedi al tuo account", "Accedi"},
      {"Inloggen", "Inloggen", "Inloggen"},
      {"Logga in", "Logga in", "Logga in"},
      {"Kirjaudu sisään", "Kirjaudu", "Kirjaudu"},
      {"Logowanie", "Zaloguj się", "Zaloguj się"},
      {"Přihlášení", "Přihlášení", "Přihlásit se"},
      {"Bejelentkezés", "Belépés", "Belépés"},
      {"Авторизация", "Вход", "Войти"},
      {"Σύνδεση", "Σύνδεση", "Σύνδεση"},
      {"Giriş yap", "Giriş yap", "Giriş yap"},
      {"تسجيل الدخول", "تسجيل الدخول", "تسجيل الدخول"},
      {"登录", "登录", "登录"},
      {"ログイン", "ログイン", "ログイン"},
      {"로그인", "로그인", "로그인"},
      {"Đăng nhập", "Đăng nhập", "Đăng nhập"},
  };
  for (const auto& [title, heading, button] : pages) {
    const std::string page = "<title>" + std::string(title) + "</title>" +
                             std::string(kNavigation) + "<main><h1>" + heading +
                             "</h1><form><input name=user><input type=password name=pass><button>" +
                             button + "</button></form></main>";
    EXPECT_EQ(class_of(page), PageClass::login) << title;
  }
}

TEST(FailedPage, KnowsPagesThatAskForTheNameFirst) {
  EXPECT_EQ(class_of("<title>Sign in</title><main><h1>Sign in</h1><form><input type=email "
                     "name=identifier><button>Next</button></form></main>",
                     200, "https://accounts.site.example/signin"),
            PageClass::login);
}

TEST(FailedPage, ReadsContentWithALoginFormInItsHeaderAsContent) {
  const std::string header(kHeaderLogin);
  EXPECT_FALSE(is_failure(
      class_of("<title>News</title>" + header + "<main><h1>Heddles</h1>" + prose(3) + "</main>")));
  std::string shop = "<title>Lamps</title>" + header + "<main><h1>Lamps</h1><ul>";
  for (int i = 0; i < 10; ++i)
    shop += "<li><a href=/p/" + std::to_string(i) + "><img src=a.jpg>Lamp</a> $20</li>";
  EXPECT_FALSE(is_failure(class_of(shop + "</ul></main>")));
  EXPECT_FALSE(is_failure(class_of("<title>Lamp</title>" + header +
                                   "<main><h1>Lamp</h1><span class=price>$20</span><button>Add to "
                                   "cart</button></main>")));
}

TEST(FailedPage, ReadsRegistrationAndPaywallsAsContent) {
  EXPECT_FALSE(is_failure(
      class_of("<title>Create an account</title><main><h1>Create an account</h1><form><input "
               "name=first><input name=last><input type=email name=mail><input type=password "
               "name=a><input type=password name=b><button>Sign up</button></form></main>",
               200, "https://site.example/register")));
  EXPECT_FALSE(is_failure(
      class_of("<title>The loom | Weekly</title><meta property=og:type content=article>" +
               std::string(kNavigation) + "<article><h1>The loom</h1>" + prose(2) +
               "<div class=paywall><h2>Subscribe to read on</h2><p>Already a subscriber? <a "
               "href=/login>Log in</a></p></div></article>")));
  EXPECT_FALSE(is_failure(class_of(
      "<title>Weekly</title><div class=consent-dialog><h2>We value your privacy</h2><p>We and our "
      "partners use cookies.</p><button>Accept</button><button>Manage</button></div>")));
}

TEST(FailedPage, KnowsLoginByStatus) {
  EXPECT_EQ(class_of(small_page("Unauthorized", "Unauthorized", "Sorry"), 401), PageClass::login);
}

TEST(FailedPage, SaysWhy) {
  const auto page = classified(small_page("Page not found", "Page not found", "Sorry"));
  EXPECT_GT(page.confidence, 0.8);
  EXPECT_EQ(signals_text(page),
            "title of an error page, heading of an error page, title and heading agree, hardly any "
            "content");
}

}  // namespace
}  // namespace heddle::pages
