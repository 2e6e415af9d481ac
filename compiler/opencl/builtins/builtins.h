// What the library of builtins is made of. It is compiled without clang's header, which declares
// the functions that are defined here.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define FOR_EACH_TYPE(DEFINE)                                                                      \
  DEFINE(int) DEFINE(uint) DEFINE(long) DEFINE(ulong) DEFINE(half) DEFINE(float) DEFINE(double)
#define FOR_EACH_SMALL_TYPE(DEFINE) DEFINE(char) DEFINE(uchar) DEFINE(short) DEFINE(ushort)
#define DEFINE_VECTOR(TYPE, SIZE) typedef TYPE TYPE##SIZE __attribute__((ext_vector_type(SIZE)));
#define DEFINE(TYPE)                                                                               \
  DEFINE_VECTOR(TYPE, 2)                                                                           \
  DEFINE_VECTOR(TYPE, 3) DEFINE_VECTOR(TYPE, 4) DEFINE_VECTOR(TYPE, 8) DEFINE_VECTOR(TYPE, 16)
FOR_EACH_TYPE(DEFINE)
FOR_EACH_SMALL_TYPE(DEFINE)
#undef DEFINE_VECTOR
#undef DEFINE

#define OVERLOADABLE __attribute__((overloadable))
#define CONVERGENT __attribute__((overloadable, convergent))

// Oclgrind's functions.
size_t OVERLOADABLE get_local_id(uint);
size_t OVERLOADABLE get_local_size(uint);
size_t OVERLOADABLE get_enqueued_local_size(uint);
size_t OVERLOADABLE get_local_linear_id(void);
uint OVERLOADABLE popcount(uint);
uint OVERLOADABLE clz(uint);
void CONVERGENT barrier(uint);

typedef enum memory_scope { kWorkItemScope, kWorkGroupScope } memory_scope;

// What compiler/opencl/device/exchange.cpp replaces: local memory with a place of 4 or 8 bytes for
// each work-item of the largest group, and the number of work-items of a sub-group.
__local void *__aiwc_slots4(void);
__local void *__aiwc_slots8(void);
uint __aiwc_sub_group_size(void);

// The simulator's function at which work-items of a sub-group meet (compiler/simulator/meetings.h).
// Calls are not merged: one in a loop and one behind it are two meetings.
__attribute__((convergent, nomerge)) uint __aiwc_meet(uint exchange, uint value, uint argument,
                                                      uint width, uint mask, uint lanes,
                                                      uint place);
enum Exchange { kMeet = 0, kBallot = 1, kIndex = 3, kUp = 4, kDown = 5, kXor = 6 };

#define SLOTS_int __aiwc_slots4
#define SLOTS_uint __aiwc_slots4
#define SLOTS_float __aiwc_slots4
#define SLOTS_half __aiwc_slots4
#define SLOTS_long __aiwc_slots8
#define SLOTS_ulong __aiwc_slots8
#define SLOTS_double __aiwc_slots8

static inline uint groupSize(void) {
  return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

// An atomic instruction of LLVM, which work-items that do not take part can leave out.
static inline void setBits(__local uint *word, uint bits) {
  __opencl_atomic_fetch_or((__local atomic_uint *)word, bits, 0, kWorkGroupScope);
}

static inline void meet(void) {
  barrier(1);
}

// The values that change nothing: of sums, maxima and minima.
#define LEAST_char (-0x80)
#define MOST_char 0x7f
#define LEAST_uchar 0
#define MOST_uchar 0xff
#define LEAST_short (-0x8000)
#define MOST_short 0x7fff
#define LEAST_ushort 0
#define MOST_ushort 0xffff
#define LEAST_int (-0x7fffffff - 1)
#define MOST_int 0x7fffffff
#define LEAST_uint 0u
#define MOST_uint 0xffffffffu
#define LEAST_long (-0x7fffffffffffffffL - 1)
#define MOST_long 0x7fffffffffffffffL
#define LEAST_ulong 0ul
#define MOST_ulong 0xfffffffffffffffful
#define LEAST_float (-__builtin_inff())
#define MOST_float __builtin_inff()
#define LEAST_half ((half)LEAST_float)
#define MOST_half ((half)MOST_float)
#define LEAST_double (-__builtin_inf())
#define MOST_double __builtin_inf()

#define ADD(a, b) ((a) + (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((a) < (b) ? (b) : (a))

#define FOR_EACH_OPERATION(DEFINE, TYPE)                                                           \
  DEFINE(TYPE, add, ADD, 0)                                                                        \
  DEFINE(TYPE, min, MIN, MOST_##TYPE)                                                              \
  DEFINE(TYPE, max, MAX, LEAST_##TYPE)
