#include "pages/changes/volatile_text.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

bool differ_only_in_volatile_parts(const char* a, const char* b) {
  return without_volatile_parts(a) == without_volatile_parts(b);
}

TEST(VolatileText, LeavesOutCounters) {
  for (const auto& [a, b] : {
           std::pair{"1,234 views", "1,301 views"},
           {"3 comments", "17 comments"},
           {"Views: 12", "Views: 99"},
           {"Kommentare (12)", "Kommentare (13)"},
           {"12.345 Aufrufe", "12.377 Aufrufe"},
           {"1,2 Tsd. Aufrufe", "1,3 Tsd. Aufrufe"},
           {"10 просмотров", "22 просмотра"},
           {"58 people are viewing this", "61 people are viewing this"},
           {"There are 18 users online", "There are 7 users online"},
           {"1.2k likes · 33 replies", "1.4k likes · 40 replies"},
           {"342 commentaires", "343 commentaires"},
       })
    EXPECT_TRUE(differ_only_in_volatile_parts(a, b))
        << without_volatile_parts(a) << " | " << without_volatile_parts(b);
}

TEST(VolatileText, LeavesOutTimeStamps) {
  for (const auto& [a, b] : {
           std::pair{"posted 5 minutes ago", "posted 2 hours ago"},
           {"vor 3 Minuten", "vor einer Stunde"},
           {"il y a 2 heures", "il y a 3 jours"},
           {"hace 5 minutos", "hace una hora"},
           {"3 giorni fa", "4 giorni fa"},
           {"5 minuten geleden", "6 minuten geleden"},
           {"5分前", "12分前"},
           {"3 часа назад", "5 часов назад"},
           {"Last updated: 3 May 2026", "Last updated: 14 May 2026"},
           {"Last updated on May 3, 2026 at 10:15", "Last updated on May 14, 2026 at 9:00"},
           {"Stand: 12.05.2026", "Stand: 13.05.2026"},
           {"Aktualisiert am 12.05.2026 10:20", "Aktualisiert am 13.05.2026 08:01"},
           {"generated 2026-05-12T10:20:30Z", "generated 2026-05-13T11:20:31Z"},
           {"12:30:01", "12:31:44"},
           {"It is 2026-05-12 10:20 now", "It is 2026-05-12 10:25 now"},
           {"12/05/2026, 10:20 PM", "13/05/2026, 11:20 AM"},
       })
    EXPECT_TRUE(differ_only_in_volatile_parts(a, b))
        << without_volatile_parts(a) << " | " << without_volatile_parts(b);
}

TEST(VolatileText, LeavesOutRandomIds) {
  for (const auto& [a, b] : {
           std::pair{"Request 3f2a9c0d4e5b6a7c8d9e", "Request 9b1a9c0d4e5b6a7c8d00"},
           {"id 123e4567-e89b-12d3-a456-426614174000", "id 123e4567-e89b-12d3-a456-426614174999"},
           {"/cart?sid=abc123&item=4", "/cart?sid=zzz999&item=4"},
           {"/?utm_source=a&utm_medium=b", "/?utm_source=c&utm_medium=d"},
       })
    EXPECT_TRUE(differ_only_in_volatile_parts(a, b))
        << without_volatile_parts(a) << " | " << without_volatile_parts(b);
}

TEST(VolatileText, KeepsWhatPeopleWatchFor) {
  for (const auto& [a, b] : {
           std::pair{"€49.50", "€39.00"},
           {"Price: 12 EUR", "Price: 13 EUR"},
           {"Release date: 2026-12-01", "Release date: 2027-01-15"},
           {"Open 9:00 - 17:00", "Open 10:00 - 17:00"},
           {"Version 2.4", "Version 2.5"},
           {"3 items left in stock", "1 item left in stock"},
           {"Order 12345678901234567890", "Order 12345678901234567891"},
           {"/cart?item=4", "/cart?item=5"},
           {"12 rooms available", "11 rooms available"},
           {"Concert on 3 May 2026", "Concert on 4 May 2026"},
           {"$5 points", "$6 points"},
       })
    EXPECT_FALSE(differ_only_in_volatile_parts(a, b)) << without_volatile_parts(a);
}

TEST(VolatileText, IsQuickOnHostileLines) {
  const std::string digits(19'000, '1');
  EXPECT_FALSE(without_volatile_parts(digits).empty());
  EXPECT_EQ(without_volatile_parts(std::string(50'000, '1')).size(), 50'000U);
}

}  // namespace
}  // namespace heddle::pages
