/// The functions that compiled code calls. The first parameter is the `State` of the calling
/// thread.
#pragma once

#include "engine_passes/lowering.h"
#include "engine_passes/state.h"

namespace aiwc::engine::calls {

/// Gives up the launch because it needs the interpreter. `reason`: a Failure. Does not return.
[[noreturn]] void fail(State *state, uint64_t reason);
/// Decides about an access that the table of buffers does not allow. Saves the errors that Oclgrind
/// reports about it, and the granules that it writes. Returns how far behind the begin of buffer
/// `buffer` the code has to make the access: where `address` says, or, if that is in no buffer, in
/// memory of the runtime, which holds 0. Gives up if it is in another buffer, or misaligned.
uint64_t examineAccess(State *state, const AccessSite *site, uint64_t address, uint64_t buffer);
void flush(State *state);
void saveGranules(State *state, uint64_t address, uint64_t size);
void readGranules(State *state, uint64_t address, uint64_t size);
/// Gives up if the group has executed too much for one that runs before those that precede it
/// (State::workLimit), or need not be finished; else sets the next limit.
void checkWork(State *state);
uint64_t allocate(State *state, uint64_t size);
void release(State *state, uint64_t address);
/// Copies the structure at `address` to new private memory, for a function that takes it by value.
/// Returns the address of the copy.
uint64_t duplicate(State *state, uint64_t address, uint64_t size);
/// `call`: in Oclgrind's module, as are the calls below.
void barrier(State *state, const llvm::Instruction *call, uint64_t fence, uint64_t eventCount,
             const uint64_t *events);
/// Has the work-item wait for others of its sub-group; what follows the state are the members of a
/// simulator::Meeting. Returns the result of the call.
uint64_t meet(State *state, uint64_t exchange, uint64_t value, uint64_t argument, uint64_t width,
              uint64_t mask, uint64_t lanes, uint64_t place);
/// The same for a product of matrices, by the arguments of simulator::Meeting::multiplication.
/// The result replaces the summand among the fragments.
void multiply(State *state, uint64_t product, uint64_t saturates, uint64_t function, uint64_t place,
              simulator::Fragments *fragments);
/// Which parallel region work-items execute next, if the code runs groups and marks work-items
/// (KernelCode::marks).
uint64_t nextRegion(State *state);
uint64_t asyncCopy(State *state, const void *site, uint64_t toLocal, uint64_t destination,
                   uint64_t source, uint64_t elementSize, uint64_t count, uint64_t stride,
                   uint64_t event);
void copy(State *state, const llvm::Instruction *call, uint64_t destinationSpace,
          uint64_t destination, uint64_t sourceSpace, uint64_t source, uint64_t size);
void fill(State *state, const llvm::Instruction *call, uint64_t space, uint64_t destination,
          uint64_t byte, uint64_t size);
void builtin(State *state, const BuiltinSite *site, const uint8_t *arguments, uint8_t *result);
/// The same for a function that stores to `address`. `native`: the native pointer for `address`.
void storingBuiltin(State *state, const BuiltinSite *site, uint8_t *arguments, uint8_t *result,
                    uint64_t address, uint8_t *native);
/// Reads or writes an image. Writes the accesses into the trace, if `traced`. `access`: the second
/// half of each trace::Access, without the size.
void accessImage(State *state, const BuiltinSite *site, ImageCall *call, uint64_t access,
                 uint64_t traced);
/// Saves the arguments of a call of printf, which prints after the end of the launch.
void print(State *state, const BuiltinSite *site, const uint8_t *arguments);
/// Writes one access for each of `count` bytes from `address` on into the trace. `access`: the
/// second half of each trace::Access.
void readText(State *state, uint64_t address, uint64_t count, uint64_t access);

} // namespace aiwc::engine::calls
