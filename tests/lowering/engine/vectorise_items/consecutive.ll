; A load that is known to be consecutive becomes one, without a comparison of its addresses.
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  br label %body
body:
  %byte = getelementptr i8, i8* %state, i64 {globalId}
  %place = bitcast i8* %byte to i64*
  %id = load i64, i64* %place
  %offset = shl i64 %id, 3
  %address = add i64 %offset, 4096
  %pointer = inttoptr i64 %address to i64*
  %value = load i64, i64* %pointer, align 1, !tbaa !1, !aiwc.consecutive !0
  %isSmall = icmp ult i64 %value, 9
  %reached = select i1 %isSmall, i64 1, i64 2
  ret i64 %reached
}
!0 = !{}
!1 = !{!2, !2, i64 0}
!2 = !{!"data", !3, i64 0}
!3 = !{!"aiwc"}
; ==== after
define internal i64 @item.wide(i8* %0, i64* %1, i64 %2) {
  %4 = getelementptr i8, i8* %0, i64 {context}
  %5 = bitcast i8* %4 to i8**
  %6 = getelementptr i8, i8* %0, i64 {items}
  %7 = bitcast i8* %6 to i64*
  %8 = getelementptr i8, i8* %0, i64 {globalId}
  %9 = bitcast i8* %8 to i64*
  %10 = load i64, i64* %9, align 8
  %11 = insertelement <8 x i64> poison, i64 %10, i32 0
  %12 = shufflevector <8 x i64> %11, <8 x i64> poison, <8 x i32> zeroinitializer
  %13 = add <8 x i64> %12, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %14 = shl <8 x i64> %13, <i64 3, i64 3, i64 3, i64 3, i64 3, i64 3, i64 3, i64 3>
  %15 = add <8 x i64> %14, <i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096>
  %16 = inttoptr <8 x i64> %15 to <8 x i64*>
  %17 = extractelement <8 x i64*> %16, i64 0
  %18 = bitcast i64* %17 to <8 x i64>*
  %19 = load <8 x i64>, <8 x i64>* %18, align 1, !tbaa !0
  %20 = icmp ult <8 x i64> %19, <i64 9, i64 9, i64 9, i64 9, i64 9, i64 9, i64 9, i64 9>
  %21 = select <8 x i1> %20, <8 x i64> <i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1>, <8 x i64> <i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2>
  %22 = getelementptr i8, i8* %0, i64 {instructions}
  %23 = bitcast i8* %22 to i64*
  %24 = load i64, i64* %23, align 8
  %25 = add i64 %24, 0
  store i64 %25, i64* %23, align 8
  %26 = getelementptr i8, i8* %0, i64 {itemInstructions}
  %27 = bitcast i8* %26 to i64**
  %28 = load i64*, i64** %27, align 8
  %29 = icmp eq i64* %28, null
  br i1 %29, label %36, label %31
30:
  ret i64 -1
31:
  %32 = getelementptr i64, i64* %28, i64 %2
  %33 = bitcast i64* %32 to <8 x i64>*
  %34 = load <8 x i64>, <8 x i64>* %33, align 8
  %35 = add <8 x i64> %34, zeroinitializer
  store <8 x i64> %35, <8 x i64>* %33, align 8
  br label %36
36:
  %37 = getelementptr i8, i8* %0, i64 {marks}
  %38 = bitcast i8* %37 to i64*
  %39 = load i64, i64* %38, align 8
  %40 = add i64 %39, 0
  store i64 %40, i64* %38, align 8
  %41 = extractelement <8 x i64> %21, i64 0
  %42 = insertelement <8 x i64> poison, i64 %41, i32 0
  %43 = shufflevector <8 x i64> %42, <8 x i64> poison, <8 x i32> zeroinitializer
  %44 = icmp eq <8 x i64> %21, %43
  %45 = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %44)
  br i1 %45, label %46, label %30
46:
  ret i64 %41
}
declare i1 @llvm.vector.reduce.and.v8i1(<8 x i1>) #0
attributes #0 = { nofree nosync nounwind readnone willreturn }
!0 = !{!1, !1, i64 0}
!1 = !{!"data", !2, i64 0}
!2 = !{!"aiwc"}
