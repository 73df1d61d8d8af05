# SPDX-License-Identifier: BSD-3-Clause
"""Runs a CuTe DSL program up to its kernels' code, without a GPU, and writes down each layout, tensor, copy and MMA that it names.

`tessera trace` starts it. The modules, from the inside out:

    prints       what the DSL prints of an object, taken apart
    operations   an instruction as a call of the DSL
    kinds        an object's kind and its fields
    places       where a source names a thing
    trace_file   the file that is written
    collector    watches the program's variables
    device       stands in for a GPU
    program      runs the program
"""
