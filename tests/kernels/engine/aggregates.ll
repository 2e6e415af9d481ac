; Structures and arrays as values: OpenCL C is compiled without, other languages with them.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

%entry = type { float, i32, [2 x i64] }

declare spir_func i64 @_Z13get_global_idj(i32)

define internal spir_func %entry @turn(%entry %given, [2 x i32] %by) noinline {
  %x = extractvalue %entry %given, 0
  %doubled = fmul float %x, 2.000000e+00
  %first = extractvalue [2 x i32] %by, 0
  %second = extractvalue [2 x i32] %by, 1
  %sum = add i32 %first, %second
  %a = insertvalue %entry %given, float %doubled, 0
  %b = insertvalue %entry %a, i32 %sum, 1
  %old = extractvalue %entry %given, 2, 1
  %whole = extractvalue %entry %b, 2
  %swapped = insertvalue [2 x i64] %whole, i64 %old, 0
  %c = insertvalue %entry %b, [2 x i64] %swapped, 2
  ret %entry %c
}

define spir_kernel void @aggregates(%entry addrspace(1)* %data, i32 addrspace(1)* %out) {
entry:
  %i = tail call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds %entry, %entry addrspace(1)* %data, i64 %i
  %mine = load %entry, %entry addrspace(1)* %p, align 8
  %kind = extractvalue %entry %mine, 1
  %odd = and i32 %kind, 1
  %isodd = icmp eq i32 %odd, 1
  br i1 %isodd, label %yes, label %no

yes:
  %pair = insertvalue [2 x i32] [i32 7, i32 0], i32 %kind, 1
  %turned = call spir_func %entry @turn(%entry %mine, [2 x i32] %pair)
  br label %done

no:
  %marked = insertvalue %entry { float 1.5, i32 3, [2 x i64] zeroinitializer }, i64 %i, 2, 1
  br label %done

done:
  %result = phi %entry [ %turned, %yes ], [ %marked, %no ]
  %chosen = select i1 %isodd, %entry %result, %entry %mine
  store %entry %chosen, %entry addrspace(1)* %p, align 8
  %last = extractvalue %entry %result, 2, 0
  %low = trunc i64 %last to i32
  %o = getelementptr inbounds i32, i32 addrspace(1)* %out, i64 %i
  store i32 %low, i32 addrspace(1)* %o, align 4
  ret void
}

!opencl.kernels = !{!0}
!opencl.ocl.version = !{!7}
!opencl.spir.version = !{!7}
!0 = !{void (%entry addrspace(1)*, i32 addrspace(1)*)* @aggregates, !1, !2, !3, !4, !5}
!1 = !{!"kernel_arg_addr_space", i32 1, i32 1}
!2 = !{!"kernel_arg_access_qual", !"none", !"none"}
!3 = !{!"kernel_arg_type", !"long*", !"int*"}
!4 = !{!"kernel_arg_type_qual", !"", !""}
!5 = !{!"kernel_arg_base_type", !"long*", !"int*"}
!7 = !{i32 1, i32 2}
