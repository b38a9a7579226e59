// Reads the folders of labelled pages, which lie outside the project.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "html/document.hpp"
#include "model/web/url.hpp"

namespace heddle::accuracy {

struct LabelledPage {
  std::string name;  // of the file, without extension
  std::string body;  // UTF-8
  Url url;
  boost::json::object labels;
  bool is_held_back =
      false;  // rules were not tuned on it: half of the pages, by the hash of the name
};

// The folder with the four sets; empty when it is missing.
std::string labelled_folder();

// Calls visit for each page of a set, sorted by name.
void each_page(std::string_view set, const std::function<void(const LabelledPage&)>& visit);

// A figure of the table: hits of total, on the tuned and on the held-back half.
struct Figure {
  double hits[2] = {0, 0};
  double total[2] = {0, 0};

  void add(const LabelledPage& page, double value) {
    hits[page.is_held_back ? 1 : 0] += value;
    total[page.is_held_back ? 1 : 0] += 1;
  }
  [[nodiscard]] double of(int half) const {
    return total[half] == 0 ? 0 : hits[half] / total[half];
  }
  [[nodiscard]] double all() const {
    const double pages = total[0] + total[1];
    return pages == 0 ? 0 : (hits[0] + hits[1]) / pages;
  }
};

// Precision and recall of one class or field.
struct Matches {
  double right[2] = {0, 0};
  double found[2] = {0, 0};
  double expected[2] = {0, 0};

  void add(const LabelledPage& page, bool is_found, bool is_expected, bool is_right) {
    const int half = page.is_held_back ? 1 : 0;
    right[half] += is_right ? 1 : 0;
    found[half] += is_found ? 1 : 0;
    expected[half] += is_expected ? 1 : 0;
  }
  [[nodiscard]] static double f1(double right, double found, double expected) {
    return found + expected == 0 ? 0 : 2 * right / (found + expected);
  }
  [[nodiscard]] double of(int half) const { return f1(right[half], found[half], expected[half]); }
  [[nodiscard]] double all() const {
    return f1(right[0] + right[1], found[0] + found[1], expected[0] + expected[1]);
  }
};

// One line: name, all pages, tuned half, held-back half, the least that is promised and the aim.
void print_row(std::string_view name, double all, double tuned, double held_back,
               std::string_view aim);

bool is_verbose();  // --verbose: every page that is wrong
void set_verbose(bool verbose);

void measure_products();
void measure_pagination();
void measure_types();
void measure_logins();
void measure_content();
void measure_listings();

}  // namespace heddle::accuracy
