#include "report/page.h"
#include "report/page_parts.h"
#include "text/text.h"

#include <array>
#include <utility>

namespace aiwc::report {

namespace {

constexpr size_t kTitleBytes = 200;

/// The text with others in place of `<`, `>` and `&`.
std::string replaced(std::string_view text, std::string_view less, std::string_view greater,
                     std::string_view ampersand) {
  std::string result;
  result.reserve(text.size());
  for (const char &c : text)
    result += c == '<' ? less : c == '>' ? greater : c == '&' ? ampersand : std::string_view(&c, 1);
  return result;
}

/// The page that `program`, one of page_parts.h, draws from `json`. `name` may have any characters.
std::string document(std::string_view name, std::string_view json, std::string_view program) {
  const std::string title = replaced(text::printable(name, kTitleBytes), "&lt;", "&gt;", "&amp;");
  // JSON in an HTML element: no character that can end the element or begin another one. The
  // characters only occur in JSON strings, where an escape means the same.
  const std::string data = replaced(json, "\\u003c", "\\u003e", "\\u0026");
  const std::array<std::pair<std::string_view, std::string_view>, 5> places = {{
      {"{{title}}", title},
      {"{{style}}", kStyle},
      {"{{drawing}}", kDrawingStyle},
      {"{{data}}", data},
      {"{{program}}", program},
  }};
  // From the front to the back, so that nothing that was inserted is searched for places.
  std::string text;
  text.reserve(data.size() + (size_t{200} << 10U));
  std::string_view rest = kHtml;
  for (const auto &[place, content] : places) {
    const size_t begin = rest.find(place);
    text += rest.substr(0, begin);
    text += content;
    rest.remove_prefix(begin + place.size());
  }
  return text += rest;
}

} // namespace

std::string html(const Page &page) {
  return document(page.run.name + ": report", dataJson(page), kRunProgram);
}

std::string html(const SuitePage &page) {
  return document(page.name + ": report", dataJson(page), kSuiteProgram);
}

} // namespace aiwc::report
