#include "report/export.h"

#include "common/error.h"
#include "common/file.h"
#include "common/temporary_folder.h"
#include "processes/program.h"
#include "text/text.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

namespace aiwc::report {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLongest{60}; // of one start of the browser
constexpr std::array kBrowsers = {"chromium", "chromium-browser", "google-chrome"};

/// The first of kBrowsers in a folder of PATH.
fs::path browser() {
  const char *path = std::getenv("PATH");
  for (const char *name : kBrowsers)
    for (const std::string &folder : text::split(path ? path : "", ':'))
      if (fs::path file = fs::path(folder) / name;
          !folder.empty() && access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file))
        return file;
  throw Error("pictures are drawn by Chromium, which is not in PATH: expected it, as of the Debian "
              "package chromium");
}

void writeFile(const fs::path &file, std::string_view content) {
  std::ofstream stream(file, std::ios::binary);
  stream << content;
  if (!stream.flush())
    throw Error(
        fmt::format("{}: cannot be written: expected room for temporary files", file.string()));
}

/// Waits for the process group of `child` to end; kills it after kLongest. Returns its status.
int ended(pid_t child) {
  const auto end = std::chrono::steady_clock::now() + kLongest;
  int status = 0;
  for (;;) {
    const pid_t found = waitpid(child, &status, WNOHANG);
    if (found == child || (found < 0 && errno != EINTR))
      return status;
    if (std::chrono::steady_clock::now() > end) {
      kill(-child, SIGKILL);
      waitpid(child, nullptr, 0);
      throw Error(fmt::format("Chromium has not drawn the picture within {} s: expected it to end",
                              kLongest.count()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

/// What the browser writes on standard output for a page.
std::string browsed(const TemporaryFolder &scratch, const fs::path &page,
                    const std::string &fragment, const std::vector<std::string> &options) {
  const fs::path program = browser();
  const std::string home = scratch.path().string();
  const std::string output = (scratch.path() / "output").string();
  std::vector<std::string> words = {program.string(),       "--headless",
                                    "--disable-gpu",        "--disable-dev-shm-usage",
                                    "--disable-extensions", "--hide-scrollbars",
                                    "--no-first-run",       "--user-data-dir=" + home + "/browser"};
  if (geteuid() == 0)
    words.emplace_back("--no-sandbox"); // which refuses to start for root
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("file://" + page.string() + fragment);

  std::vector<std::string> variables = {"HOME=" + home, "XDG_CONFIG_HOME=" + home,
                                        "XDG_CACHE_HOME=" + home};
  for (char **one = environ; *one; ++one)
    if (const std::string_view text = *one; !text.starts_with("HOME=") && !text.starts_with("XDG_"))
      variables.emplace_back(text);
  const pid_t child = processes::start({.words = std::move(words),
                                        .failure = program.string() + " cannot be started",
                                        .input = "/dev/null",
                                        .output = output,
                                        .errors = "/dev/null",
                                        .environment = std::move(variables),
                                        .startsGroup = true}); // to end all of its processes
  const int status = ended(child);
  kill(-child, SIGKILL);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(fmt::format("{} has failed: expected a Chromium that starts with --headless",
                            program.string()));
  return readFileIfAny(output).value_or("");
}

/// The text between `begin` and `end`.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const size_t first = text.find(begin);
  if (first == std::string_view::npos)
    return {};
  text.remove_prefix(first + begin.size());
  return text.substr(0, text.find(end));
}

/// What encodeURIComponent of JavaScript has encoded.
std::string decoded(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char *code = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(code, code + 2, value, 16).ptr == code + 2) {
      result += static_cast<char>(value);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string encoded(std::string_view text) {
  std::string result;
  for (const char c : text)
    result += std::isalnum(static_cast<unsigned char>(c)) != 0
                  ? std::string(1, c)
                  : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return result;
}

std::string svgOf(const TemporaryFolder &scratch, std::string_view page, std::string_view name) {
  const fs::path file = scratch.path() / "page.html";
  writeFile(file, page);
  const std::string shown = browsed(scratch, file, "#chart=" + encoded(name), {"--dump-dom"});
  std::string svg = decoded(between(shown, "<output id=\"picture\">", "</output>"));
  if (!svg.empty())
    return svg + "\n";
  const std::string problem = decoded(between(shown, "<output id=\"problem\">", "</output>"));
  throw Error(problem.empty()
                  ? std::string("Chromium has drawn no picture: expected version 105 or later")
                  : text::printable(problem, 400));
}

} // namespace

std::optional<PictureFormat> pictureFormatOf(std::string_view file) {
  for (const auto &[ending, format] :
       {std::pair(".svg", PictureFormat::kSvg), std::pair(".png", PictureFormat::kPng),
        std::pair(".pdf", PictureFormat::kPdf)})
    if (file.ends_with(ending))
      return format;
  return std::nullopt;
}

std::string picture(std::string_view page, std::string_view name, PictureFormat format) {
  const TemporaryFolder scratch("aiwc-picture");
  std::string svg = svgOf(scratch, page, name);
  if (format == PictureFormat::kSvg)
    return svg;
  const std::string width(between(svg, " width=\"", "\""));
  const std::string height(between(svg, " height=\"", "\""));
  const fs::path sheet = scratch.path() / "sheet.html";
  writeFile(sheet, fmt::format("<!DOCTYPE html><html><head><meta charset=\"utf-8\"><style>@page {{ "
                               "size: {0}px {1}px; margin: 0; }} body {{ margin: 0; }} svg {{ "
                               "display: block; }} * {{ print-color-adjust: exact; }}</style>"
                               "</head><body>{2}</body></html>",
                               width, height, svg));
  const fs::path file = // Chromium asks for the ending
      scratch.path() / (format == PictureFormat::kPng ? "picture.png" : "picture.pdf");
  if (format == PictureFormat::kPng)
    browsed(scratch, sheet, "",
            {"--force-device-scale-factor=2", fmt::format("--window-size={},{}", width, height),
             "--screenshot=" + file.string()});
  else
    browsed(scratch, sheet, "", {"--no-pdf-header-footer", "--print-to-pdf=" + file.string()});
  auto content = readFileIfAny(file);
  if (!content || content->empty())
    throw Error("Chromium has written no picture: expected one");
  return *std::move(content);
}

} // namespace aiwc::report
