/// libFuzzer: any bytes as a device profile. Nothing but aiwc::Error may come out; a device that
/// was read is the same when it is written and read again, and its curves have finite values.
#include "predict/device_json.h"
#include "round_trip.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace {

using namespace aiwc;

std::optional<predict::DeviceProfile> deviceIn(std::string_view text) {
  try {
    return predict::deviceFromJson(text, "fuzz.json");
  } catch (const Error &error) {
    fuzz::require(std::string_view(error.what()).find('\n') == std::string_view::npos);
    return std::nullopt;
  }
}

void requirePositive(double value) {
  fuzz::require(std::isfinite(value) && value >= 0);
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto device = deviceIn({reinterpret_cast<const char *>(data), size});
  if (!device)
    return 0;
  if (device->measurements)
    for (const double bytes : {1.0, 4096.0, 1e6, 1e18}) {
      for (const predict::IdiomCurve &curve : device->measurements->idioms) {
        requirePositive(curve.bandwidthAt(bytes));
        requirePositive(predict::interpolationError(curve.points));
      }
      for (const auto &transfer : {device->measurements->toDevice, device->measurements->toHost})
        if (transfer)
          requirePositive(transfer->microsAt(bytes));
    }
  const std::string written = predict::toJson(*device);
  const auto again = deviceIn(written);
  fuzz::require(again && predict::toJson(*again) == written);
  return 0;
}
