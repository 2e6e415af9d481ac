#include "predict/device_measurements_json.h"

#include "text/json_text.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace aiwc::predict {

using text::childPath;
using text::JsonMember;
using text::JsonValue;

namespace {

// Beyond these, a number is a mistake. Together they keep products and quotients finite.
constexpr double kLeast = 1e-9;
constexpr double kMost = 1e12;
constexpr double kMostBytes = 1e18;
constexpr double kMostSpread = 1e9; // on a busy machine, a median may be off by thousands

} // namespace

const std::string &MeasurementsReader::printableText(const JsonValue &value,
                                                     std::string_view path) const {
  const std::string &result = text(value, path);
  if (result.find_first_not_of(' ') == std::string::npos)
    document().fail(value, fmt::format("{} is empty: expected text", path));
  if (text::printable(result, SIZE_MAX) != result)
    document().fail(value, fmt::format("{} has control characters: expected a line of text", path));
  return result;
}

double MeasurementsReader::number(const JsonValue &value, std::string_view path, double minimum,
                                  double maximum) const {
  const auto *integer = std::get_if<uint64_t>(&value.value);
  const auto *real = std::get_if<double>(&value.value);
  const std::string expected = fmt::format("{:g} to {:g}", minimum, maximum);
  if (!integer && !real)
    wrong(value, path, expected);
  const double number = integer ? static_cast<double>(*integer) : *real;
  if (!(number >= minimum && number <= maximum))
    document().fail(value, fmt::format("{} is {}: expected {}", path, number, expected));
  return number;
}

double MeasurementsReader::numberIn(const JsonValue &parent, std::string_view path,
                                    std::string_view key, double minimum, double maximum) const {
  return number(required(parent, path, key), childPath(path, key), minimum, maximum);
}

std::optional<double> MeasurementsReader::spreadIfAny(const JsonValue &parent,
                                                      std::string_view path) const {
  for (const JsonMember &member : object(parent, path))
    if (member.key == "spread")
      return number(member.value, childPath(path, "spread"), 0, kMostSpread);
  return std::nullopt;
}

void MeasurementsReader::only(const JsonValue &value, std::string_view path,
                              std::initializer_list<std::string_view> keys) const {
  for (const JsonMember &member : object(value, path))
    if (std::ranges::find(keys, member.key) == keys.end())
      unknown(member, path, "one of the keys in docs/devices.md");
}

const JsonValue::Array &MeasurementsReader::someOf(const JsonValue &value,
                                                   std::string_view path) const {
  const JsonValue::Array &elements = array(value, path);
  if (elements.empty())
    document().fail(value, fmt::format("{} is empty: expected one element or more", path));
  return elements;
}

std::vector<Figure> MeasurementsReader::figuresIn(const JsonValue &value,
                                                  std::string_view path) const {
  const JsonValue::Object &members = object(value, path);
  for (const JsonMember &member : members)
    if (std::ranges::find(figures(), member.key, &FigureInfo::key) == figures().end())
      unknown(member, path, "one of the figures in docs/devices.md");
  std::vector<Figure> result;
  for (const FigureInfo &info : figures()) {
    const auto member = std::ranges::find(members, info.key, &JsonMember::key);
    if (member == members.end())
      continue;
    const std::string figurePath = childPath(path, info.key);
    only(member->value, figurePath, {"value", "spread"});
    result.push_back({info.key, numberIn(member->value, figurePath, "value", kLeast, kMost),
                      numberIn(member->value, figurePath, "spread", 0, kMostSpread)});
  }
  return result;
}

Curve MeasurementsReader::curve(const JsonValue &value, std::string_view path,
                                std::string_view unit) const {
  Curve result;
  for (const JsonValue &element : array(value, path)) {
    const std::string point = fmt::format("{}[{}]", path, result.size());
    only(element, point, {"bytes", unit, "spread"});
    const double bytes = numberIn(element, point, "bytes", 1, kMostBytes);
    if (!result.empty() && bytes <= result.back().bytes)
      document().fail(element, fmt::format("{}.bytes is {}: expected more than before, {}", point,
                                           bytes, result.back().bytes));
    result.push_back({bytes, numberIn(element, point, unit, kLeast, kMost),
                      numberIn(element, point, "spread", 0, kMostSpread)});
  }
  return result;
}

std::vector<IdiomCurve> MeasurementsReader::idioms(const JsonValue &value,
                                                   std::string_view path) const {
  std::vector<IdiomCurve> result;
  for (const JsonMember &member : object(value, path)) {
    const auto idiom = idiomOf(member.key);
    if (!idiom)
      unknown(member, path, "one of the idioms in docs/devices.md");
    const std::string idiomPath = childPath(path, member.key);
    only(member.value, idiomPath, {"error", "points"});
    const JsonValue &points = required(member.value, idiomPath, "points");
    const std::string pointsPath = childPath(idiomPath, "points");
    someOf(points, pointsPath);
    result.push_back({*idiom, curve(points, pointsPath, "gb_per_s"),
                      numberIn(member.value, idiomPath, "error", 0, kMost)});
  }
  std::ranges::sort(result, {}, &IdiomCurve::idiom);
  return result;
}

