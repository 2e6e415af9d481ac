/// What compiled code calls. Each takes the `State` of its thread first.
#pragma once

#include "plugin/engine/builtin_site.h"
#include "plugin/engine/state.h"

namespace aiwc::plugin::engine::calls {

/// The launch needs the interpreter, for `reason`, a Failure: does not return.
[[noreturn]] void fail(State *state, uint64_t reason);
void flush(State *state);
void savePages(State *state, uint64_t address, uint64_t size);
uint64_t allocate(State *state, uint64_t size);
void release(State *state, uint64_t address);
/// A private copy of the structure at `address` for a function that takes it by value.
uint64_t duplicate(State *state, uint64_t address, uint64_t size);
void barrier(State *state, uint64_t site, uint64_t fence, uint64_t eventCount,
             const uint64_t *events);
uint64_t asyncCopy(State *state, const void *site, uint64_t toLocal, uint64_t destination,
                   uint64_t source, uint64_t elementSize, uint64_t count, uint64_t stride,
                   uint64_t event);
void copy(State *state, uint64_t destinationSpace, uint64_t destination, uint64_t sourceSpace,
          uint64_t source, uint64_t size);
void fill(State *state, uint64_t space, uint64_t destination, uint64_t byte, uint64_t size);
void builtin(State *state, const BuiltinSite *site, const uint8_t *arguments, uint8_t *result);
/// The same of a function that stores, at `address`, which is `native`.
void storingBuiltin(State *state, const BuiltinSite *site, uint8_t *arguments, uint8_t *result,
                    uint64_t address, uint8_t *native);
/// Keeps what a call of printf has to print until the launch is over.
void print(State *state, const BuiltinSite *site, const uint8_t *arguments);
/// Writes the accesses of `count` bytes into the trace, each as `access` is, the upper half of the
/// structure.
void readText(State *state, uint64_t address, uint64_t count, uint64_t access);
float halfToFloat(State *state, uint64_t half);

} // namespace aiwc::plugin::engine::calls
