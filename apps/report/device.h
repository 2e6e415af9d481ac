/// What is known of a device as a page: its roofline and the curves that were measured.
#pragma once

#include "predict/device_profile.h"

#include <string>

namespace aiwc::report {

/// The page: HTML that loads nothing. Names appear as text, whatever they contain. Throws Error for
/// a device that has neither peak rates and bandwidth nor measured curves.
std::string html(const predict::DeviceProfile &device);

/// The view of the page that says most: a picture for who names none.
std::string_view firstPicture(const predict::DeviceProfile &device);

} // namespace aiwc::report
