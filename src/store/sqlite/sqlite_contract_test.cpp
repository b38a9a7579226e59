// Runs the store contract on SQLite.
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/store_contract_costs_for_test.hpp"
#include "store/store_contract_dead_letters_for_test.hpp"
#include "store/store_contract_found_pages_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store::testing {

namespace {

class SqliteBackend final : public StoreBackend {
 public:
  explicit SqliteBackend(SqliteOptions options) : options_(std::move(options)) {}

  std::unique_ptr<Store> open() override {
    auto store = SqliteStore::open(file(), options_);
    EXPECT_TRUE(store) << store.error().message;
    return store ? std::move(*store) : nullptr;
  }

  std::unique_ptr<Reader> open_reader() override {
    auto reader = SqliteReader::open(file());
    EXPECT_TRUE(reader) << reader.error().message;
    return reader ? std::move(*reader) : nullptr;
  }

 private:
  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "heddle.db"; }

  heddle::testing::TemporaryFolder folder_;
  SqliteOptions options_;
};

// The second one caches no keys and checkpoints all the time.
const auto kKinds = ::testing::Values(
    StoreKind{"sqlite", [] { return std::make_unique<SqliteBackend>(SqliteOptions{}); }},
    StoreKind{"sqlite_without_caches", [] {
                const SqliteOptions options{
                    .cache_bytes = 0, .known_keys_bytes = 0, .checkpoint_bytes = 4096};
                return std::make_unique<SqliteBackend>(options);
              }});

std::string name_of(const ::testing::TestParamInfo<StoreKind>& info) {
  return info.param.name;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(On, StoreContract, kKinds, name_of);
INSTANTIATE_TEST_SUITE_P(On, OutboxContract, kKinds, name_of);
INSTANTIATE_TEST_SUITE_P(On, DeadLetterContract, kKinds, name_of);
INSTANTIATE_TEST_SUITE_P(On, CostContract, kKinds, name_of);
INSTANTIATE_TEST_SUITE_P(On, FoundPagesContract, kKinds, name_of);

}  // namespace heddle::store::testing
