#!/usr/bin/env python3
"""Calls an algorithm of PyOpenCL: pyopencl_calls.py reduction|scan|sort|random|elementwise N"""
import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as array
from pyopencl.algorithm import RadixSort
from pyopencl.clrandom import PhiloxGenerator
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import GenericScanKernel

if len(sys.argv) != 3:
    sys.exit(__doc__)
what, n = sys.argv[1], int(sys.argv[2])
context = cl.create_some_context(False)
queue = cl.CommandQueue(context)
if what == "reduction":
    x = array.to_device(queue, np.arange(n, dtype=np.float32) % 17)
    print(ReductionKernel(context, np.float32, neutral="0", reduce_expr="a+b",
                          map_expr="x[i]*x[i]", arguments="__global float *x")(x).get())
elif what == "scan":
    x = array.to_device(queue, np.arange(n, dtype=np.int32) % 5)
    GenericScanKernel(context, np.int32, arguments="__global int *x", input_expr="x[i]",
                      scan_expr="a+b", neutral="0", output_statement="x[i] = item;")(x)
    print(x.get()[-1])
elif what == "sort":
    keys = array.to_device(queue, (np.arange(n, dtype=np.int64) * 7919 % 251).astype(np.int32))
    sort = RadixSort(context, "int *k", key_expr="k[i]", sort_arg_names=["k"],
                     scan_kernel=GenericScanKernel)
    print(sort(keys, key_bits=8, queue=queue)[0][0].get()[:4])
elif what == "random":
    print(PhiloxGenerator(context, seed=7).normal(queue, n, np.float32).get()[:2])
elif what == "elementwise":
    x = array.to_device(queue, np.arange(n, dtype=np.float32))
    print((x * 2 + x / 3).get()[-1])
else:
    sys.exit(__doc__)
