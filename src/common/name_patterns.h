/// Selects names as a shell selects files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aiwc {

/// Whether `pattern` describes the whole of `name`: `*` stands for any characters or none, `?` for
/// one character, everything else for itself. Takes time in proportion to the product of the
/// lengths, at most.
bool matchesPattern(std::string_view name, std::string_view pattern);

/// Names and patterns of names.
class NamePatterns {
public:
  /// What `expected` of an option with such a list says.
  static constexpr std::string_view kExpected =
      "names or patterns with * and ?, separated by commas";

  /// Selects every name.
  NamePatterns() = default;
  /// `list` has names or patterns, separated by commas outside of <> and (), as in `f<int, 4>,g`;
  /// if it is empty, every name is selected.
  explicit NamePatterns(std::string_view list);

  /// Whether one of the patterns matches.
  bool selects(std::string_view name) const;
  bool selectsAll() const { return patterns_.empty(); }
  /// The name, if the list is a single one without `*` and `?`; otherwise empty.
  std::string singleName() const;
  /// Whether the list has an empty name, as in "a,,b".
  bool hasEmptyName() const;

private:
  std::vector<std::string> patterns_;
};

} // namespace aiwc
