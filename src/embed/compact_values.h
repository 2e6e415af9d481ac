/// Reads the compact form: a sequence of words `KEY=VALUE`, followed by a checksum of all of them.
/// All functions throw Error, `KEY is VALUE: expected ...`.
#pragma once

#include "embed/compact_fields.h"
#include "embed/compact_histogram.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

struct Token {
  std::string_view key, value;
};

/// Throws Error, `KEY is VALUE: expected EXPECTED`.
[[noreturn]] void wrong(const Token &token, std::string_view expected);

/// Removes the next token from `text`, together with the white space before it. The key is empty at
/// the end of `text`.
Token takeToken(std::string_view &text);

/// The words of `text` with one space between them, whatever white space separates them there.
/// Throws Error unless the last word is the checksum of the words before it. O(length).
std::string checkedWords(std::string_view text);

/// A name; it may contain any bytes.
std::string nameIn(const Token &token);
uint64_t countIn(const Token &token);
/// Finite and not negative.
double realIn(const Token &token);
/// Reads one to three sizes and returns their number; the other elements of `size` become
/// `missing`.
uint32_t sizeIn(const Token &token, profile::Size3 &size, uint64_t missing);

/// Sets the metrics of `list`.
void readMetrics(const MetricList &list, const Token &token, profile::KernelProfile &profile);
/// Appends level widths. They must increase.
void readLevels(const Token &token, profile::Histogram &levels);
/// Appends ranges. They are not checked here: `expandReuse` does that.
void readReuse(const Token &token, std::vector<ReuseRange> &ranges);

} // namespace aiwc::embed
