/// Gives access to private members of Oclgrind's classes: the language does not check access in an
/// explicit instantiation. `struct Tag { using Pointer = Type Class::*; friend Pointer
/// memberOf(Tag); };` and `template struct Access<Tag, &Class::member>;`, then
/// `object.*memberOf(Tag())`.
#pragma once

namespace aiwc::plugin {

template <typename Member, typename Member::Pointer pointer> struct Access {
  friend typename Member::Pointer memberOf(Member) { return pointer; }
};

} // namespace aiwc::plugin
