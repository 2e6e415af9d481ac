#include "kernels/engines.h"

#include <catch2/catch.hpp>
#include <sstream>

namespace aiwc::test {
namespace {

/// A profile's JSON as if the interpreter had been asked for.
std::string withoutEngine(const std::string &json) {
  std::istringstream lines(json);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"engine_reason\": ") != std::string::npos)
      continue;
    if (const size_t engine = line.find("\"engine\": \"compiled\""); engine != std::string::npos)
      line.replace(engine, std::string::npos, "\"engine\": \"interpreter\",");
    text += line + "\n";
  }
  return text;
}

} // namespace

std::string requireSameProfile(const WrittenProfile &interpreted, const WrittenProfile &compiled) {
  const profile::Provenance &provenance = compiled.profile.provenance;
  INFO(compiled.name << ": " << provenance.engine << " " << provenance.engineReason);
  CHECK(interpreted.profile.provenance.engine == "interpreter");
  CHECK(interpreted.name == compiled.name);
  CHECK(withoutEngine(interpreted.json) == withoutEngine(compiled.json));
  CHECK((provenance.engine == "interpreter") == !provenance.engineReason.empty());
  return provenance.engine;
}

} // namespace aiwc::test
