declare void @meet()
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k() {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @meet()
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %id
  br i1 %again, label %loop, label %end
end:
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses a function of warps in a loop whose length depends on the thread, which the simulator has not
