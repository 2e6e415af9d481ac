#include "plugin/engine/stack_switch.h"

#include <cstdint>

// Suspended code has on its stack the registers that a function has to preserve, and the address
// at which it continues. The pair that a switch returns is in rax and rdx.
asm(R"(
.text
.p2align 4
.globl aiwcSwitchStack
.hidden aiwcSwitchStack
.type aiwcSwitchStack, @function
aiwcSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, %rax
  movq %rdi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  movq %rsi, %rdx
  popq %rcx
  jmpq *%rcx
.size aiwcSwitchStack, .-aiwcSwitchStack

.p2align 4
.globl aiwcBeginOnStack
.hidden aiwcBeginOnStack
.type aiwcBeginOnStack, @function
aiwcBeginOnStack:
  .cfi_startproc
  .cfi_undefined rip
  movq %rax, %rdi
  movq %rdx, %rsi
  callq *%r12
  ud2
  .cfi_endproc
.size aiwcBeginOnStack, .-aiwcBeginOnStack
)");

namespace aiwc::engine {

extern "C" void aiwcBeginOnStack();

void *newOnStack(void *top, void (*entry)(void *from, void *data)) {
  // As aiwcSwitchStack leaves them; aiwcBeginOnStack begins with an aligned stack.
  auto *saved = static_cast<uintptr_t *>(top) - 9;
  saved[0] = saved[1] = saved[2] = 0;            // r15, r14, r13
  saved[3] = reinterpret_cast<uintptr_t>(entry); // r12
  saved[4] = saved[5] = 0;                       // rbx, rbp
  saved[6] = reinterpret_cast<uintptr_t>(&aiwcBeginOnStack);
  return saved;
}

} // namespace aiwc::engine
