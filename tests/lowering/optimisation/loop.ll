; A loop with a barrier is neither unrolled nor vectorised.
declare spir_func void @_Z7barrierj(i32) local_unnamed_addr #1
define spir_kernel void @k(i32 addrspace(1)* nocapture %p) local_unnamed_addr #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr inbounds i32, i32 addrspace(1)* %p, i64 %i
  %x = load i32, i32 addrspace(1)* %place, align 4
  tail call spir_func void @_Z7barrierj(i32 1) #1
  %y = add nsw i32 %x, 1
  store i32 %y, i32 addrspace(1)* %place, align 4
  %next = add nuw nsw i64 %i, 1
  %isLast = icmp eq i64 %next, 1024
  br i1 %isLast, label %end, label %loop
end:
  ret void
}
attributes #0 = { minsize nounwind optsize }
attributes #1 = { convergent nounwind }
; ==== unchanged
