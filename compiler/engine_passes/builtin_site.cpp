#include "engine_passes/builtin_site.h"

namespace aiwc::engine {
namespace {

// Gives access to a private member of WorkItem that sets operands: an explicit instantiation may
// name private members.
struct SetValue {
  using Type = void (oclgrind::WorkItem::*)(const llvm::Value *, oclgrind::TypedValue);
  friend Type privateMember(SetValue);
};
template <typename Tag, typename Tag::Type Member> struct Expose {
  friend typename Tag::Type privateMember(Tag) { return Member; }
};
template struct Expose<SetValue, &oclgrind::WorkItem::setValue>;

} // namespace

void BuiltinSite::bind(oclgrind::WorkItem &scratch, const uint8_t *values) const {
  for (const Argument &argument : arguments) {
    auto *data = const_cast<uint8_t *>(values + argument.offset); // operands are only read
    (scratch.*privateMember(SetValue{}))(argument.value,
                                         oclgrind::TypedValue{argument.size, argument.lanes, data});
  }
}

void BuiltinSite::evaluateBound(oclgrind::WorkItem &scratch, uint8_t *result) const {
  oclgrind::TypedValue typedResult{resultSize, resultLanes, result};
  builtin.function.func(&scratch, call, builtin.name, builtin.overload, typedResult,
                        builtin.function.op);
}

} // namespace aiwc::engine
