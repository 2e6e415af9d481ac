#include "plot.h"

#include "command.h"
#include "inputs.h"
#include "measure/curves.h"
#include "output.h"
#include "text/text.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;
using predict::DeviceMeasurements;
using predict::DeviceProfile;
using predict::Parameter;

/// A line of a diagram: gnuplot's `plot` element without its data, and rows of numbers.
struct Element {
  std::string style; ///< "title 'x' with lines"
  std::vector<std::pair<double, double>> rows;
};

/// Colours that people who see few of them can tell apart, also in grey.
constexpr std::array kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                 "#56B4E9", "#E69F00", "#000000", "#777777"};

std::string colour(size_t index) {
  return fmt::format("lc rgb '{}'", kColours[index % kColours.size()]);
}

/// Points that are joined, in a colour and shape of their own.
std::string joinedPoints(const std::string &title, size_t index) {
  constexpr std::array kShapes = {7, 5, 9, 11, 13, 6, 4, 8};
  return fmt::format("title '{}' with linespoints {} lw 1.6 pt {} ps 0.6", title, colour(index),
                     kShapes[index % kShapes.size()]);
}

/// `text` inside gnuplot's single quotes.
std::string quoted(const std::string &text) {
  std::string result;
  for (const char c : text::printable(text, 200))
    result += c == '\'' ? "''" : std::string(1, c);
  return result;
}

std::string plotOf(const std::vector<Element> &elements) {
  std::string text;
  for (const Element &element : elements)
    text += fmt::format("{} '-' {}", text.empty() ? "plot" : ",", element.style);
  text += "\n";
  for (const Element &element : elements) {
    for (const auto &[x, y] : element.rows)
      text += fmt::format("{:.6g} {:.6g}\n", x, y);
    text += "e\n";
  }
  return text;
}

std::vector<std::pair<double, double>> rowsOf(const predict::Curve &curve) {
  std::vector<std::pair<double, double>> rows;
  for (const predict::CurvePoint &point : curve)
    rows.emplace_back(point.bytes, point.value);
  return rows;
}

/// The axis of sizes, with marks at powers of two.
std::string bytesAxis(const std::string &label, double from, double to, double mostMarks = 6) {
  double step = 4;
  while (std::log2(to / from) / std::log2(step) > mostMarks)
    step *= 2;
  std::string marks;
  const int count = static_cast<int>(std::log(to / from) / std::log(step) + 1e-9) + 1;
  for (int i = 0; i < count; ++i) {
    const double bytes = from * std::pow(step, i);
    marks += fmt::format("{}'{}' {}", marks.empty() ? "" : ", ",
                         text::formatBytes(static_cast<uint64_t>(bytes)), bytes);
  }
  return fmt::format("set logscale x 2\nset xlabel '{}'\nset xtics ({})\nset xrange [{}:{}]\n",
                     label, marks, from, to);
}

/// The powers of two around the sizes of the curves.
std::pair<double, double> around(const std::vector<const predict::Curve *> &curves) {
  double least = 1e300;
  double most = 0;
  for (const predict::Curve *curve : curves) {
    least = std::min(least, curve->front().bytes);
    most = std::max(most, curve->back().bytes);
  }
  return {std::exp2(std::floor(std::log2(least))), std::exp2(std::ceil(std::log2(most * 1.001)))};
}

std::string decades(const std::string &label) {
  return fmt::format("set logscale y 10\nset ylabel '{}'\nset yrange [*:*]\n", label);
}

std::string idiomDiagram(const DeviceMeasurements &measured) {
  std::vector<Element> elements;
  std::vector<const predict::Curve *> curves;
  for (const predict::IdiomCurve &curve : measured.idioms) {
    std::string name(toString(curve.idiom));
    std::ranges::replace(name, '_', ' ');
    elements.push_back({joinedPoints(name, elements.size()), rowsOf(curve.points)});
    curves.push_back(&curve.points);
  }
  const auto [from, to] = around(curves);
  return "set title 'Idioms: bandwidth'\nset key outside right center\n" +
         bytesAxis("footprint", from, to, 3) + decades("GB/s") + plotOf(elements);
}

