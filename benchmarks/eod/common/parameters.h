#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming)
class App;      // its headers take longer to compile than an application
class Option;
} // namespace CLI

namespace aiwc::eod {

/// An option on the command line. A handle: copies are the same option.
class Parameter {
public:
  explicit Parameter(CLI::Option *option) : option_(option) {}

  /// Cannot be combined with --size, which sets it as well.
  Parameter excludesSize() const;
  /// Cannot be combined with `other`.
  Parameter excludes(Parameter other) const;
  /// --help shows the variable's current value as the default.
  Parameter showDefault() const;
  Parameter oneOf(const std::vector<std::string> &words) const;
  /// A list, "1,2,3".
  Parameter separatedByCommas() const;
  /// A list of so many values.
  Parameter expected(int values) const;

private:
  CLI::Option *option_;
};

/// The options that an application adds to those that all have. `names` are "-n,--points"; a value
/// that is not of the variable's type or does not fit becomes a UsageError.
class Parameters {
public:
  explicit Parameters(CLI::App &cli) : cli_(&cli) {}

  Parameter add(const std::string &names, uint32_t &value, const std::string &help = "");
  Parameter add(const std::string &names, double &value, const std::string &help = "");
  Parameter add(const std::string &names, float &value, const std::string &help = "");
  Parameter add(const std::string &names, std::string &value, const std::string &help = "");
  Parameter add(const std::string &names, std::optional<uint32_t> &value,
                const std::string &help = "");
  Parameter add(const std::string &names, std::optional<double> &value,
                const std::string &help = "");
  Parameter add(const std::string &names, std::vector<uint32_t> &value,
                const std::string &help = "");
  /// `use` gets the text, and may throw UsageError.
  Parameter add(const std::string &names, const std::function<void(const std::string &)> &use,
                const std::string &help = "");

private:
  CLI::App *cli_;
};

} // namespace aiwc::eod
