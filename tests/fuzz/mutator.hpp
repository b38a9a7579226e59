// Mutator derives new inputs from the corpus. The same seed, number and files always give the same
// input, so that a crash can be reproduced by its number. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace heddle::fuzz {

struct Corpus {
  std::vector<std::string> inputs;  // never empty
  std::vector<std::string> words;   // from files named "dictionary", one per line

  // Reads all files below the folders, in the order of their names; missing folders are skipped.
  static Corpus read(const std::vector<std::filesystem::path>& folders);
};

class Mutator {
 public:
  Mutator(const Corpus& corpus, std::uint64_t seed, std::size_t max_bytes)
      : corpus_(corpus), seed_(seed), max_bytes_(max_bytes) {}

  std::string make(std::uint64_t number);

 private:
  std::size_t pick(std::size_t count);  // 0 … count - 1
  std::string start();
  void change(std::string& input);
  void flip_byte(std::string& input);
  void overwrite_bytes(std::string& input);
  void erase_range(std::string& input);
  void repeat_range(std::string& input);
  void insert_word(std::string& input);
  void splice(std::string& input);
  void swap_ranges(std::string& input);

  const Corpus& corpus_;
  std::uint64_t seed_;
  std::size_t max_bytes_;
  std::mt19937_64 random_;
};

}  // namespace heddle::fuzz
