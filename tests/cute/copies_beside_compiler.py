# SPDX-License-Identifier: BSD-3-Clause
"""Random copies beside nvcc: the width and the number of the loads and stores that `check_copy` and `access` say, and those in the PTX.

copies_beside_compiler.py TESSERA [--count N] [--seed S] [--show] [--cute FOLDER] [--keep FOLDER] [--arch sm_90a]

Each case is a tile, a layout of it in global or shared memory or in registers on either side, threads, values and an atom: DefaultCopy,
AutoVectorizingCopyWithAssumedAlignment<N> or UniversalCopy<uintN_t>. All become kernels of one .cu of CuTe, which is compiled to PTX.
CuTe's headers are searched for in --cute, $CUTE_INCLUDE, and the nvidia-cutlass package of python3. Exit code 77: no nvcc or no headers."""
import argparse, collections, concurrent.futures, json, os, random, re, shutil, subprocess, sys, sysconfig, tempfile

TYPES = {'uint8_t': 8, 'half_t': 16, 'float': 32, 'double': 64}
SPACES = {'g': 'gmem', 's': 'smem', 'r': 'rmem'}


class Tile:
    """A layout of (m,n) elements, as C++ and as Tessera's text. cells: elements from the first to the last."""

    def __init__(self, cpp, text, cells, words, made='{}'):
        self.cpp, self.text, self.cells, self.words, self.made = cpp, text, cells, words, made


def static(shape, stride):
    """A Layout of static integers, its modes numbers or tuples."""
    def cpp(x, head):
        return f'Int<{x}>' if isinstance(x, int) else f'{head}<{", ".join(cpp(e, head) for e in x)}>'

    def text(x):
        return f'_{x}' if isinstance(x, int) else '(' + ','.join(text(e) for e in x) + ')'
    return f'Layout<{cpp(shape, "Shape")}, {cpp(stride, "Stride")}>', f'{text(shape)}:{text(stride)}'


