declare void @meet()
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k() {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  switch i64 %id, label %end [
    i64 1, label %one
    i64 2, label %two
  ]
one:
  call void @meet()
  br label %end
two:
  br label %end
end:
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses a function of warps behind a switch over what depends on the thread, which the simulator has not
