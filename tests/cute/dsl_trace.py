# SPDX-License-Identifier: BSD-3-Clause
"""Runs statements in the CuTe DSL: what each one's last expression is, as JSON lines on stdout. differential_dsl.py starts it.

dsl_trace.py REQUESTS     (CUTE_DSL_ARCH says the architecture)

REQUESTS has a JSON object a line: {"id": 3, "program": "a = cute.make_layout(4)\\na[0]"}. Everything runs inside of one function under
@cute.jit, which is traced on the CPU and not compiled. A row is written as soon as it is known: where a statement ends the process, the
rows before it are kept."""
import json, sys

import cutlass
import cutlass.cute as cute
import cutlass.utils as utils
import cutlass.utils.blackwell_helpers as sm100_utils
import cutlass.utils.blockscaled_layout as blockscaled_utils
import cutlass.utils.hopper_helpers as sm90_utils
from cutlass.cute.nvgpu import cpasync, tcgen05, warp, warpgroup

NAMES = dict(cutlass=cutlass, cute=cute, utils=utils, sm100_utils=sm100_utils, blockscaled_utils=blockscaled_utils, sm90_utils=sm90_utils,
             cpasync=cpasync, tcgen05=tcgen05, warp=warp, warpgroup=warpgroup)


def folded(value):
    """The number that the operations behind an MLIR value of constants give, or none."""
    op = getattr(value, 'owner', None)
    op = getattr(op, 'operation', op)
    name = getattr(op, 'name', '')
    if name == 'arith.constant':
        return int(str(op.attributes['value']).split(' : ')[0].replace('true', '1').replace('false', '0'))
    rules = {'arith.addi': lambda a, b: a + b, 'arith.subi': lambda a, b: a - b, 'arith.muli': lambda a, b: a * b, 'arith.ori': lambda a,
             b: a | b,
             'arith.andi': lambda a, b: a & b, 'arith.shli': lambda a, b: a << b, 'arith.extsi': lambda a: a, 'arith.trunci': lambda a: a,
             'arith.extui': lambda a: a, 'arith.index_cast': lambda a: a}
    if name not in rules:
        return None
    operands = [folded(operand) for operand in op.operands]
    return None if None in operands else rules[name](*operands)


def text(value):
    """A value as the DSL prints it; tuples and lists of them alike."""
    if value is None:
        return '_'
    if isinstance(value, (tuple, list)):
        return '(' + ','.join(text(v) for v in value) + ')'
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, type):
        return value.__name__
    printed = str(value)
    if printed == '?' and hasattr(value, 'ir_value'):
        known = folded(value.ir_value())
        return printed if known is None else str(known & 0xFFFF if type(value).__name__ == 'Int16' else known)
    return printed


def pointer_bits(value):
    """The width of a tensor's elements, to read the swizzle of its pointer, which counts bytes."""
    try:
        return value.element_type.width if isinstance(value, cute.Tensor) else None
    except Exception:
        return None


def answer(program):
    *before, last = program.split('\n')
    scope = dict(NAMES)
    exec('\n'.join(before), scope)
    value = eval(last, scope)
    return {'kind': type(value).__name__, 'text': text(value), 'bits': pointer_bits(value)}


def write(row):
    sys.stdout.write(json.dumps(row) + '\n')
    sys.stdout.flush()


@cute.jit
def run():
    run_all()


def run_all():
    for line in open(sys.argv[1]):
        request = json.loads(line)
        write({'id': request['id'], 'begun': True})
        try:
            row = answer(request['program'])
        except BaseException as error:
            row = {'error': f'{type(error).__name__}: {error}'[:600]}
        write({'id': request['id'], **row})


try:
    run()
except BaseException as error:  # of the module as a whole, when all statements have their rows
    print(f'{type(error).__name__}: {error}'[:300], file=sys.stderr)
