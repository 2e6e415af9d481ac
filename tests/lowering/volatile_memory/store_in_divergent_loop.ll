; Also where threads leave the loop at different times.
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(3)* %shared, i32 %value) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %value, i32 addrspace(3)* %shared
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %id
  br i1 %again, label %loop, label %end
end:
  ret void
}
; ==== after
declare spir_func i64 @_Z12get_local_idj(i32)
declare i32 @__aiwc_meet(i32, i32, i32, i32, i32, i32, i32) #0
define spir_kernel void @k(i32 addrspace(3)* %shared, i32 %value) {
  %1 = call spir_func i64 @_Z12get_local_idj(i32 0)
  br label %2
2:
  %3 = phi i64 [ 0, %0 ], [ %6, %2 ]
  %4 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  store volatile i32 %value, i32 addrspace(3)* %shared, align 4
  %5 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  %6 = add i64 %3, 1
  %7 = icmp ult i64 %6, %1
  br i1 %7, label %2, label %8
8:
  ret void
}
attributes #0 = { convergent }
