# SPDX-License-Identifier: BSD-3-Clause
"""What `tessera trace` starts with Python: run.py --out FILE.trace [options] --file FILE.py|--module NAME -- ARGUMENTS"""
import os
import sys

if __name__ == "__main__":
    keeps_no_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # where Tessera is installed nothing is written
    here = os.path.dirname(os.path.realpath(__file__))
    sys.path[:] = [here, *(path for path in sys.path if os.path.realpath(path) != here)]  # the first one gives way to the program's folder
    from tessera_trace.program import main

    sys.exit(main(sys.argv[1:], keeps_no_bytecode))
