#include "lowering/builtins.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aiwc::lowering {
namespace {

using namespace std::string_view_literals;

constexpr auto kFunctions = std::to_array<std::string_view>(
    {// Work-items and synchronisation
     "barrier", "get_enqueued_local_size", "get_global_id", "get_global_linear_id",
     "get_global_offset", "get_global_size", "get_group_id", "get_local_id", "get_local_linear_id",
     "get_local_size", "get_num_groups", "get_work_dim", "mem_fence", "read_mem_fence",
     "work_group_barrier", "write_mem_fence",
     // Atomic functions
     "atom_add", "atom_and", "atom_cmpxchg", "atom_dec", "atom_inc", "atom_max", "atom_min",
     "atom_or", "atom_sub", "atom_xchg", "atom_xor", "atomic_add", "atomic_and", "atomic_cmpxchg",
     "atomic_dec", "atomic_inc", "atomic_max", "atomic_min", "atomic_or", "atomic_sub",
     "atomic_xchg", "atomic_xor",
     // Common and geometric functions
     "clamp", "cross", "degrees", "distance", "dot", "fast_distance", "fast_length",
     "fast_normalize", "length", "max", "min", "mix", "normalize", "radians", "sign", "smoothstep",
     "step",
     // Integers
     "abs", "abs_diff", "add_sat", "clz", "hadd", "mad24", "mad_hi", "mad_sat", "mul24", "mul_hi",
     "popcount", "rhadd", "rotate", "sub_sat", "upsample",
     // Real numbers
     "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atan2", "atan2pi", "atanh",
     "atanpi", "cbrt", "ceil", "copysign", "cos", "cosh", "cospi", "erf", "erfc", "exp", "exp10",
     "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "fract", "frexp",
     "hypot", "ilogb", "ldexp", "lgamma", "lgamma_r", "log", "log10", "log1p", "log2", "logb",
     "mad", "maxmag", "minmag", "modf", "nan", "nextafter", "pow", "pown", "powr", "remainder",
     "remquo", "rint", "rootn", "round", "rsqrt", "sin", "sincos", "sinh", "sinpi", "sqrt", "tan",
     "tanh", "tanpi", "tgamma", "trunc",
     // Their faster forms
     "half_cos", "half_divide", "half_exp", "half_exp10", "half_exp2", "half_log", "half_log10",
     "half_log2", "half_powr", "half_recip", "half_rsqrt", "half_sin", "half_sqrt", "half_tan",
     "native_cos", "native_divide", "native_exp", "native_exp10", "native_exp2", "native_log",
     "native_log10", "native_log2", "native_powr", "native_recip", "native_rsqrt", "native_sin",
     "native_sqrt", "native_tan",
     // Relations
     "all", "any", "bitselect", "isequal", "isfinite", "isgreater", "isgreaterequal", "isinf",
     "isless", "islessequal", "islessgreater", "isnan", "isnormal", "isnotequal", "isordered",
     "isunordered", "select", "signbit",
     // Vectors
     "shuffle", "shuffle2"});

constexpr auto kPrefixes = std::to_array<std::string_view>({"as_", "convert_", "vload", "vstore"});

constexpr auto kTwoResults =
    std::to_array<std::string_view>({"fract", "frexp", "lgamma_r", "modf", "remquo", "sincos"});

std::string_view view(llvm::StringRef text) {
  return {text.data(), text.size()};
}

} // namespace

llvm::StringRef baseName(llvm::StringRef mangled) {
  llvm::StringRef rest = mangled;
  size_t length = 0;
  if (!rest.consume_front("_Z") || rest.consumeInteger(10, length) || length > rest.size())
    return mangled;
  return rest.take_front(length);
}

bool isOpenClFunction(llvm::StringRef mangled) {
  if (mangled == "printf")
    return true;
  const llvm::StringRef base = baseName(mangled);
  if (base == mangled) // Oclgrind needs to know the types
    return false;
  return std::ranges::find(kFunctions, view(base)) != kFunctions.end() ||
         std::ranges::any_of(
             kPrefixes, [&](std::string_view prefix) { return view(base).starts_with(prefix); });
}

bool writesThroughPointer(llvm::StringRef mangled) {
  return std::ranges::find(kTwoResults, view(baseName(mangled))) != kTwoResults.end();
}

bool asksForAddressSpace(llvm::StringRef mangled) {
  return mangled == "__to_global" || mangled == "__to_local" || mangled == "__to_private" ||
         baseName(mangled) == "get_fence";
}

} // namespace aiwc::lowering
