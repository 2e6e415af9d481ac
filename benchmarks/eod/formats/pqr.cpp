#include "eod/formats/pqr.h"

#include "eod/formats/input_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <string_view>

namespace aiwc::eod {
namespace {

/// A line that is longer belongs to something else than a PQR file.
constexpr size_t kLongestPqrLine = 4096;
/// Record, serial number, atom, residue and residue number come before the five numbers.
constexpr size_t kFieldsBefore = 5;
/// Of any atom; those of force fields are below 3.
constexpr float kLargestRadius = 100;
constexpr float kLargestCharge = 1000;

class PqrReader {
public:
  PqrReader(const std::string &path, const PqrLimits &limits)
      : file_(path, "a PQR file"), limits_(limits) {}

  std::vector<PqrAtom> read() {
    for (std::string line; file_.nextLine(line, kLongestPqrLine); ++file_.line) {
      const std::vector<std::string_view> words = fields(line);
      if (!words.empty() && (words[0] == "ATOM" || words[0] == "HETATM"))
        addAtom(words);
    }
    if (atoms_.empty())
      file_.fail("the file ends without an atom", "ATOM or HETATM records");
    return std::move(atoms_);
  }

private:
  void addAtom(const std::vector<std::string_view> &words) {
    if (words.size() < kFieldsBefore + 5)
      file_.fail(
          fmt::format("{} fields", words.size()),
          fmt::format("{} or more, the last five x, y, z, charge and radius", kFieldsBefore + 5));
    if (atoms_.size() == limits_.atoms)
      file_.fail("too many atoms", fmt::format("at most {}", limits_.atoms));
    const auto *last = &words[words.size() - 5];
    atoms_.push_back({number(last[0], "x", -limits_.coordinate, limits_.coordinate),
                      number(last[1], "y", -limits_.coordinate, limits_.coordinate),
                      number(last[2], "z", -limits_.coordinate, limits_.coordinate),
                      number(last[3], "charge", -kLargestCharge, kLargestCharge),
                      number(last[4], "radius", 0, kLargestRadius)});
  }

  float number(std::string_view word, const char *what, float low, float high) const {
    std::string_view digits = word;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-')
      digits.remove_prefix(1);
    float value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool complete = error == std::errc{} && end == digits.data() + digits.size();
    if (!complete || !(value >= low && value <= high))
      file_.fail(fmt::format("{} '{}'", what, printable(word)),
                 fmt::format("a number from {} to {}", low, high));
    return value;
  }

  InputFile file_;
  const PqrLimits limits_;
  std::vector<PqrAtom> atoms_;
};

} // namespace

std::vector<PqrAtom> readPqr(const std::string &path, const PqrLimits &limits) {
  return PqrReader(path, limits).read();
}

} // namespace aiwc::eod
