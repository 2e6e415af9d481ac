#include "report/document.h"

#include "report/page.h"
#include "report/page_parts.h"
#include "report/suite.h"
#include "text/text.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace aiwc::report {

namespace {

constexpr size_t kTitleBytes = 200;

/// JSON in an HTML element: no character that can end the element or begin another one. The
/// characters only occur in JSON strings, where an escape means the same.
std::string inElement(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json)
    switch (c) {
    case '<':
      text += "\\u003c";
      break;
    case '>':
      text += "\\u003e";
      break;
    case '&':
      text += "\\u0026";
      break;
    default:
      text += c;
    }
  return text;
}

std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name)
    switch (c) {
    case '<':
      text += "&lt;";
      break;
    case '>':
      text += "&gt;";
      break;
    case '&':
      text += "&amp;";
      break;
    default:
      text += c;
    }
  return text;
}

} // namespace

std::string document(std::string_view name, std::string_view json, std::string_view program) {
  const std::string title = escaped(text::printable(name, kTitleBytes));
  const std::string data = inElement(json);
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

std::string html(const Page &page) {
  return document(page.run.name + ": report", dataJson(page), kRunProgram);
}

std::string html(const SuitePage &page) {
  return document(page.name + ": report", dataJson(page), kSuiteProgram);
}

} // namespace aiwc::report
