#include "eod/runner/json.h"

#include <cerrno>
#include <fstream>
#include <sstream>

namespace aiwc::eod {

Json readJson(const std::filesystem::path &file) {
  std::ifstream stream(file);
  if (!stream)
    throw Error(withReason(file.string() + ": cannot be read", errno));
  try {
    return Json::parse(stream);
  } catch (const Json::parse_error &error) {
    throw Error(file.string() + ": " + error.what() + ": expected JSON");
  }
}

std::string dump(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace aiwc::eod
