; A way that is hardly ever taken, of a check that failed, ends with "one by one", -1. What is executed
; is counted in a register and stored at the end. Values of arguments, which the first block loads,
; do not change. The addresses of what is not live have no use.
declare void @fail(i64)
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  %n = load i64, i64* %values
  %isWrong = icmp ugt i64 %n, 100
  br i1 %isWrong, label %wrong, label %right, !prof !0
wrong:
  call void @fail(i64 %n)
  ret i64 0
right:
  %byte = getelementptr i8, i8* %state, i64 {instructions}
  %count = bitcast i8* %byte to i64*
  %before = load i64, i64* %count
  %after = add i64 %before, 7
  store i64 %after, i64* %count
  ret i64 3
}
!0 = !{!"branch_weights", i32 1, i32 1024}
; ==== after
declare void @fail(i64)
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  %context = getelementptr i8, i8* %state, i64 {context}
  %contextPlace = bitcast i8* %context to i8**
  %items = getelementptr i8, i8* %state, i64 {items}
  %itemsPlace = bitcast i8* %items to i64*
  %n = load i64, i64* %values, align 8, !invariant.load !0
  %isWrong = icmp ugt i64 %n, 100
  br i1 %isWrong, label %end, label %right, !prof !1
end:
  %reached = phi i64 [ 3, %right ], [ -1, %entry ]
  ret i64 %reached
right:
  %instructions = getelementptr i8, i8* %state, i64 {instructions}
  %place = bitcast i8* %instructions to i64*
  store i64 7, i64* %place, align 8, !aiwc.live !0
  %marks = getelementptr i8, i8* %state, i64 {marks}
  %other = bitcast i8* %marks to i64*
  store i64 0, i64* %other, align 8, !aiwc.live !0
  br label %end
}
!0 = !{}
!1 = !{!"branch_weights", i32 1, i32 1024}
