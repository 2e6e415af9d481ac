// Part of the preloaded library: half precision. Oclgrind's instructions and functions compute with
// doubles, which they get by `getFloat` and keep, rounded, by `setFloat`; both end the kernel if
// the number has two bytes. The replacements convert a half. Sums, products, quotients, roots and
// `fma` of halves are thus rounded once: a double has so many bits that a result which is not exact
// is never next to the middle of two halves. `getConstantData`, which ends the kernel at a constant
// of half, leads to the plugin, which knows LLVM.

#include "common/half_precision.h"
#include "hooks.h"
#include "replaced.h"
#include "shared_virtual_memory.h"

double oclgrind::TypedValue::getFloat(unsigned index) const {
  switch (size) {
  case sizeof(uint16_t):
    return aiwc::fromHalf(reinterpret_cast<const uint16_t *>(data)[index]);
  case sizeof(float):
    return reinterpret_cast<const float *>(data)[index];
  case sizeof(double):
    return reinterpret_cast<const double *>(data)[index];
  default:
    static const auto next = aiwc::plugin::replaced<double (*)(const TypedValue *, unsigned)>(
        "_ZNK8oclgrind10TypedValue8getFloatEj");
    return next(this, index); // it ends the kernel
  }
}

void oclgrind::TypedValue::setFloat(double value, unsigned index) {
  switch (size) {
  case sizeof(uint16_t):
    reinterpret_cast<uint16_t *>(data)[index] = aiwc::toHalf(value);
    return;
  case sizeof(float):
    reinterpret_cast<float *>(data)[index] = static_cast<float>(value);
    return;
  case sizeof(double):
    reinterpret_cast<double *>(data)[index] = value;
    return;
  default:
    static const auto next = aiwc::plugin::replaced<void (*)(TypedValue *, double, unsigned)>(
        "_ZN8oclgrind10TypedValue8setFloatEdj");
    next(this, value, index); // it ends the kernel
  }
}

namespace oclgrind {

__attribute__((visibility("default"))) void getConstantData(unsigned char *data,
                                                            const llvm::Constant *constant) {
  using Get = void (*)(unsigned char *, const llvm::Constant *);
  static const auto next =
      aiwc::plugin::replaced<Get>("_ZN8oclgrind15getConstantDataEPhPKN4llvm8ConstantE");
  if (aiwcHooks.storeConstant)
    aiwcHooks.storeConstant(data, constant, next);
  else
    next(data, constant);
}

} // namespace oclgrind
