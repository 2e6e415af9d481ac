// 16 384 statements: without optimisation, 400 000 instructions of compiled code. In a file of its
// own, because it takes long to compile.
#define EIGHT(s) s s s s s s s s
#define FOUR a = b * c + x[i]; b = a ^ c; a = b * c + x[i]; b = a ^ c;
kernel void statements(global int *x) {
  const size_t i = get_global_id(0);
  int a = x[i], b = 1, c = 2;
  EIGHT(EIGHT(EIGHT(EIGHT(FOUR))))
  x[i] = a;
}
