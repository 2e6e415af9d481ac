/// The device that an application sees, for the preloaded library only.
#pragma once

#include "device_questions.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aiwc::plugin {

/// Answers for the device that the launcher describes in the environment
/// (apps/launcher/characterise.cpp), and notes what was asked. Oclgrind answers the questions that
/// the description does not cover, and those about limits that it enforces: compute units, local
/// memory, work-items.
class SimulatedDevice {
public:
  /// Reads AIWC_DEVICE, `key=number` with blanks between them, and AIWC_DEVICE_NAME. Without them
  /// Oclgrind answers everything.
  SimulatedDevice();

  /// Notes the question. `oclgrinds`: Oclgrind's own answer to CL_DEVICE_EXTENSIONS. Returns the
  /// bytes of the answer; none if Oclgrind is to give it.
  std::optional<std::string> answer(cl_uint parameter, std::string_view oclgrinds = "");
  /// Notes which types of device the application looks for.
  void soughtTypes(cl_device_type types) noexcept { sought_ |= types; }

  /// Bit i: kQuestions[i] was asked.
  uint64_t asked() const noexcept { return asked_; }

private:
  std::optional<uint64_t> number(std::string_view key) const;
  cl_device_type type() const;
  /// The number of elements in a vector register; none, for Oclgrind's answer, if the device has no
  /// such registers.
  std::optional<std::string> lanes(uint64_t elementBytes) const;

  std::string numbers_, name_;
  std::atomic<cl_device_type> sought_ = 0;
  std::atomic<uint64_t> asked_ = 0;
};

} // namespace aiwc::plugin
