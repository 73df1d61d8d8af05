# SPDX-License-Identifier: BSD-3-Clause
"""What `tessera trace` starts with Python: run.py --out FILE.trace [options] --file FILE.py|--module NAME -- ARGUMENTS"""
import os
import sys

if __name__ == "__main__":
    sys.dont_write_bytecode = True  # where Tessera is installed nothing is written
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from tessera_trace.program import main

    sys.exit(main(sys.argv[1:]))
