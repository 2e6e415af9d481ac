/// Recognising devices by what OpenCL implementations call them.
#pragma once

#include <string>
#include <string_view>

namespace aiwc::predict {

/// A name without what implementations write differently: in lower case, trademark signs ("(R)",
/// "(TM)", "(C)") left out, a single space in place of several and of underscores, none around it.
std::string plainName(std::string_view name);

/// Whether the device that an implementation calls `text` is one that is called `name`, both plain:
/// `name` stands in it between word boundaries, and no word behind it makes another product of it,
/// as "Ti" does of a GTX 1080 and "MIG" of a part of an H100.
bool namesDevice(std::string_view text, std::string_view name);

} // namespace aiwc::predict
