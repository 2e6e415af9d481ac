; Shifts by any amount: OpenCL C masks what it shifts by, other languages need not.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare spir_func i64 @_Z13get_global_idj(i32)

; Each work-item shifts its 16 bytes, taken for each of 8 types, in 3 ways by its 16 bytes of amounts.
define spir_kernel void @shifts([16 x i8] addrspace(1)* %values, [16 x i8] addrspace(1)* %amounts, [27 x [16 x i8]] addrspace(1)* %out) {
  %i = tail call spir_func i64 @_Z13get_global_idj(i32 0)
  %v = getelementptr inbounds [16 x i8], [16 x i8] addrspace(1)* %values, i64 %i
  %a = getelementptr inbounds [16 x i8], [16 x i8] addrspace(1)* %amounts, i64 %i

  %v0p = bitcast [16 x i8] addrspace(1)* %v to i8 addrspace(1)*
  %a0p = bitcast [16 x i8] addrspace(1)* %a to i8 addrspace(1)*
  %v0 = load i8, i8 addrspace(1)* %v0p, align 1
  %a0 = load i8, i8 addrspace(1)* %a0p, align 1
  %shl0 = shl i8 %v0, %a0
  %o0a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 0
  %o0 = bitcast [16 x i8] addrspace(1)* %o0a to i8 addrspace(1)*
  store i8 %shl0, i8 addrspace(1)* %o0, align 1
  %lshr0 = lshr i8 %v0, %a0
  %o1a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 1
  %o1 = bitcast [16 x i8] addrspace(1)* %o1a to i8 addrspace(1)*
  store i8 %lshr0, i8 addrspace(1)* %o1, align 1
  %ashr0 = ashr i8 %v0, %a0
  %o2a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 2
  %o2 = bitcast [16 x i8] addrspace(1)* %o2a to i8 addrspace(1)*
  store i8 %ashr0, i8 addrspace(1)* %o2, align 1

  %v1p = bitcast [16 x i8] addrspace(1)* %v to i16 addrspace(1)*
  %a1p = bitcast [16 x i8] addrspace(1)* %a to i16 addrspace(1)*
  %v1 = load i16, i16 addrspace(1)* %v1p, align 2
  %a1 = load i16, i16 addrspace(1)* %a1p, align 2
  %shl1 = shl i16 %v1, %a1
  %o3a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 3
  %o3 = bitcast [16 x i8] addrspace(1)* %o3a to i16 addrspace(1)*
  store i16 %shl1, i16 addrspace(1)* %o3, align 2
  %lshr1 = lshr i16 %v1, %a1
  %o4a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 4
  %o4 = bitcast [16 x i8] addrspace(1)* %o4a to i16 addrspace(1)*
  store i16 %lshr1, i16 addrspace(1)* %o4, align 2
  %ashr1 = ashr i16 %v1, %a1
  %o5a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 5
  %o5 = bitcast [16 x i8] addrspace(1)* %o5a to i16 addrspace(1)*
  store i16 %ashr1, i16 addrspace(1)* %o5, align 2

  %v2p = bitcast [16 x i8] addrspace(1)* %v to i32 addrspace(1)*
  %a2p = bitcast [16 x i8] addrspace(1)* %a to i32 addrspace(1)*
  %v2 = load i32, i32 addrspace(1)* %v2p, align 4
  %a2 = load i32, i32 addrspace(1)* %a2p, align 4
  %shl2 = shl i32 %v2, %a2
  %o6a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 6
  %o6 = bitcast [16 x i8] addrspace(1)* %o6a to i32 addrspace(1)*
  store i32 %shl2, i32 addrspace(1)* %o6, align 4
  %lshr2 = lshr i32 %v2, %a2
  %o7a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 7
  %o7 = bitcast [16 x i8] addrspace(1)* %o7a to i32 addrspace(1)*
  store i32 %lshr2, i32 addrspace(1)* %o7, align 4
  %ashr2 = ashr i32 %v2, %a2
  %o8a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 8
  %o8 = bitcast [16 x i8] addrspace(1)* %o8a to i32 addrspace(1)*
  store i32 %ashr2, i32 addrspace(1)* %o8, align 4

  %v3p = bitcast [16 x i8] addrspace(1)* %v to i64 addrspace(1)*
  %a3p = bitcast [16 x i8] addrspace(1)* %a to i64 addrspace(1)*
  %v3 = load i64, i64 addrspace(1)* %v3p, align 8
  %a3 = load i64, i64 addrspace(1)* %a3p, align 8
  %shl3 = shl i64 %v3, %a3
  %o9a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 9
  %o9 = bitcast [16 x i8] addrspace(1)* %o9a to i64 addrspace(1)*
  store i64 %shl3, i64 addrspace(1)* %o9, align 8
  %lshr3 = lshr i64 %v3, %a3
  %o10a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 10
  %o10 = bitcast [16 x i8] addrspace(1)* %o10a to i64 addrspace(1)*
  store i64 %lshr3, i64 addrspace(1)* %o10, align 8
  %ashr3 = ashr i64 %v3, %a3
  %o11a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 11
  %o11 = bitcast [16 x i8] addrspace(1)* %o11a to i64 addrspace(1)*
  store i64 %ashr3, i64 addrspace(1)* %o11, align 8

  %v4p = bitcast [16 x i8] addrspace(1)* %v to <4 x i8> addrspace(1)*
  %a4p = bitcast [16 x i8] addrspace(1)* %a to <4 x i8> addrspace(1)*
  %v4 = load <4 x i8>, <4 x i8> addrspace(1)* %v4p, align 4
  %a4 = load <4 x i8>, <4 x i8> addrspace(1)* %a4p, align 4
  %shl4 = shl <4 x i8> %v4, %a4
  %o12a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 12
  %o12 = bitcast [16 x i8] addrspace(1)* %o12a to <4 x i8> addrspace(1)*
  store <4 x i8> %shl4, <4 x i8> addrspace(1)* %o12, align 4
  %lshr4 = lshr <4 x i8> %v4, %a4
  %o13a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 13
  %o13 = bitcast [16 x i8] addrspace(1)* %o13a to <4 x i8> addrspace(1)*
  store <4 x i8> %lshr4, <4 x i8> addrspace(1)* %o13, align 4
  %ashr4 = ashr <4 x i8> %v4, %a4
  %o14a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 14
  %o14 = bitcast [16 x i8] addrspace(1)* %o14a to <4 x i8> addrspace(1)*
  store <4 x i8> %ashr4, <4 x i8> addrspace(1)* %o14, align 4

  %v5p = bitcast [16 x i8] addrspace(1)* %v to <4 x i16> addrspace(1)*
  %a5p = bitcast [16 x i8] addrspace(1)* %a to <4 x i16> addrspace(1)*
  %v5 = load <4 x i16>, <4 x i16> addrspace(1)* %v5p, align 8
  %a5 = load <4 x i16>, <4 x i16> addrspace(1)* %a5p, align 8
  %shl5 = shl <4 x i16> %v5, %a5
  %o15a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 15
  %o15 = bitcast [16 x i8] addrspace(1)* %o15a to <4 x i16> addrspace(1)*
  store <4 x i16> %shl5, <4 x i16> addrspace(1)* %o15, align 8
  %lshr5 = lshr <4 x i16> %v5, %a5
  %o16a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 16
  %o16 = bitcast [16 x i8] addrspace(1)* %o16a to <4 x i16> addrspace(1)*
  store <4 x i16> %lshr5, <4 x i16> addrspace(1)* %o16, align 8
  %ashr5 = ashr <4 x i16> %v5, %a5
  %o17a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 17
  %o17 = bitcast [16 x i8] addrspace(1)* %o17a to <4 x i16> addrspace(1)*
  store <4 x i16> %ashr5, <4 x i16> addrspace(1)* %o17, align 8

  %v6p = bitcast [16 x i8] addrspace(1)* %v to <4 x i32> addrspace(1)*
  %a6p = bitcast [16 x i8] addrspace(1)* %a to <4 x i32> addrspace(1)*
  %v6 = load <4 x i32>, <4 x i32> addrspace(1)* %v6p, align 16
  %a6 = load <4 x i32>, <4 x i32> addrspace(1)* %a6p, align 16
  %shl6 = shl <4 x i32> %v6, %a6
  %o18a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 18
  %o18 = bitcast [16 x i8] addrspace(1)* %o18a to <4 x i32> addrspace(1)*
  store <4 x i32> %shl6, <4 x i32> addrspace(1)* %o18, align 16
  %lshr6 = lshr <4 x i32> %v6, %a6
  %o19a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 19
  %o19 = bitcast [16 x i8] addrspace(1)* %o19a to <4 x i32> addrspace(1)*
  store <4 x i32> %lshr6, <4 x i32> addrspace(1)* %o19, align 16
  %ashr6 = ashr <4 x i32> %v6, %a6
  %o20a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 20
  %o20 = bitcast [16 x i8] addrspace(1)* %o20a to <4 x i32> addrspace(1)*
  store <4 x i32> %ashr6, <4 x i32> addrspace(1)* %o20, align 16

  %v7p = bitcast [16 x i8] addrspace(1)* %v to <2 x i64> addrspace(1)*
  %a7p = bitcast [16 x i8] addrspace(1)* %a to <2 x i64> addrspace(1)*
  %v7 = load <2 x i64>, <2 x i64> addrspace(1)* %v7p, align 16
  %a7 = load <2 x i64>, <2 x i64> addrspace(1)* %a7p, align 16
  %shl7 = shl <2 x i64> %v7, %a7
  %o21a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 21
  %o21 = bitcast [16 x i8] addrspace(1)* %o21a to <2 x i64> addrspace(1)*
  store <2 x i64> %shl7, <2 x i64> addrspace(1)* %o21, align 16
  %lshr7 = lshr <2 x i64> %v7, %a7
  %o22a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 22
  %o22 = bitcast [16 x i8] addrspace(1)* %o22a to <2 x i64> addrspace(1)*
  store <2 x i64> %lshr7, <2 x i64> addrspace(1)* %o22, align 16
  %ashr7 = ashr <2 x i64> %v7, %a7
  %o23a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 23
  %o23 = bitcast [16 x i8] addrspace(1)* %o23a to <2 x i64> addrspace(1)*
  store <2 x i64> %ashr7, <2 x i64> addrspace(1)* %o23, align 16

  ; By a constant, which LLVM would make any value of.
  %shlc = shl i8 %v0, 34
  %o24a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 24
  %o24 = bitcast [16 x i8] addrspace(1)* %o24a to i8 addrspace(1)*
  store i8 %shlc, i8 addrspace(1)* %o24, align 1
  %lshrc = lshr i8 %v0, 35
  %o25a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 25
  %o25 = bitcast [16 x i8] addrspace(1)* %o25a to i8 addrspace(1)*
  store i8 %lshrc, i8 addrspace(1)* %o25, align 1
  %ashrc = ashr i8 %v0, 36
  %o26a = getelementptr inbounds [27 x [16 x i8]], [27 x [16 x i8]] addrspace(1)* %out, i64 %i, i64 26
  %o26 = bitcast [16 x i8] addrspace(1)* %o26a to i8 addrspace(1)*
  store i8 %ashrc, i8 addrspace(1)* %o26, align 1
  ret void
}

!opencl.kernels = !{!0}
!opencl.ocl.version = !{!7}
!opencl.spir.version = !{!7}
!0 = !{void ([16 x i8] addrspace(1)*, [16 x i8] addrspace(1)*, [27 x [16 x i8]] addrspace(1)*)* @shifts, !1, !2, !3, !4, !5}
!1 = !{!"kernel_arg_addr_space", i32 1, i32 1, i32 1}
!2 = !{!"kernel_arg_access_qual", !"none", !"none", !"none"}
!3 = !{!"kernel_arg_type", !"char*", !"char*", !"char*"}
!4 = !{!"kernel_arg_type_qual", !"", !"", !""}
!5 = !{!"kernel_arg_base_type", !"char*", !"char*", !"char*"}
!7 = !{i32 1, i32 2}
