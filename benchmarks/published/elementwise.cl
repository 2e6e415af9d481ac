// Element-wise operators on float tensors as GPU libraries of deep learning compute them: each
// work-item takes four elements. A whole work-group reads and writes them as one vector; the last
// work-group, if it has less to do, one by one, a work-group's width apart. The names are those of
// the data set: a `u` at the end stands for an operand that is one number.
#define ELEMENTS 4

#define COMPUTE_BINARY(NAME, EXPRESSION)                                                           \
  kernel void NAME(global const float *restrict left, global const float *restrict right,          \
                   global float *restrict result, const int count) {                               \
    const int items = get_local_size(0);                                                           \
    const int first = get_group_id(0) * items * ELEMENTS;                                          \
    if (count - first >= items * ELEMENTS) {                                                       \
      const int at = first / ELEMENTS + get_local_id(0);                                           \
      const float4 a = ((global const float4 *)left)[at];                                          \
      const float4 b = ((global const float4 *)right)[at];                                         \
      ((global float4 *)result)[at] = EXPRESSION;                                                  \
    } else {                                                                                       \
      for (int i = 0; i < ELEMENTS; i++) {                                                         \
        const int at = first + i * items + get_local_id(0);                                        \
        if (at < count) {                                                                          \
          const float a = left[at];                                                                \
          const float b = right[at];                                                               \
          result[at] = EXPRESSION;                                                                 \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
  }

#define COMPUTE_UNARY(NAME, EXPRESSION, SCALAR_EXPRESSION)                                         \
  kernel void NAME(global const float *restrict input, global float *restrict result,              \
                   const float b, const int count) {                                               \
    const int items = get_local_size(0);                                                           \
    const int first = get_group_id(0) * items * ELEMENTS;                                          \
    if (count - first >= items * ELEMENTS) {                                                       \
      const int at = first / ELEMENTS + get_local_id(0);                                           \
      const float4 a = ((global const float4 *)input)[at];                                         \
      ((global float4 *)result)[at] = EXPRESSION;                                                  \
    } else {                                                                                       \
      for (int i = 0; i < ELEMENTS; i++) {                                                         \
        const int at = first + i * items + get_local_id(0);                                        \
        if (at < count) {                                                                          \
          const float a = input[at];                                                               \
          result[at] = SCALAR_EXPRESSION;                                                          \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
  }

COMPUTE_BINARY(add, a + b)
COMPUTE_BINARY(mul, a *b)
COMPUTE_BINARY(div, a / b)
COMPUTE_BINARY(pow_, pow(a, b))

COMPUTE_UNARY(addu, a + b, a + b)
COMPUTE_UNARY(mulu, a *b, a *b)
COMPUTE_UNARY(divu, a *b, a *b) // b is the reciprocal of the divisor
COMPUTE_UNARY(powu, pow(a, (float4)b), pow(a, b))
COMPUTE_UNARY(relu, a < b ? (float4)b : a, a < b ? b : a) // b is 0
COMPUTE_UNARY(tanh_, tanh(a), tanh(a))
