; A call in a loop comes before the call behind it, although a work-item can get there first; calls
; before the loop come before both.
declare i32 @__aiwc_meet(i32, i32, i32, i32, i32, i32, i32)
define spir_kernel void @k(i32 %n) {
entry:
  %first = call i32 @__aiwc_meet(i32 1, i32 1, i32 0, i32 32, i32 -1, i32 32, i32 0)
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %isDone = icmp eq i32 %i, %n
  br i1 %isDone, label %end, label %body
body:
  %inside = call i32 @__aiwc_meet(i32 3, i32 %i, i32 0, i32 32, i32 0, i32 32, i32 0)
  %next = add i32 %i, 1
  br label %head
end:
  %behind = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  ret void
}
; ==== after
declare spir_func i32 @__aiwc_meet(i32, i32, i32, i32, i32, i32, i32)
define spir_kernel void @k(i32 %n) {
entry:
  %first = call spir_func i32 @__aiwc_meet(i32 1, i32 1, i32 0, i32 32, i32 -1, i32 32, i32 0)
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %isDone = icmp eq i32 %i, %n
  br i1 %isDone, label %end, label %body
body:
  %inside = call spir_func i32 @__aiwc_meet(i32 3, i32 %i, i32 0, i32 32, i32 0, i32 32, i32 1)
  %next = add i32 %i, 1
  br label %head
end:
  %behind = call spir_func i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 2)
  ret void
}
