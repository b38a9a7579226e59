#include "tests/fuzz/mutator.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace heddle::fuzz {

namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (end > start) lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

}  // namespace

Corpus Corpus::read(const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders) {
    std::error_code missing;
    for (const auto& entry : fs::recursive_directory_iterator(folder, missing))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  Corpus corpus;
  for (const fs::path& file : files) {
    if (file.filename() == "dictionary")
      for (std::string& word : lines_of(read_file(file))) corpus.words.push_back(std::move(word));
    else
      corpus.inputs.push_back(read_file(file));
  }
  if (corpus.inputs.empty()) corpus.inputs.emplace_back();
  return corpus;
}

std::string Mutator::make(std::uint64_t number) {
  std::seed_seq seeds{seed_, seed_ >> 32U, number, number >> 32U};
  random_.seed(seeds);
  std::string input = start();
  const std::size_t changes = 1 + pick(8);
  for (std::size_t i = 0; i < changes; ++i) change(input);
  if (input.size() > max_bytes_) input.resize(max_bytes_);
  return input;
}

std::size_t Mutator::pick(std::size_t count) {
  return count == 0 ? 0 : static_cast<std::size_t>(random_() % count);
}

// A corpus input, or a part of a long one.
std::string Mutator::start() {
  const std::string& kept = corpus_.inputs[pick(corpus_.inputs.size())];
  if (kept.size() <= max_bytes_) return kept;
  return kept.substr(pick(kept.size() - max_bytes_), max_bytes_);
}

void Mutator::change(std::string& input) {
  switch (pick(8)) {
    case 0:
      return flip_byte(input);
    case 1:
      return overwrite_bytes(input);
    case 2:
      return erase_range(input);
    case 3:
      return repeat_range(input);
    case 4:
      return splice(input);
    case 5:
      return swap_ranges(input);
    default:
      return insert_word(input);
  }
}

void Mutator::flip_byte(std::string& input) {
  if (input.empty()) return;
  char& byte = input[pick(input.size())];
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << pick(8)));
}

void Mutator::overwrite_bytes(std::string& input) {
  static constexpr auto kNasty =
      std::to_array<char>({'\0', '\xff', '\xc3', '\xf0', '\n', '\r', '<', '>', '&', '"', '\'', '\\',
                           '(', ')', '-', '0'});
  const std::size_t count = 1 + pick(4);
  for (std::size_t i = 0; i < count && !input.empty(); ++i)
    input[pick(input.size())] = kNasty[pick(kNasty.size())];
}

void Mutator::erase_range(std::string& input) {
  const std::size_t from = pick(input.size());
  input.erase(from, 1 + pick(std::min<std::size_t>(input.size(), 64)));
}

void Mutator::repeat_range(std::string& input) {
  const std::size_t from = pick(input.size());
  const std::string part = input.substr(from, 1 + pick(32));
  const std::size_t times = pick(4) == 0 ? pick(2000) : pick(8);
  std::string repeated;
  for (std::size_t i = 0; i < times && repeated.size() < max_bytes_; ++i) repeated += part;
  input.insert(from, repeated);
}

void Mutator::insert_word(std::string& input) {
  if (corpus_.words.empty()) return flip_byte(input);
  input.insert(pick(input.size() + 1), corpus_.words[pick(corpus_.words.size())]);
}

void Mutator::splice(std::string& input) {
  const std::string& other = corpus_.inputs[pick(corpus_.inputs.size())];
  input.insert(pick(input.size() + 1), other.substr(pick(other.size()), pick(256)));
}

void Mutator::swap_ranges(std::string& input) {
  const std::size_t middle = pick(input.size() + 1);
  std::rotate(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(middle), input.end());
}

}  // namespace heddle::fuzz
