/// Converts the values of options between text, as a user writes it on the command line or in an
/// environment variable, and C++ types.
#pragma once

#include "common/error.h"
#include "session/options.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc {

/// The text of a value that the user gave, and the words for an error message about it.
struct GivenValue {
  std::string_view text;
  std::string_view name;     ///< of the flag or the variable that the user wrote
  std::string_view expected; ///< description of the valid values

  /// `<name> is '<text>': expected <expected><detail>`.
  Error wrong(const std::string &detail = "") const;
};

// Each of these functions throws given.wrong() if the text is invalid.

/// 0 or 1.
bool parseSwitch(const GivenValue &given);
/// A path; a relative one is made absolute from the current folder.
std::filesystem::path parseFolder(const GivenValue &given);
/// The text itself, if there is one.
std::string parseText(const GivenValue &given);
/// The text itself, if it is a list of names or patterns, none of them empty.
std::string parseNames(const GivenValue &given);
/// `A`, `A-`, `-B` or `A-B`, 0 <= A <= B < 2^64, and, if it is no single invocation, `/N` after it,
/// N >= 1; or `/N`.
InvocationSelection parseInvocations(const GivenValue &given);
/// A power of two from 32 to 256.
std::uint32_t parseLineSize(const GivenValue &given);
/// A whole number from 1 to 2^64 - 1.
std::uint64_t parseSampleGroups(const GivenValue &given);
Accuracy parseAccuracy(const GivenValue &given);
/// In seconds: 0, or a number that is not negative with the unit `s`, `m`, `min` or `h`.
double parseBudget(const GivenValue &given);
/// 1.2 or 3.0.
std::string parseOpenClVersion(const GivenValue &given);
/// `KERNEL=AxBxC[,KERNEL=A...]`: one to three sizes per kernel, each at least 1, with a product of
/// at most 1024; no kernel twice.
std::vector<LocalSize> parseLocalSizes(const GivenValue &given);
/// kNoCache, or as parseFolder.
std::filesystem::path parseCache(const GivenValue &given);
EngineChoice parseEngine(const GivenValue &given);
/// A whole number from 1 to 256.
std::uint32_t parseThreads(const GivenValue &given);

// Each of these returns the text that the parser of the same type reads as `value`.
std::string valueText(bool value);
std::string valueText(const std::string &value);
std::string valueText(const std::filesystem::path &value);
std::string valueText(const InvocationSelection &value);
std::string valueText(std::uint32_t value);
std::string valueText(std::uint64_t value);
std::string valueText(double value); ///< of seconds
std::string valueText(EngineChoice value);
std::string valueText(const Accuracy &value);
std::string valueText(const std::vector<LocalSize> &value);

} // namespace aiwc
