#include "net/charset/charset.hpp"

#include <gtest/gtest.h>
#include <iconv.h>

#include "base/text.hpp"
#include "net/charset/charset_labels.hpp"

namespace heddle::net {
namespace {

struct DecodeCase {
  std::string body;
  std::string content_type;
  std::string text;
  std::string charset;
};

void expect_all(const std::vector<DecodeCase>& cases) {
  for (const auto& [body, content_type, text, charset] : cases) {
    const DecodedText decoded = decode_to_utf8(body, content_type);
    EXPECT_EQ(decoded.text, text) << charset;
    EXPECT_EQ(decoded.charset, charset) << text;
    EXPECT_TRUE(is_valid_utf8(decoded.text));
  }
}

TEST(Charset, PrefersTheByteOrderMark) {
  expect_all({{"\xEF\xBB\xBF"
               "ü",
               "text/html; charset=iso-8859-1", "ü", "utf-8"},
              {std::string("\xFF\xFE\xFC\x00", 4), "text/html; charset=utf-8", "ü", "utf-16le"},
              {std::string("\xFE\xFF\x00\xFC", 4), "", "ü", "utf-16be"}});
}

TEST(Charset, PrefersTheHeaderOverTheDocument) {
  expect_all({{"<meta charset=utf-8>\xFC", "text/html; charset=ISO-8859-1", "<meta charset=utf-8>ü",
               "windows-1252"},
              {"\xFC", "text/html;charset=\"latin1\"", "ü", "windows-1252"},
              {"\xFC", "text/html; a=b; CHARSET = latin1 ", "ü", "windows-1252"},
              {"ü", "text/html; charset=nonsense", "ü", "utf-8"}});
}

TEST(Charset, ReadsTheDocumentsOwnDeclaration) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"<meta charset=koi8-r>", "koi8-r"},
      {"<META CHARSET='Shift_JIS'/>", "Shift_JIS"},
      {"<meta http-equiv=\"Content-Type\" content=\"text/html; charset=euc-jp\">", "euc-jp"},
      {"<meta content='text/html;charset = \"big5\"' http-equiv=content-type>", "big5"},
      {"<!-- <meta charset=a> --><meta charset=b>", "b"},
      {"<!doctype html><html lang=ja><head><title x='<meta charset=a>'><meta charset=b>", "b"},
      {"<meta name=x content='charset=a'>", ""},
      {"<metadata charset=a>", ""},
      {"</meta charset=a><meta charset=b>", "b"},
      {"<meta charset=>", ""},
      {"<meta charset", ""},
      {"<", ""},
      {"<!--", ""},
      {"<meta a='", ""},
      {"<?xml version='1.0' encoding=\"windows-1251\"?>", "windows-1251"},
      {"<?xml version='1.0'?><meta charset=b>", "b"},
      {"", ""}};
  for (const auto& [document, label] : cases)
    EXPECT_EQ(declared_charset(document), label) << document;
}

TEST(Charset, LooksForADeclarationOnlyAtTheStart) {
  const std::string far = std::string(1024, ' ') + "<meta charset=koi8-r>\xFC";
  EXPECT_EQ(decode_to_utf8(far, "").charset, "windows-1252");
}

TEST(Charset, IgnoresAUtf16DeclarationInAnAsciiDocument) {
  expect_all({{"<meta charset=utf-16>ü", "", "<meta charset=utf-16>ü", "utf-8"}});
}

TEST(Charset, GuessesBetweenUtf8AndWindows1252) {
  expect_all({{"grün", "", "grün", "utf-8"},
              {"gr\xFCn \x80 \x93", "", "grün € “", "windows-1252"},
              {"", "", "", "utf-8"}});
}

TEST(Charset, DecodesTheEncodingsOfTheWeb) {
  expect_all({{"\x93\xFA\x96\x7B", "text/html; charset=shift_jis", "日本", "shift_jis"},
              {"\xC6\xFC\xCB\xDC", "text/html; charset=euc-jp", "日本", "euc-jp"},
              {"\x1B$BF|K\\\x1B(B", "text/html; charset=iso-2022-jp", "日本", "iso-2022-jp"},
              {"\xC4\xE3\xBA\xC3", "text/html; charset=gb2312", "你好", "gbk"},
              {"\x81\x30\x81\x30", "text/html; charset=gb18030", "\xC2\x80", "gb18030"},
              {"\xA7\x41\xA6\x6E", "text/html; charset=big5", "你好", "big5"},
              {"\xC7\xD1\xB1\xDB", "text/html; charset=euc-kr", "한글", "euc-kr"},
              {"\xCB\xC9\xD1", "text/html; charset=koi8-r", "кия", "koi8-r"},
              {"\xCC\xE8\xF0", "text/html; charset=windows-1251", "Мир", "windows-1251"},
              {"\xE9", "text/html; charset=windows-1250", "é", "windows-1250"},
              {"\xA4", "text/html; charset=iso-8859-15", "€", "iso-8859-15"},
              {"\xFE", "text/html; charset=iso-8859-9", "ş", "windows-1254"},
              {"\xA1", "text/html; charset=tis-620", "ก", "windows-874"}});
}

TEST(Charset, HasAConverterForEveryListedEncoding) {
  for (const Charset& charset : all_charsets()) {
    if (charset.converter == nullptr) continue;
    const iconv_t opened = iconv_open("UTF-8", charset.converter);
    ASSERT_NE(opened, reinterpret_cast<iconv_t>(-1)) << charset.name;
    iconv_close(opened);
    EXPECT_EQ(find_charset(charset.name), &charset);
  }
}

TEST(Charset, ReplacesInvalidBytes) {
  expect_all({{"a\xFFz", "text/html; charset=utf-8", "a\xEF\xBF\xBDz", "utf-8"},
              {"a\x81<b>", "text/html; charset=shift_jis", "a\xEF\xBF\xBD<b>", "shift_jis"},
              {"\x93", "text/html; charset=shift_jis", "\xEF\xBF\xBD", "shift_jis"},
              {std::string("\xFF\xFE\x00\xD8x", 5), "", "\xEF\xBF\xBD\xEF\xBF\xBD", "utf-16le"}});
}

TEST(Charset, DoesNotCopyABodyThatIsUtf8) {
  std::string body(100'000, 'x');
  const char* data = body.data();
  EXPECT_EQ(decode_to_utf8(std::move(body), "text/html; charset=utf-8").text.data(), data);
}

}  // namespace
}  // namespace heddle::net