std::string latencyDiagram(const DeviceMeasurements &measured) {
  std::vector<Element> elements = {{joinedPoints("a dependent load", 0), rowsOf(measured.latency)}};
  const std::vector<measure::Level> levels = measure::levelsOf(measured.latency);
  const auto [from, to] = around({&measured.latency});
  double begin = from;
  for (size_t i = 0; i < levels.size(); ++i) {
    const bool memory = i + 1 == levels.size();
    elements.push_back(
        {fmt::format("title '{}{:.3g} ns' with lines {} lw 2 dt 2",
                     memory
                         ? "memory: "
                         : "to " + text::formatBytes(static_cast<uint64_t>(levels[i].bytes)) + ": ",
                     levels[i].value, colour(i + 1)),
         {{begin, levels[i].value}, {memory ? to : levels[i].bytes, levels[i].value}}});
    begin = levels[i].bytes;
  }
  return "set title 'Latency'\nset key inside top left reverse Left\n" +
         bytesAxis("working set", from, to) + decades("ns") + plotOf(elements);
}

std::string transferDiagram(const DeviceMeasurements &measured) {
  std::vector<Element> elements;
  std::vector<const predict::Curve *> curves;
  size_t index = 0;
  for (const auto &[name, transfer] : {std::pair("host to device", &measured.toDevice),
                                       std::pair("device to host", &measured.toHost)}) {
    const size_t number = index++;
    if (!*transfer)
      continue;
    const predict::TransferCurve &curve = **transfer;
    curves.push_back(&curve.points);
    const double last = curve.pieces.back().gbPerS;
    elements.push_back({fmt::format("title '{}' with points {} pt {} ps 0.7", name, colour(number),
                                    number == 0 ? 7 : 4),
                        rowsOf(curve.points)});
    Element fit{fmt::format("title 'fit: {:.3g} us, up to {:.3g} GB/s' with lines {} lw 1.6",
                            curve.pieces.front().latencyMicros, last, colour(number)),
                {}};
    const double begin = curve.points.front().bytes;
    const double ratio = curve.points.back().bytes / begin;
    constexpr int kSteps = 200;
    for (int i = 0; i <= kSteps; ++i) {
      const double bytes = begin * std::pow(ratio, static_cast<double>(i) / kSteps);
      fit.rows.emplace_back(bytes, curve.microsAt(bytes));
    }
    elements.push_back(std::move(fit));
  }
  const auto [from, to] = around(curves);
  return "set title 'Transfers'\nset key inside top left reverse Left\n" +
         bytesAxis("size", from, to) + decades("us") + plotOf(elements);
}

bool hasRoofline(const DeviceProfile &device) {
  return device.has(Parameter::kCores) && device.has(Parameter::kDramBandwidth) &&
         (device.has(Parameter::kFp32Rate) || device.has(Parameter::kFp64Rate));
}

/// Four digits, without an exponent.
std::string figure(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string rooflineDiagram(const DeviceProfile &device) {
  constexpr double kFrom = 1.0 / 64;
  constexpr double kTo = 256;
  std::vector<Element> elements;
  double highest = 0;
  for (const auto &[name, rate] : {std::pair("single precision", Parameter::kFp32Rate),
                                   std::pair("double precision", Parameter::kFp64Rate)}) {
    if (!device.has(rate))
      continue;
    const double peak = device[Parameter::kCores] * device[rate];
    highest = std::max(highest, peak);
    const double ridge = peak / device[Parameter::kDramBandwidth];
    elements.push_back({fmt::format("title '{}: {} GFLOP/s' with lines {} lw 2", name, figure(peak),
                                    colour(elements.size())),
                        {{std::clamp(ridge, kFrom, kTo), peak}, {kTo, peak}}});
  }
  for (const auto &[name, bandwidth] : {std::pair("memory", Parameter::kDramBandwidth),
                                        std::pair("caches", Parameter::kCacheBandwidth)}) {
    if (!device.has(bandwidth))
      continue;
    const double ridge = std::min(highest / device[bandwidth], kTo);
    const bool memory = bandwidth == Parameter::kDramBandwidth;
    elements.push_back(
        {fmt::format("title '{}: {} GB/s' with lines {} lw 2{}",
                     memory || device.type == predict::DeviceType::kCpu ? name : "fast memory",
                     figure(device[bandwidth]), colour(elements.size() + (memory ? 0 : 3)),
                     memory ? "" : " dt 2"),
         {{kFrom, kFrom * device[bandwidth]}, {ridge, ridge * device[bandwidth]}}});
  }
  return "set title 'Roofline'\nset key inside bottom right noreverse Right\nset logscale x 2\n"
         "set xlabel 'operations per byte'\n" +
         fmt::format("set xtics ('1/64' {0}, '1/16' 1.0/16, '1/4' 0.25, 1, 4, 16, 64, 256)\n"
                     "set xrange [{0}:{1}]\n",
                     kFrom, kTo) +
         decades("GFLOP/s") + plotOf(elements);
}

} // namespace

