#include "eod/common/parameters.h"

#include <CLI/CLI.hpp>

namespace aiwc::eod {

Parameter Parameter::excludesSize() const {
  return Parameter(option_->excludes("--size"));
}

Parameter Parameter::excludes(Parameter other) const {
  return Parameter(option_->excludes(other.option_));
}

Parameter Parameter::showDefault() const {
  return Parameter(option_->capture_default_str());
}

Parameter Parameter::oneOf(const std::vector<std::string> &words) const {
  return Parameter(option_->check(CLI::IsMember(words)));
}

Parameter Parameter::separatedByCommas() const {
  return Parameter(option_->delimiter(','));
}

Parameter Parameter::expected(int values) const {
  return Parameter(option_->expected(values));
}

Parameter Parameters::add(const std::string &names, uint32_t &value, const std::string &help) {
  return Parameter(cli_->add_option(names, value, help));
}

Parameter Parameters::add(const std::string &names, double &value, const std::string &help) {
  return Parameter(cli_->add_option(names, value, help));
}

Parameter Parameters::add(const std::string &names, float &value, const std::string &help) {
  return Parameter(cli_->add_option(names, value, help));
}

Parameter Parameters::add(const std::string &names, std::string &value, const std::string &help) {
  return Parameter(cli_->add_option(names, value, help));
}

Parameter Parameters::add(const std::string &names, std::optional<uint32_t> &value,
                          const std::string &help) {
  return Parameter(cli_->add_option(names, value, help));
}

Parameter Parameters::add(const std::string &names, std::optional<double> &value,
                          const std::string &help) {
  return Parameter(cli_->add_option(names, value, help));
}

Parameter Parameters::add(const std::string &names, std::vector<uint32_t> &value,
                          const std::string &help) {
  return Parameter(cli_->add_option(names, value, help));
}

Parameter Parameters::add(const std::string &names,
                          const std::function<void(const std::string &)> &use,
                          const std::string &help) {
  return Parameter(cli_->add_option_function<std::string>(names, use, help));
}

} // namespace aiwc::eod
