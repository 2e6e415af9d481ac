// Part of cuda_runtime.h.
#pragma once
#define __DEVICE_LAUNCH_PARAMETERS_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#include "cuda_runtime.h"
