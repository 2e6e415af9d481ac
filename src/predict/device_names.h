/// Recognises devices by their names in OpenCL implementations.
#pragma once

#include <string>
#include <string_view>

namespace aiwc::predict {

/// A name in normal form, without the differences between implementations: in lower case, without
/// trademark signs ("(R)", "(TM)", "(C)"), with one space for each run of spaces and underscores,
/// and no space at either end.
std::string plainName(std::string_view name);

/// Whether `text`, an implementation's name for a device, refers to the device called `name`. Both
/// are in normal form. `name` must occur in `text` between word boundaries, and no word after it
/// may denote another product, as "Ti" does after GTX 1080, and "MIG" (part of a device) after
/// H100.
bool namesDevice(std::string_view text, std::string_view name);

} // namespace aiwc::predict
