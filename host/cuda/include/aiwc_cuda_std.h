// cuda/std/type_traits of libcu++.
#pragma once
#pragma GCC system_header
#include <type_traits>

namespace cuda {
namespace std {
using namespace ::std;
} // namespace std
} // namespace cuda
