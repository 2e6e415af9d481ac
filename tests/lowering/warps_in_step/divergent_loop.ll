; Also where threads leave the loop at different times: the write relies on that of the last round.
; Whether memory is shared is known of a generic pointer, too, if it is computed from an array.
@tile = internal addrspace(3) global [64 x i32] undef
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 %value) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %place = getelementptr [64 x i32], [64 x i32] addrspace(4)* addrspacecast ([64 x i32] addrspace(3)* @tile to [64 x i32] addrspace(4)*), i64 0, i64 %id
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %value, i32 addrspace(4)* %place
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %id
  br i1 %again, label %loop, label %end
end:
  ret void
}
; ==== after
@tile = internal addrspace(3) global [64 x i32] undef
declare spir_func i64 @_Z12get_local_idj(i32)
declare i32 @__aiwc_meet(i32, i32, i32, i32, i32, i32, i32) #0
define spir_kernel void @k(i32 %value) {
  %1 = call spir_func i64 @_Z12get_local_idj(i32 0)
  %2 = getelementptr [64 x i32], [64 x i32] addrspace(4)* addrspacecast ([64 x i32] addrspace(3)* @tile to [64 x i32] addrspace(4)*), i64 0, i64 %1
  br label %3
3:
  %4 = phi i64 [ 0, %0 ], [ %6, %3 ]
  %5 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  store volatile i32 %value, i32 addrspace(4)* %2, align 4
  %6 = add i64 %4, 1
  %7 = icmp ult i64 %6, %1
  br i1 %7, label %3, label %8
8:
  ret void
}
attributes #0 = { convergent }
