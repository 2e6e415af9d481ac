// Adds to a float that other work-items add to at the same time. OpenCL 1.2 has no such function:
// compare and exchange the bits until no other work-item came between. The first guess is 0 in
// place of a read, because a plain read beside atomic writes is a data race.
static void atomic_add_float(volatile global uint *target, const float value) {
  uint guess = as_uint(0.0f);
  for (;;) {
    const uint found = atomic_cmpxchg(target, guess, as_uint(as_float(guess) + value));
    if (found == guess)
      return;
    guess = found;
  }
}
