#include "pages/typed_value.hpp"

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

Job job_with(std::vector<std::pair<std::string, FieldType>> fields) {
  Job job;
  for (auto& [name, type] : fields) {
    FieldRule rule;
    rule.name = name;
    rule.type = type;
    job.fields.push_back(rule);
  }
  return job;
}

Item item(std::vector<Field> fields) {
  Item made;
  made.fields = std::move(fields);
  return made;
}

TEST(TypedValues, HasOneEntryPerTypedField) {
  const Job job = job_with({{"title", FieldType::text},
                            {"price", FieldType::money},
                            {"rating", FieldType::number},
                            {"date", FieldType::date}});
  const Item lamp = item({{"title", "Lamp"},
                          {"price", "1.234,56 €"},
                          {"rating", "4,50 / 5"},
                          {"date", "12. März 2026"}});

  EXPECT_EQ(typed_values_json(job, lamp),
            R"({"price":{"amount":"1234.56","currency":"EUR"},"rating":4.50,"date":"2026-03-12"})");
}

TEST(TypedValues, IsNullForUnreadableText) {
  const Job job = job_with({{"price", FieldType::money},
                            {"rating", FieldType::number},
                            {"date", FieldType::date},
                            {"absent", FieldType::money}});
  const Item vague = item({{"price", "on request"}, {"rating", "good"}, {"date", "soon"}});

  EXPECT_EQ(typed_values_json(job, vague),
            R"({"price":{"amount":null,"currency":null},"rating":null,"date":null,"absent":null})");
}

TEST(TypedValues, IsEmptyWithoutTypedFields) {
  EXPECT_EQ(typed_values_json(job_with({{"title", FieldType::text}}), item({{"title", "5 €"}})),
            "");
}

}  // namespace
}  // namespace heddle::pages