def random_tile(rng, m, n, bits, space, swizzle_ok=True):
    by_rows = rng.random() < 0.7
    inner, outer = (n, m) if by_rows else (m, n)
    vector = max(1, 128 // bits)
    pad = rng.choice([0, 0, 0, vector, 1, 2, vector // 2, 2 * vector])
    form = rng.random()
    ld = inner + pad
    if space == 'g' and form < 0.35:  # as of a matrix that arrives at run time
        shape = f'make_shape(Int<{m}>{{}}, Int<{n}>{{}})'
        stride = 'make_stride({0}, Int<1>{{}})' if by_rows else 'make_stride(Int<1>{{}}, {0})'
        # decltype of an int's name, and the value of a parameter of the kernel
        return Tile(f'decltype(make_layout({shape}, {stride.format("1000")}))', f'make_layout({shape}, {stride.format(ld)})', outer * ld,
                    'dynamic stride', f'make_layout({shape}, {stride.format("ld")})')
    if space == 's' and swizzle_ok and form < 0.4 and by_rows:
        base = max(1, vector.bit_length() - 1) if rng.random() < 0.85 else rng.choice([1, 2])
        b, s = rng.choice([(1, 3), (2, 3), (3, 3), (3, 4)])
        cpp, text = static((m, n), (n, 1))
        return Tile(f'decltype(composition(Swizzle<{b}, {base}, {s}>{{}}, {cpp}{{}}))', f'Sw<{b},{base},{s}> o 0 o {text}', m * n,
                    f'swizzle {b},{base},{s}')
    if form < 0.55 and n % 8 == 0:  # columns in blocks
        half = n // 2
        cpp, text = static((m, (half, 2)), (half, (1, m * half)))
        return Tile(cpp, text, m * n, 'blocks')
    cpp, text = static((m, n), (ld, 1) if by_rows else (1, ld))
    return Tile(cpp, text, outer * ld, ('rows' if by_rows else 'columns') + (f' + {pad}' if pad else ''))


class Case:
    def __init__(self, rng, number):
        self.number = number
        self.type = rng.choice(list(TYPES))
        self.bits = TYPES[self.type]
        vector = max(1, 128 // self.bits)
        threads = rng.choice([(32, 1), (16, 2), (8, 4), (4, 8), (16, 8)])
        thread_stride = (threads[1], 1) if rng.random() < 0.7 else (1, threads[0])
        along_rows = rng.random() < 0.75
        count = rng.choice([1, 2, vector // 2 or 1, vector, vector, 2 * vector])
        values = (1, count) if along_rows else (count, 1)
        m, n = (threads[0] * values[0] * rng.choice([1, 2]), threads[1] * values[1] * rng.choice([1, 2]))
        self.sides = rng.choice(['gr', 'rg', 'sr', 'rs', 'gs', 'gs', 'sg'])
        self.tiles = [None if s == 'r' else random_tile(rng, m, n, self.bits, s) for s in self.sides]
        roll = rng.random()
        if roll < 0.4:
            self.kind, self.atom = 'DefaultCopy', 'DefaultCopy'
        elif roll < 0.75:
            self.kind = 'AutoVectorizingCopy'
            self.atom = f'AutoVectorizingCopyWithAssumedAlignment<{rng.choice([8, 16, 32, 64, 128, 128, 128])}>'
        else:
            self.kind = 'UniversalCopy'
            wide = rng.choice([w for w in (8, 16, 32, 64, 128) if w >= self.bits and w // self.bits <= count])
            self.atom = f'UniversalCopy<uint{wide}_t>' if wide < 128 else 'UniversalCopy<uint128_t>'
        self.threads, self.values = static(threads, thread_stride), static(values, (1, values[0]))

    def kernel(self):
        name = f'k{self.number}'
        lines = [f'__global__ void {name}({self.type} const* in, {self.type}* out, int ld) {{']
        for side, (space, tile) in enumerate(zip(self.sides, self.tiles)):
            if space == 's':
                lines.append(f'  __shared__ alignas(128) {self.type} memory{side}[{tile.cells}];')
                lines.append(f'  keep(memory{side});')
                lines.append(f'  auto tile{side} = make_tensor(make_smem_ptr(memory{side}), {tile.cpp}{{}});')
            elif space == 'g':
                made = tile.made if tile.made != '{}' else tile.cpp + '{}'
                lines.append(f'  auto tile{side} = make_tensor(make_gmem_ptr({"in" if side == 0 else "out"}), {made});')
        lines.append(f'  auto copy_ = make_tiled_copy(Copy_Atom<{self.atom}, {self.type}>{{}}, {self.threads[0]}{{}}, {self.values[0]}{{}});')
        lines.append('  auto part = copy_.get_slice(threadIdx.x);')
        memory = 0 if self.sides[0] != 'r' else 1
        lines.append(f'  auto mine = part.partition_{"SD"[memory]}(tile{memory});')
        if 'r' not in self.sides:
            lines.append('  auto other = part.partition_D(tile1);')
            lines.append('  copy(copy_, mine, other);')
        elif memory == 0:
            lines += ['  auto fragment = make_fragment_like(mine);', '  copy(copy_, mine, fragment);', '  use(fragment);']
        else:
            lines += ['  auto fragment = make_fragment_like(mine);', '  fill(fragment);', '  copy(copy_, fragment, mine);']
        return '\n'.join(lines + ['}'])

    def expression(self):
        tiles = [t.text if t else self.tiles[1 - i].text for i, t in enumerate(self.tiles)]
        copy = f'make_tiled_copy(Copy_Atom<{self.atom}, {self.type}>, {self.threads[1]}, {self.values[1]})'
        return (f'check_copy({copy}, {tiles[0]}, {tiles[1]}, bits={self.bits}, src_space={SPACES[self.sides[0]]}, '
                f'dst_space={SPACES[self.sides[1]]})')

    def may_be_apart(self, side):
        from_registers = self.kind == 'UniversalCopy' and self.sides[0] == 'r'
        return from_registers or re.search('swizzle|blocks', self.tiles[side].words)

    def words(self):
        where = ' -> '.join(f'{SPACES[s]}{f" ({t.words})" if t else ""}' for s, t in zip(self.sides, self.tiles))
        return f'{self.atom} {self.type} thr {self.threads[1]} val {self.values[1]}: {where}'


PRELUDE = '''#include <cute/tensor.hpp>
using namespace cute;
// The compiler knows no content of it, and has to store what is stored.
template <class T> __device__ void keep(T* memory) { asm volatile("" ::"l"(memory) : "memory"); }
__device__ void use(uint8_t v) { asm volatile("" ::"h"(static_cast<unsigned short>(v))); }
__device__ void use(half_t v) { asm volatile("" ::"h"(v.storage)); }
__device__ void use(float v) { asm volatile("" ::"f"(v)); }
__device__ void use(double v) { asm volatile("" ::"d"(v)); }
template <class E, class L> __device__ void use(Tensor<E, L> const& f) {
  CUTE_UNROLL
  for (int i = 0; i < size(f); ++i) use(f(i));
}
__device__ void fill(uint8_t& v) { unsigned short s; asm volatile("mov.u16 %0, 1;" : "=h"(s)); v = static_cast<uint8_t>(s); }
__device__ void fill(half_t& v) { asm volatile("mov.u16 %0, 1;" : "=h"(v.storage)); }
__device__ void fill(float& v) { asm volatile("mov.f32 %0, 0f3F800000;" : "=f"(v)); }
__device__ void fill(double& v) { asm volatile("mov.f64 %0, 0d3FF0000000000000;" : "=d"(v)); }
template <class E, class L> __device__ void fill(Tensor<E, L>& f) {
  CUTE_UNROLL
  for (int i = 0; i < size(f); ++i) fill(f(i));
}
extern "C" {
'''

ACCESS = re.compile(r'\b(ld|st)\.(?:volatile\.|relaxed\.\w+\.)?(global|shared)((?:\.\w+)*)\s')


def accesses(ptx):
    """Kernel -> {(ld or st, space): {bits: how many}}."""
    made, kernel = {}, None
    for line in ptx.splitlines():
        entry = re.match(r'\s*\.visible \.entry (\w+)', line)
        if entry:
            kernel = entry.group(1)
            made[kernel] = collections.defaultdict(collections.Counter)
        found = ACCESS.search(line)
        if found and kernel:
            parts = found.group(3).split('.')[1:]
            lanes = next((int(p[1:]) for p in parts if re.fullmatch(r'v\d', p)), 1)
            width = int(re.sub(r'\D', '', parts[-1]))
            made[kernel][found.group(1), found.group(2)][lanes * width] += 1
    return made


def cute_folder(given):
    package = [os.path.join(sysconfig.get_paths()['purelib'], name) for name in ('cutlass_library/source/include', 'nvidia/cutlass/include')]
    for folder in [given, os.environ.get('CUTE_INCLUDE')] + package:
        if folder and os.path.exists(os.path.join(folder, 'cute', 'tensor.hpp')):
            return folder
    return None


def compile_ptx(text, folder, number, cute, arch):
    source = os.path.join(folder, f'copies{number}.cu')
    with open(source, 'w') as f:
        f.write(text)
    made = subprocess.run(['nvcc', '-std=c++17', f'-arch={arch}', '-ptx', '-w', '-I', cute, source, '-o', source + '.ptx'],
                          capture_output=True, text=True)
    if made.returncode != 0:
        return None, made.stderr
    with open(source + '.ptx') as f:
        return f.read(), ''


def compile_all(cases, folder, cute, arch):
    """The PTX without the kernels that CuTe refuses; None where something else is wrong."""
    refused = set()
    while True:
        text = PRELUDE
        begins = []
        for case in cases:
            if case.number not in refused:
                begins.append((text.count('\n') + 1, case.number))
                text += case.kernel() + '\n'
        ptx, error = compile_ptx(text + '}\n', folder, cases[0].number, cute, arch)
        if ptx is not None:
            return ptx
        lines = {int(n) for n in re.findall(r'at line (\d+) of "?[^"\n]*copies\d+\.cu', error)}
        lines |= {int(n) for n in re.findall(r'copies\d+\.cu\((\d+)\): error', error)}
        found = {max(b for b in begins if b[0] <= line)[1] for line in lines}
        if not found:
            print(error)
            return None
        refused |= found


def width_of(instruction):
    """LDG.U16, STS, LDS.128 -> bits."""
    found = re.fullmatch(r'(?:LD|ST)[GS](?:\.U?(\d+))?', instruction)
    return None if not found else int(found.group(1) or 32)


def compare(case, answer, kernel):
    """What the answer is beside the compiler's kernel, None where CuTe refuses it, and a line for each side that lies in memory.

    same     the instructions of the compiler
    apart    in shared memory, behind a swizzle or in blocks, or of a UniversalCopy's registers: the compiler leaves some apart
    joined   in shared memory: the compiler joins what a UniversalCopy takes one by one, or some, where not every thread's could be joined
    refused  by CuTe, and said to be no sound copy"""
    notes = ' '.join(answer.get('notes', []))
    if not answer.get('ok'):
        return ('WRONG' if kernel else 'refused'), [answer.get('error', {}).get('message', '?')]
    if kernel is None:
        sound = 'not as wide as the instruction' not in notes and 'no possible access' not in answer['value']
        return ('WRONG' if sound else 'refused'), ['CuTe does not compile it']
    verdicts, lines = {'same'}, []
    for side, letter in enumerate(case.sides):
        if letter == 'r':
            continue
        real = dict(kernel['ld' if side == 0 else 'st', 'global' if letter == 'g' else 'shared'])
        faults = re.search(rf'{"source" if side == 0 else "destination"}: ((?:LD|ST)\S+) faults', notes)
        mine = faults.group(1) if faults else answer.get('src_instruction' if side == 0 else 'dst_instruction')
        lines.append(f'{mine} | {real}')
        width = mine and width_of(mine)
        if not width:
            verdicts.add('WRONG')
        elif set(real) == {width}:
            continue
        elif letter == 's' and min(real) >= width and (case.kind == 'UniversalCopy' or min(real) == width):
            verdicts.add('joined')
        elif letter == 's' and case.may_be_apart(side) and min(real) >= case.bits:
            verdicts.add('apart')
        else:
            verdicts.add('WRONG')
    return next(v for v in ('WRONG', 'apart', 'joined', 'same') if v in verdicts), lines


def answers(tessera, cases):
    lines = '\n'.join(json.dumps({'id': str(c.number), 'expr': c.expression()}) for c in cases)
    made = subprocess.run([tessera, 'batch'], input=lines + '\n', capture_output=True, text=True)
    return {a['id']: a for a in map(json.loads, made.stdout.splitlines())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tessera')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--part', type=int, default=50, help='kernels of one file')
    parser.add_argument('--cute')
    parser.add_argument('--keep')
    parser.add_argument('--arch', default='sm_90a')
    parser.add_argument('--show', action='store_true')
    args = parser.parse_args()
    cute = cute_folder(args.cute)
    if not shutil.which('nvcc') or not cute:
        print('skipped: no nvcc' if cute else 'skipped: no headers of CuTe')
        return 77
    rng = random.Random(args.seed)
    cases = [Case(rng, i) for i in range(args.count)]
    said = answers(args.tessera, cases)
    folder = args.keep or tempfile.mkdtemp()
    parts = [cases[i:i + args.part] for i in range(0, len(cases), args.part)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        all_ptx = list(pool.map(lambda part: compile_all(part, folder, cute, args.arch), parts))
    if None in all_ptx:
        return 1
    emitted = {name: kernel for ptx in all_ptx for name, kernel in accesses(ptx).items()}
    table = collections.Counter()
    for case in cases:
        verdict, lines = compare(case, said[str(case.number)], emitted.get(f'k{case.number}'))
        kind = case.kind, '->'.join(SPACES[s] for s in case.sides)
        table[kind, verdict] += 1
        if args.show and verdict != 'same' or verdict == 'WRONG':
            print(f'{verdict}: {case.words()}', *lines, sep='\n    ')
    verdicts = ['same', 'apart', 'joined', 'refused', 'WRONG']
    print(f'{"":20} {"":12}' + ''.join(f'{v:>9}' for v in verdicts))
    for kind in sorted({k for k, _ in table}):
        print(f'{kind[0]:20} {kind[1]:12}' + ''.join(f'{table[kind, v]:9}' for v in verdicts))
    total = {v: sum(n for (_, each), n in table.items() if each == v) for v in verdicts}
    print(f'{"":33}' + ''.join(f'{total[v]:9}' for v in verdicts))
    return total['WRONG'] > 0 or total['same'] < 0.75 * args.count


sys.exit(main())
