// cuda/barrier and cuda/pipeline of libcu++. Copies are done at once, so waiting for a thread's own
// copies is nothing. To arrive at a barrier of a block is __syncthreads(), at which all threads of
// the block have to be. Refused are pipelines of parts of a block, and of threads that either
// produce or consume.
#pragma once
#pragma GCC system_header
#include "aiwc_cuda_std.h"

#define AIWC_MEMBER __attribute__((device, always_inline, nodebug)) inline

extern "C" {
/// Nothing lowers them: a kernel that calls one is refused by this name.
__attribute__((device, convergent)) void __aiwc_pipeline_roles(void);
__attribute__((device, convergent)) void __aiwc_pipeline_of_part(void);
}
namespace cooperative_groups {
class thread_block;
}

namespace cuda {

/// A number of bytes, of memory that is aligned to `alignment`.
template <size_t alignment> struct aligned_size_t {
  constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
  constexpr operator size_t() const { return value; }
  size_t value;
};

} // namespace cuda

namespace aiwc_cuda {

template <size_t bytes> struct Piece { typedef uint4 Type; };
template <> struct Piece<8> { typedef uint2 Type; };
template <> struct Piece<4> { typedef unsigned int Type; };
template <> struct Piece<2> { typedef unsigned short Type; };
template <> struct Piece<1> { typedef unsigned char Type; };

template <typename Value> struct AlignmentOf { static constexpr size_t value = alignof(Value); };
template <> struct AlignmentOf<void> { static constexpr size_t value = 1; };

/// Copies every `step`-th piece of `alignment` bytes, from number `first` on.
template <size_t alignment>
AIWC_DEVICE void copyPieces(void *to, const void *from, size_t bytes, size_t first, size_t step) {
  typedef typename Piece<alignment>::Type Type;
  const size_t pieces = bytes / sizeof(Type);
  for (size_t i = first; i < pieces; i += step)
    ((Type *)to)[i] = ((const Type *)from)[i];
  for (size_t i = pieces * sizeof(Type) + first; i < bytes; i += step)
    ((char *)to)[i] = ((const char *)from)[i];
}
template <typename Group, typename To, typename From>
AIWC_DEVICE void copyByGroup(const Group &group, To *to, const From *from, size_t bytes) {
  constexpr size_t ofTo = AlignmentOf<To>::value, ofFrom = AlignmentOf<From>::value;
  copyPieces<(ofTo < ofFrom ? ofTo : ofFrom)>(to, from, bytes, group.thread_rank(), group.size());
}
template <typename Group, typename To, typename From, size_t alignment>
AIWC_DEVICE void copyByGroup(const Group &group, To *to, const From *from,
                             cuda::aligned_size_t<alignment> bytes) {
  copyPieces<alignment>(to, from, bytes, group.thread_rank(), group.size());
}
struct OneThread {
  static AIWC_MEMBER size_t thread_rank() { return 0; }
  static AIWC_MEMBER size_t size() { return 1; }
};

} // namespace aiwc_cuda

namespace cuda {

template <thread_scope scope> class barrier {
public:
  struct arrival_token {};
  AIWC_MEMBER arrival_token arrive() {
    __syncthreads();
    return {};
  }
  AIWC_MEMBER void wait(arrival_token) const {}
  AIWC_MEMBER void arrive_and_wait() { __syncthreads(); }

private:
  static_assert(scope == thread_scope_block, "the simulator has barriers of blocks only");
};
template <thread_scope scope> AIWC_DEVICE void init(barrier<scope> *, long threads) {
  if (threads != long(blockDim.x * blockDim.y * blockDim.z))
    __assert_fail("the simulator has barriers of all threads of a block only", "cuda/barrier",
                  __LINE__, "init");
}

enum class pipeline_role { producer, consumer };
template <thread_scope scope, unsigned char stages> struct pipeline_shared_state {};

template <thread_scope scope> class pipeline {
public:
  AIWC_MEMBER void producer_acquire() {}
  AIWC_MEMBER void producer_commit() {}
  AIWC_MEMBER void consumer_wait() {
    if (scope == thread_scope_block)
      __syncthreads();
  }
  AIWC_MEMBER void consumer_release() { consumer_wait(); }
  AIWC_MEMBER bool quit() { return true; }
};
AIWC_DEVICE pipeline<thread_scope_thread> make_pipeline() {
  return {};
}
template <thread_scope scope, unsigned char stages>
AIWC_DEVICE pipeline<scope> make_pipeline(const cooperative_groups::thread_block &,
                                          pipeline_shared_state<scope, stages> *) {
  return {};
}
template <typename Part, thread_scope scope, unsigned char stages>
AIWC_DEVICE pipeline<scope> make_pipeline(const Part &, pipeline_shared_state<scope, stages> *) {
  __aiwc_pipeline_of_part();
  return {};
}
template <typename Group, thread_scope scope, unsigned char stages, typename Role>
AIWC_DEVICE pipeline<scope> make_pipeline(const Group &, pipeline_shared_state<scope, stages> *,
                                          Role) {
  __aiwc_pipeline_roles();
  return {};
}
template <unsigned char newest, thread_scope scope>
AIWC_DEVICE void pipeline_consumer_wait_prior(pipeline<scope> &pipe) {
  pipe.consumer_wait();
}

template <typename To, typename From, typename Bytes, typename Synchronisation>
AIWC_DEVICE void memcpy_async(To *to, const From *from, Bytes bytes, Synchronisation &) {
  aiwc_cuda::copyByGroup(aiwc_cuda::OneThread(), to, from, bytes);
}
template <typename Group, typename To, typename From, typename Bytes, typename Synchronisation>
AIWC_DEVICE void memcpy_async(const Group &group, To *to, const From *from, Bytes bytes,
                              Synchronisation &) {
  aiwc_cuda::copyByGroup(group, to, from, bytes);
}

} // namespace cuda

#undef AIWC_MEMBER
