#include "eod/common/application.h"

namespace aiwc::eod {

Application::~Application() = default;

std::string_view name(Size size) {
  switch (size) {
  case Size::kTiny:
    return "tiny";
  case Size::kSmall:
    return "small";
  case Size::kMedium:
    return "medium";
  case Size::kLarge:
    return "large";
  }
  return "";
}

} // namespace aiwc::eod
