/// Finds the word that a user probably meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace aiwc {

/// Levenshtein distance: the number of characters to insert, delete or replace.
size_t editDistance(std::string_view a, std::string_view b);

/// The most distant spelling of a word of `length` characters that is still taken for it: a third
/// of its characters, two at least.
size_t tolerableDistance(size_t length);

/// Of `words`, the one that is closest to `word`, the first of several; empty if none is within the
/// tolerable distance.
std::string closestWord(std::string_view word, std::span<const std::string> words);

} // namespace aiwc
