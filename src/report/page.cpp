#include "report/page.h"

#include "profile/text.h"
#include "report/page_parts.h"

#include <array>
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

std::string html(const Page &page) {
  const std::string title = escaped(profile::printable(page.run.name, kTitleBytes));
  const std::string data = inElement(dataJson(page));
  const std::array<std::pair<std::string_view, std::string_view>, 8> places = {{
      {"{{title}}", title},
      {"{{style}}", kStyle},
      {"{{data}}", data},
      {"{{model}}", kModel},
      {"{{charts}}", kCharts},
      {"{{views}}", kViews},
      {"{{likeness}}", kLikeness},
      {"{{program}}", kProgram},
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

} // namespace aiwc::report
