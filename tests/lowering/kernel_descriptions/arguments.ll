; What OpenCL tells of arguments. CUDA's pointers tell no address space; the hidden argument does.
%struct.S = type { i32, i32 }
@dynamic = external addrspace(3) global [0 x float], align 4
define spir_kernel void @k(i8 addrspace(4)* %p, float %x, i16 %s, %struct.S* byval(%struct.S) %object) {
  %a = getelementptr inbounds [0 x float], [0 x float] addrspace(3)* @dynamic, i64 0, i64 1
  store float %x, float addrspace(3)* %a
  ret void
}
; ==== after
%struct.S = type { i32, i32 }
define spir_kernel void @k(i8 addrspace(4)* %p, float %x, i16 %s, %struct.S* byval(%struct.S) %object, float addrspace(3)* %0) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 !kernel_arg_name !4 {
  %dynamic = bitcast float addrspace(3)* %0 to [0 x float] addrspace(3)*
  %a = getelementptr inbounds [0 x float], [0 x float] addrspace(3)* %dynamic, i64 0, i64 1
  store float %x, float addrspace(3)* %a
  ret void
}
!0 = !{i32 0, i32 0, i32 0, i32 0, i32 3}
!1 = !{!"none", !"none", !"none", !"none", !"none"}
!2 = !{!"void*", !"float", !"short", !"struct", !"void*"}
!3 = !{!"", !"", !"", !"", !""}
!4 = !{!"p", !"x", !"s", !"object", !""}
