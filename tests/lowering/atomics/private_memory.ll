; Nobody else sees private memory: plain instructions, for each of the operations.
define spir_kernel void @k(i32* %p, i32 %v, float* %q, float %x) {
  %1 = atomicrmw xchg i32* %p, i32 %v monotonic
  %2 = atomicrmw add i32* %p, i32 %v monotonic
  %3 = atomicrmw sub i32* %p, i32 %v monotonic
  %4 = atomicrmw and i32* %p, i32 %v monotonic
  %5 = atomicrmw nand i32* %p, i32 %v monotonic
  %6 = atomicrmw or i32* %p, i32 %v monotonic
  %7 = atomicrmw xor i32* %p, i32 %v monotonic
  %8 = atomicrmw max i32* %p, i32 %v monotonic
  %9 = atomicrmw min i32* %p, i32 %v monotonic
  %10 = atomicrmw umax i32* %p, i32 %v monotonic
  %11 = atomicrmw umin i32* %p, i32 %v monotonic
  %12 = atomicrmw fadd float* %q, float %x monotonic
  %13 = atomicrmw fsub float* %q, float %x monotonic
  ret void
}
; ==== after
define spir_kernel void @k(i32* %p, i32 %v, float* %q, float %x) {
  %xchg = load i32, i32* %p, align 4
  store i32 %v, i32* %p, align 4
  %add = load i32, i32* %p, align 4
  %added = add i32 %add, %v
  store i32 %added, i32* %p, align 4
  %sub = load i32, i32* %p, align 4
  %subtracted = sub i32 %sub, %v
  store i32 %subtracted, i32* %p, align 4
  %and = load i32, i32* %p, align 4
  %both = and i32 %and, %v
  store i32 %both, i32* %p, align 4
  %nand = load i32, i32* %p, align 4
  %also = and i32 %nand, %v
  %notBoth = xor i32 %also, -1
  store i32 %notBoth, i32* %p, align 4
  %or = load i32, i32* %p, align 4
  %either = or i32 %or, %v
  store i32 %either, i32* %p, align 4
  %xor = load i32, i32* %p, align 4
  %one = xor i32 %xor, %v
  store i32 %one, i32* %p, align 4
  %max = load i32, i32* %p, align 4
  %isLarger = icmp sgt i32 %max, %v
  %larger = select i1 %isLarger, i32 %max, i32 %v
  store i32 %larger, i32* %p, align 4
  %min = load i32, i32* %p, align 4
  %isSmaller = icmp sle i32 %min, %v
  %smaller = select i1 %isSmaller, i32 %min, i32 %v
  store i32 %smaller, i32* %p, align 4
  %umax = load i32, i32* %p, align 4
  %isAbove = icmp ugt i32 %umax, %v
  %above = select i1 %isAbove, i32 %umax, i32 %v
  store i32 %above, i32* %p, align 4
  %umin = load i32, i32* %p, align 4
  %isBelow = icmp ule i32 %umin, %v
  %below = select i1 %isBelow, i32 %umin, i32 %v
  store i32 %below, i32* %p, align 4
  %fadd = load float, float* %q, align 4
  %sum = fadd float %fadd, %x
  store float %sum, float* %q, align 4
  %fsub = load float, float* %q, align 4
  %difference = fsub float %fsub, %x
  store float %difference, float* %q, align 4
  ret void
}
