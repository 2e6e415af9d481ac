; Clang's -Oz: what is loaded twice is loaded once; functions of the C library's names are nothing
; special, so the square stays a call of pow.
declare double @pow(double, double) #1
define spir_kernel void @k(double addrspace(1)* %p, double addrspace(1)* %out) #0 {
  %a = load double, double addrspace(1)* %p, align 8
  %b = load double, double addrspace(1)* %p, align 8
  %c = call double @pow(double %a, double 2.0)
  %d = fadd double %b, %c
  store double %d, double addrspace(1)* %out, align 8
  ret void
}
attributes #0 = { minsize optsize }
attributes #1 = { nounwind readnone willreturn }
; ==== after
declare double @pow(double, double) local_unnamed_addr #1
define spir_kernel void @k(double addrspace(1)* nocapture readonly %p, double addrspace(1)* nocapture writeonly %out) local_unnamed_addr #0 {
  %a = load double, double addrspace(1)* %p, align 8
  %c = tail call double @pow(double %a, double 2.0)
  %d = fadd double %a, %c
  store double %d, double addrspace(1)* %out, align 8
  ret void
}
attributes #0 = { minsize mustprogress nofree nosync nounwind optsize willreturn }
attributes #1 = { mustprogress nofree nosync nounwind readnone willreturn }