std::string plotCommands(const DeviceProfile &device, const std::string &format) {
  std::vector<std::string> diagrams;
  if (device.measurements) {
    const DeviceMeasurements &measured = *device.measurements;
    if (!measured.idioms.empty())
      diagrams.push_back(idiomDiagram(measured));
    if (!measured.latency.empty())
      diagrams.push_back(latencyDiagram(measured));
    if (measured.toDevice || measured.toHost)
      diagrams.push_back(transferDiagram(measured));
  }
  if (hasRoofline(device))
    diagrams.push_back(rooflineDiagram(device));
  if (diagrams.empty())
    throw Error(fmt::format("aiwc devices plot: device {} has neither peak rates and bandwidth nor "
                            "measurements: expected one of them",
                            device.id));
  const size_t columns = diagrams.size() == 1 ? 1 : 2;
  const size_t rows = (diagrams.size() + columns - 1) / columns;
  // Three pixels of PNG to two of SVG, which has no pixels.
  const size_t scale = format == "png" ? 3 : 2;
  const std::string terminal =
      format == "png" ? "pngcairo noenhanced fontscale 1.5 linewidth 1.5 pointscale 1.5"
                      : "svg noenhanced background '#ffffff' fontscale 1";
  std::string text = fmt::format(
      "set terminal {} size {},{} font 'sans,11'\n"
      "set encoding utf8\nset multiplot layout {},{} title '{}' font 'sans,13'\n"
      "set grid back lt 1 lc rgb '#cccccc' lw 0.5\nset border lw 0.8\nset tics nomirror\n"
      "set key samplen 2 spacing 1.1 font 'sans,9'\n",
      terminal, scale * 260 * columns, scale * 205 * rows + scale * 15, rows, columns,
      quoted(fmt::format("{} ({})", device.name, device.id)));
  for (const std::string &diagram : diagrams)
    text += diagram;
  return text + "unset multiplot\n";
}

namespace {

/// A folder that is deleted with everything in it.
class Scratch {
public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "aiwc_plot_XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw Error(fmt::format("aiwc devices plot: {}: no folder can be made there: expected a "
                              "folder for temporary files",
                              fs::temp_directory_path().string()));
    path_ = name;
  }
  ~Scratch() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  const fs::path &path() const { return path_; }

private:
  fs::path path_;
};

/// What gnuplot draws by these commands.
std::string drawn(const std::string &commands) {
  constexpr int kNotFound = 127; // the shell's
  const Scratch scratch;
  const fs::path script = scratch.path() / "commands";
  std::ofstream(script, std::ios::binary) << commands;
  setenv("AIWC_PLOT", script.c_str(), 1); // for the shell not to read the path
  FILE *pipe = popen("exec gnuplot \"$AIWC_PLOT\" 2>\"$AIWC_PLOT.err\"", "r");
  if (!pipe)
    throw Error("aiwc devices plot: gnuplot cannot be started: expected to start programs");
  std::string picture;
  std::array<char, 65536> part = {};
  for (size_t read = 0; (read = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
    picture.append(part.data(), read);
  const int status = pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound)
    throw Error("aiwc devices plot: no gnuplot: expected the program, as of the Debian package "
                "gnuplot-nox");
  if (status != 0 || picture.empty()) {
    std::ifstream file(script.string() + ".err");
    std::string line;
    while (line.find_first_not_of(" ^") == std::string::npos && std::getline(file, line)) {
    }
    throw Error(fmt::format("aiwc devices plot: gnuplot failed: {}: expected version 5 or later",
                            text::printable(line, 200)));
  }
  return picture;
}

} // namespace

void addPlot(Command devices) {
  struct Options {
    std::string id, output;
    std::vector<std::string> folders;
  };
  auto options = std::make_shared<Options>();
  Command plot = devices.subcommand("plot", "Draw a device: curves and roofline");
  plot.option("ID", &options->id, "The device's id").required();
  plot.option("-o,--output", &options->output,
              "File to write, .svg or .png; default: ID.svg in this folder")
      .type("FILE");
  addDeviceFolders(plot, options->folders);
  plot.examples({{"aiwc devices plot gtx1080", "writes gtx1080.svg"},
                 {"aiwc devices plot gtx1080 -o picture.png", ""}});
  plot.action([options] {
    const std::string file = options->output.empty() ? options->id + ".svg" : options->output;
    const std::string format = fs::path(file).extension().string();
    if (format != ".svg" && format != ".png")
      throw Error(
          fmt::format("aiwc devices plot: the output is \"{}\": expected a name that ends in "
                      ".svg or .png",
                      text::printable(file, 200)));
    const predict::DeviceLibrary library = loadDevices(options->folders);
    writeOutput(file, drawn(plotCommands(library[options->id], format.substr(1))));
  });
}

} // namespace aiwc::cli
