// hipCUB: cub under another name.
#pragma once
#pragma GCC system_header
#include "../aiwc_cub_device.h"

namespace hipcub = cub;
