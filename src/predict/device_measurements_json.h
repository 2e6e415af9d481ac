/// The measurements of a device in its JSON file; docs/devices.md describes them.
#pragma once

#include "predict/device_measurements.h"
#include "text/json_reader.h"

#include <optional>
#include <string>
#include <string_view>

namespace aiwc::predict {

/// Reads measurements within a document. Each function throws Error, with the position, for a value
/// that is not as device_measurements.h says, and for an unknown key; `path` names the value.
class MeasurementsReader : protected text::JsonReader {
public:
  using JsonReader::JsonReader;

protected:
  DeviceMeasurements measurements(const text::JsonValue &value, std::string_view path) const;
  /// The member `spread` of the object; none if it has none.
  std::optional<double> spreadIfAny(const text::JsonValue &object, std::string_view path) const;
  /// A non-empty text without control characters, so that it does not break tables.
  const std::string &printableText(const text::JsonValue &value, std::string_view path) const;

private:
  double number(const text::JsonValue &value, std::string_view path, double minimum,
                double maximum) const;
  /// The member `key` of `parent`, in that range.
  double numberIn(const text::JsonValue &parent, std::string_view path, std::string_view key,
                  double minimum, double maximum) const;
  void only(const text::JsonValue &value, std::string_view path,
            std::initializer_list<std::string_view> keys) const;
  const text::JsonValue::Array &someOf(const text::JsonValue &value, std::string_view path) const;
  std::vector<Figure> figuresIn(const text::JsonValue &value, std::string_view path) const;
  Curve curve(const text::JsonValue &value, std::string_view path, std::string_view unit) const;
  std::vector<IdiomCurve> idioms(const text::JsonValue &value, std::string_view path) const;
  TransferCurve transfer(const text::JsonValue &value, std::string_view path) const;
  void transfers(const text::JsonValue &value, std::string_view path,
                 DeviceMeasurements &measurements) const;
};

/// The JSON object that MeasurementsReader reads, as a member of the document's object.
std::string measurementsJson(const DeviceMeasurements &measurements);

} // namespace aiwc::predict
