#include "engine_passes/runtime_calls.h"

#include "plugin/engine/thread_runtime.h"

#include <cstring>

namespace aiwc::engine::calls {
namespace {

/// Runs `work`. An exception makes the launch fail, because no exception may pass through frames of
/// compiled code.
template <typename Work> void guarded(State *state, Work work) {
  bool failed = false;
  try {
    work();
  } catch (...) {
    failed = true;
  }
  if (failed)
    state->runtime->fail(Failure::kInternal);
}

/// The trace::Access that consists of `address` and `secondHalf`.
trace::Access accessOf(uint64_t address, uint64_t secondHalf) {
  const uint64_t words[] = {address, secondHalf};
  trace::Access access;
  static_assert(sizeof access == sizeof words);
  std::memcpy(&access, words, sizeof words);
  return access;
}

} // namespace

void fail(State *state, uint64_t reason) {
  state->runtime->fail(static_cast<Failure>(reason));
}

uint64_t examineAccess(State *state, const AccessSite *site, uint64_t address, uint64_t buffer) {
  uint64_t offset = 0;
  guarded(state, [&] { offset = state->runtime->examineAccess(*site, address, buffer); });
  return offset;
}

void flush(State *state) {
  guarded(state, [&] { state->runtime->flush(); });
}

void saveGranules(State *state, uint64_t address, uint64_t size) {
  guarded(state, [&] { state->runtime->saveGranules(address, size); });
}

void readGranules(State *state, uint64_t address, uint64_t size) {
  guarded(state, [&] { state->runtime->readGranules(address, size); });
}

void checkWork(State *state) {
  state->runtime->checkWork();
}

uint64_t allocate(State *state, uint64_t size) {
  uint64_t address = 0;
  guarded(state, [&] { address = state->runtime->allocate(size); });
  return address;
}

void release(State *state, uint64_t address) {
  guarded(state, [&] { state->runtime->release(address); });
}

uint64_t duplicate(State *state, uint64_t address, uint64_t size) {
  uint64_t copy = 0;
  guarded(state, [&] {
    const uint8_t *original = state->runtime->bytes(0, address, size, false);
    copy = state->runtime->allocate(size);
    std::memcpy(state->runtime->bytes(0, copy, size, true), original, size);
  });
  return copy;
}

void barrier(State *state, const llvm::Instruction *call, uint64_t fence, uint64_t eventCount,
             const uint64_t *events) {
  guarded(state, [&] { state->runtime->arriveAtBarrier(*call, fence, events, eventCount); });
  state->runtime->waitAtBarrier();
}

uint64_t meet(State *state, uint64_t exchange, uint64_t value, uint64_t argument, uint64_t width,
              uint64_t mask, uint64_t lanes, uint64_t place) {
  const auto word = [](uint64_t number) { return static_cast<uint32_t>(number); };
  return state->runtime->waitForSubGroup({static_cast<simulator::Exchange>(exchange), word(value),
                                          word(argument), word(width), word(mask), word(lanes),
                                          word(place)});
}

void multiply(State *state, uint64_t product, uint64_t saturates, uint64_t function, uint64_t place,
              simulator::Fragments *fragments) {
  state->runtime->waitForSubGroup(simulator::Meeting::multiplication(static_cast<uint32_t>(product),
                                                                     saturates != 0, function,
                                                                     static_cast<uint32_t>(place)),
                                  fragments);
}

uint64_t nextRegion(State *state) {
  return state->runtime->nextRegion();
}

uint64_t asyncCopy(State *state, const void *site, uint64_t toLocal, uint64_t destination,
                   uint64_t source, uint64_t elementSize, uint64_t count, uint64_t stride,
                   uint64_t event) {
  uint64_t made = 0;
  guarded(state, [&] {
    made = state->runtime->asyncCopy(site, toLocal != 0, destination, source, elementSize, count,
                                     stride, event);
  });
  return made;
}

void copy(State *state, const llvm::Instruction *call, uint64_t destinationSpace,
          uint64_t destination, uint64_t sourceSpace, uint64_t source, uint64_t size) {
  guarded(state, [&] {
    ThreadRuntime &runtime = *state->runtime;
    const uint8_t *from = runtime.bytes(sourceSpace, source, size, false);
    runtime.reportAccess(call, sourceSpace, source, size, false);
    uint8_t *to = runtime.bytes(destinationSpace, destination, size, true);
    runtime.reportAccess(call, destinationSpace, destination, size, true);
    std::memmove(to, from, size);
  });
}

void fill(State *state, const llvm::Instruction *call, uint64_t space, uint64_t destination,
          uint64_t byte, uint64_t size) {
  guarded(state, [&] {
    uint8_t *to = state->runtime->bytes(space, destination, size, true);
    state->runtime->reportAccess(call, space, destination, size, true);
    std::memset(to, static_cast<int>(byte), size);
  });
}

void builtin(State *state, const BuiltinSite *site, const uint8_t *arguments, uint8_t *result) {
  guarded(state, [&] { state->runtime->evaluate(*site, arguments, result); });
}

void storingBuiltin(State *state, const BuiltinSite *site, uint8_t *arguments, uint8_t *result,
                    uint64_t address, uint8_t *native) {
  guarded(state, [&] { state->runtime->evaluateStore(*site, arguments, result, address, native); });
}

void accessImage(State *state, const BuiltinSite *site, ImageCall *call, uint64_t access,
                 uint64_t traced) {
  guarded(state,
          [&] { state->runtime->accessImage(*site, *call, accessOf(0, access), traced != 0); });
}

void print(State *state, const BuiltinSite *site, const uint8_t *arguments) {
  guarded(state, [&] { state->runtime->print(*site, arguments); });
}

void readText(State *state, uint64_t address, uint64_t count, uint64_t access) {
  state->runtime->readText(accessOf(address, access), count);
}

} // namespace aiwc::engine::calls
