#pragma once
#include "../math_constants.h"
