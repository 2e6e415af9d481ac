#include "kernels/engines.h"

#include "kernels/profile_text.h"

#include <catch2/catch.hpp>

namespace aiwc::test {

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