TransferCurve MeasurementsReader::transfer(const JsonValue &value, std::string_view path) const {
  only(value, path, {"error", "pieces", "points"});
  TransferCurve result;
  result.error = numberIn(value, path, "error", 0, kMost);
  const std::string piecesPath = childPath(path, "pieces");
  for (const JsonValue &element : someOf(required(value, path, "pieces"), piecesPath)) {
    const std::string piece = fmt::format("{}[{}]", piecesPath, result.pieces.size());
    only(element, piece, {"from_bytes", "latency_us", "gb_per_s"});
    const double from = numberIn(element, piece, "from_bytes", 0, kMostBytes);
    if (result.pieces.empty() ? from != 0 : from <= result.pieces.back().fromBytes)
      document().fail(element, fmt::format("{}.from_bytes is {}: expected {}", piece, from,
                                           result.pieces.empty() ? "0 in the first piece"
                                                                 : "more than before"));
    result.pieces.push_back({from, numberIn(element, piece, "latency_us", 0, kMost),
                             numberIn(element, piece, "gb_per_s", kLeast, kMost)});
  }
  const JsonValue &points = required(value, path, "points");
  const std::string pointsPath = childPath(path, "points");
  someOf(points, pointsPath);
  result.points = curve(points, pointsPath, "us");
  return result;
}

void MeasurementsReader::transfers(const JsonValue &value, std::string_view path,
                                   DeviceMeasurements &measurements) const {
  only(value, path, {"to_device", "to_host"});
  for (const JsonMember &member : object(value, path)) {
    auto &direction = member.key == "to_device" ? measurements.toDevice : measurements.toHost;
    direction = transfer(member.value, childPath(path, member.key));
  }
}

DeviceMeasurements MeasurementsReader::measurements(const JsonValue &value,
                                                    std::string_view path) const {
  only(value, path,
       {"by", "device", "driver", "figures", "bandwidth", "latency", "idioms", "transfers",
        "missing"});
  const auto line = [&](std::string_view key) {
    return printableText(required(value, path, key), childPath(path, key));
  };
  DeviceMeasurements result;
  result.by = line("by");
  result.device = line("device");
  result.driver = line("driver");
  for (const JsonMember &member : object(value, path)) {
    const std::string memberPath = childPath(path, member.key);
    if (member.key == "figures")
      result.figures = figuresIn(member.value, memberPath);
    if (member.key == "bandwidth")
      result.bandwidth = curve(member.value, memberPath, "gb_per_s");
    if (member.key == "latency")
      result.latency = curve(member.value, memberPath, "ns");
    if (member.key == "idioms")
      result.idioms = idioms(member.value, memberPath);
    if (member.key == "transfers")
      transfers(member.value, memberPath, result);
    if (member.key == "missing")
      for (const JsonValue &element : array(member.value, memberPath))
        result.missing.push_back(
            printableText(element, fmt::format("{}[{}]", memberPath, result.missing.size())));
  }
  return result;
}

namespace {

/// `elements` on a line each, between the brackets of an array or object.
std::string lines(const std::vector<std::string> &elements, std::string_view brackets,
                  size_t indent) {
  std::string text(1, brackets[0]);
  for (const std::string &element : elements)
    text += fmt::format("{}\n{:{}}{}", text.size() > 1 ? "," : "", "", indent + 2, element);
  if (!elements.empty())
    text += fmt::format("\n{:{}}", "", indent);
  return text + brackets[1];
}

std::string curveJson(const Curve &curve, std::string_view unit, size_t indent) {
  std::vector<std::string> points;
  for (const CurvePoint &point : curve)
    points.push_back(fmt::format(R"({{"bytes": {}, "{}": {}, "spread": {}}})", point.bytes, unit,
                                 point.value, point.spread));
  return lines(points, "[]", indent);
}

std::string transferJson(const TransferCurve &transfer) {
  std::vector<std::string> pieces;
  for (const TransferPiece &piece : transfer.pieces)
    pieces.push_back(fmt::format(R"({{"from_bytes": {}, "latency_us": {}, "gb_per_s": {}}})",
                                 piece.fromBytes, piece.latencyMicros, piece.gbPerS));
  return lines({fmt::format("\"error\": {}", transfer.error),
                fmt::format("\"pieces\": {}", lines(pieces, "[]", 8)),
                fmt::format("\"points\": {}", curveJson(transfer.points, "us", 8))},
               "{}", 6);
}

} // namespace

std::string measurementsJson(const DeviceMeasurements &measurements) {
  std::vector<std::string> members = {
      fmt::format("\"by\": {}", text::jsonString(measurements.by)),
      fmt::format("\"device\": {}", text::jsonString(measurements.device)),
      fmt::format("\"driver\": {}", text::jsonString(measurements.driver))};
  const auto add = [&](std::string_view key, const std::string &json) {
    if (json.size() > 2) // neither {} nor []
      members.push_back(fmt::format("\"{}\": {}", key, json));
  };
  std::vector<std::string> elements;
  for (const Figure &figure : measurements.figures)
    elements.push_back(fmt::format(R"("{}": {{"value": {}, "spread": {}}})", figure.key,
                                   figure.value, figure.spread));
  add("figures", lines(elements, "{}", 4));
  add("bandwidth", curveJson(measurements.bandwidth, "gb_per_s", 4));
  add("latency", curveJson(measurements.latency, "ns", 4));
  elements.clear();
  for (const IdiomCurve &curve : measurements.idioms)
    elements.push_back(
        fmt::format("\"{}\": {}", toString(curve.idiom),
                    lines({fmt::format("\"error\": {}", curve.error),
                           fmt::format("\"points\": {}", curveJson(curve.points, "gb_per_s", 8))},
                          "{}", 6)));
  add("idioms", lines(elements, "{}", 4));
  elements.clear();
  if (measurements.toDevice)
    elements.push_back("\"to_device\": " + transferJson(*measurements.toDevice));
  if (measurements.toHost)
    elements.push_back("\"to_host\": " + transferJson(*measurements.toHost));
  add("transfers", lines(elements, "{}", 4));
  elements.clear();
  for (const std::string &reason : measurements.missing)
    elements.push_back(text::jsonString(reason));
  add("missing", lines(elements, "[]", 4));
  return lines(members, "{}", 2);
}

} // namespace aiwc::predict
