// Part of cuda_runtime.h.
#pragma once
#include "../host_defines.h"
