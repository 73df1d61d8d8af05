# SPDX-License-Identifier: BSD-3-Clause
"""What `tessera draw --style print_latex --to tex` writes of random objects, beside what CuTe's own print_latex writes of the same words.

print_latex.py TESSERA [--count N] [--seed S] [--show NAME] [--keep FOLDER]

The objects are layouts, swizzled layouts, (thread, value) layouts on tiles, MMA atoms, tiled MMAs and tiled copies, each spelled once, in
C++ that both read. One program with all of them is compiled, and one document of them drawn; the pictures have to be the same, line by
line, and of the comments before them CuTe's print of the object.

TESSERA_CUTE_INCLUDE is the folder that has cute/ and cutlass/; without it that of the package nvidia-cutlass is looked for, of Python. CUDA's headers
are those of TESSERA_CUDA_INCLUDE, or of nvcc. Exit code 77: one of these, or a compiler, is not here."""
import argparse, glob, importlib.util, os, random, re, shutil, subprocess, sys, tempfile

from tuples import leaves, product

MOST_CELLS = 1 << 12  # of a picture

MMAS = [  # their tiles are small
    ('SM61_DP4A', (1, 1, 4)), ('SM61_DP2A', (1, 1, 2)), ('UniversalFMA<float,float,float>', (1, 1, 1)),
    ('SM70_8x8x4_F32F16F16F32_NT', (8, 8, 4)), ('SM70_8x8x4_F32F16F16F32_NN', (8, 8, 4)), ('SM70_8x8x4_F32F16F16F32_TN', (8, 8, 4)),
    ('SM70_8x8x4_F32F16F16F32_TT', (8, 8, 4)), ('SM70_8x8x4_F16F16F16F16_NT', (8, 8, 4)), ('SM75_16x8x8_F32F16F16F32_TN', (16, 8, 8)),
    ('SM75_8x8x16_S32S8S8S32_TN', (8, 8, 16)), ('SM80_16x8x8_F32F16F16F32_TN', (16, 8, 8)), ('SM80_16x8x8_F32TF32TF32F32_TN', (16, 8, 8)),
    ('SM80_16x8x16_F32F16F16F32_TN', (16, 8, 16)), ('SM80_16x8x16_F16F16F16F16_TN', (16, 8, 16)), ('SM80_8x8x4_F64F64F64F64_TN', (8, 8, 4)),
    ('SM80_16x8x32_S32S8S8S32_TN', (16, 8, 32)), ('SM80_8x8x32_S32S4S4S32_TN', (8, 8, 32)), ('SM89_16x8x32_F32E4M3E4M3F32_TN', (16, 8, 32)),
    ('SM90_64x8x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>', (64, 8, 16)),
    ('SM90_64x16x16_F32F16F16_RS<GMMA::Major::K,GMMA::Major::MN>', (64, 16, 16)), ('SM90_64x8x8_F32TF32TF32_SS_TN<>', (64, 8, 8)),
    ('SM120_16x8x32_TN<float_e2m1_t,float_e4m3_t,float>', (16, 8, 32)),
]
# Instructions, their element's type, how many threads take one and how many elements a thread has of it.
COPIES = [
    ('UniversalCopy<float>', 'float', 1, 1), ('UniversalCopy<uint128_t>', 'half_t', 1, 8), ('UniversalCopy<uint64_t>', 'float', 1, 2),
    ('SM80_CP_ASYNC_CACHEALWAYS<uint128_t>', 'float', 1, 4), ('DefaultCopy', 'half_t', 1, 1),
    ('SM75_U32x1_LDSM_N', 'half_t', 32, 2), ('SM75_U32x2_LDSM_N', 'half_t', 32, 4), ('SM75_U32x4_LDSM_N', 'half_t', 32, 8),
    ('SM75_U16x2_LDSM_T', 'half_t', 32, 2), ('SM75_U16x4_LDSM_T', 'half_t', 32, 4), ('SM75_U16x8_LDSM_T', 'half_t', 32, 8),
    ('SM90_U32x1_STSM_N', 'half_t', 32, 2), ('SM90_U32x2_STSM_N', 'half_t', 32, 4), ('SM90_U16x4_STSM_T', 'half_t', 32, 4),
]


def number(n):
    return f'Int<{n}>'


def types(word, value):
    """Shape<_4,Shape<_2,_2>> of nested tuples."""
    return f'{word}<{",".join(types(word, v) for v in value)}>' if isinstance(value, tuple) else number(value)


def layout(shape, stride):
    return f'Layout<{types("Shape", shape)},{types("Stride", stride)}>{{}}'


def layout_type(shape, stride):
    return layout(shape, stride)[:-2]


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def nest(self, count, depth=0):
        """A shape of about so many elements, nested now and then."""
        if depth < 2 and count > 3 and self.rng.random() < 0.35:
            first = self.rng.choice([2, 2, 3, 4])
            return (self.nest(first, depth + 1), self.nest(max(1, count // first), depth + 1))
        return count

    def strides(self, shape):
        return tuple(self.strides(s) for s in shape) if isinstance(shape, tuple) else self.rng.choice([0, 1, 1, 2, 3, 4, 5, 8, 12, 16, 32, 64])

    def compact(self, shape):
        """Strides of an order of the leaves that is as good as any other."""
        extents = leaves(shape)
        strides, step = {}, 1
        for i in self.rng.sample(range(len(extents)), len(extents)):
            strides[i], step = step, step * extents[i]
        places = iter(range(len(extents)))

        def fill(s):
            return tuple(fill(e) for e in s) if isinstance(s, tuple) else strides[next(places)]

        return fill(shape)

    def plain(self):
        rank = self.rng.choice([1, 2, 2, 2])
        shape = tuple(self.nest(self.rng.choice([1, 2, 3, 4, 5, 6, 8, 12])) for _ in range(rank))
        if rank == 1 and self.rng.random() < 0.5:
            shape = shape[0]
        stride = self.strides(shape) if self.rng.random() < 0.5 else self.compact(shape)
        roll = self.rng.random()
        if roll < 0.2 and isinstance(shape, tuple) and not any(isinstance(s, tuple) for s in shape) and len(shape) == 2:  # numbers of the run
            return f'make_layout(make_shape({shape[0]},{number(shape[1])}{{}}), make_stride({number(stride[0])}{{}},{stride[1]}))'
        return layout(shape, stride)

    def swizzled(self):
        bits, base, shift = self.rng.choice([(1, 0, 1), (1, 0, 3), (2, 0, 2), (2, 1, 3), (3, 0, 3), (2, 3, 3), (3, 3, 3), (1, 2, 4), (2, 2, -3)])
        shape = (self.rng.choice([4, 8]), self.rng.choice([8, 16, 32]))
        if self.rng.random() < 0.3:
            shape = ((2, shape[0] // 2), shape[1])
        inner = layout(shape, self.compact(shape))
        roll = self.rng.random()
        if roll < 0.6:
            return f'composition(Swizzle<{bits},{base},{shift}>{{}}, {inner})'
        if roll < 0.8:
            return f'composition(Swizzle<{bits},{base},{shift}>{{}}, {number(self.rng.choice([1, 2, 8, 40]))}{{}}, {inner})'
        major, width, kind = self.rng.choice(['K', 'MN']), self.rng.choice([32, 64]), self.rng.choice(['half_t', 'float', 'tfloat32_t'])
        return f'GMMA::Layout_{major}_SW{width}_Atom<{kind}>{{}}'

    def owners(self):
        """A layout of threads and values, and the tile that it numbers; threads may share cells, and leave some free."""
        threads, values = self.rng.choice([(8, 4), (16, 2), (4, 6), (32, 4), (12, 3), (2, 9), (1, 5)])
        shape = (self.nest(threads), self.nest(values))
        stride = self.compact(shape)
        total = product(shape)
        rows = self.rng.choice(sorted(leaves(stride)))  # a divide of the tile is one between two leaves
        if self.rng.random() < 0.25 and not isinstance(shape[0], tuple):  # every thread holds the same, or reaches over the tile of another
            stride = (0, stride[1])
        return layout(shape, stride), layout((rows, total // rows * self.rng.choice([1, 1, 1, 2])), (1, rows))

    def mode(self, atom, atoms):
        """A permutation of one mode: none, a multiple of the atoms, or a layout of that size."""
        extent = atom * atoms
        roll = self.rng.random()
        if roll < 0.3:
            return 'Underscore', extent
        if roll < 0.6:
            times = self.rng.choice([1, 2])
            return number(extent * times), extent * times
        if extent % 4 == 0:
            inner = self.rng.choice([2, extent // 2])
            shape = (inner, extent // inner)
            return layout_type(shape, (extent // inner, 1) if self.rng.random() < 0.5 else (1, inner)), extent
        return number(extent), extent

    def tiled_mma(self):
        while True:
            name, shape = self.rng.choice(MMAS)
            atoms = self.rng.choice([(1, 1, 1), (2, 1, 1), (1, 2, 1), (2, 2, 1), (1, 4, 1), (1, 1, 2), (2, 1, 2), (1, 2, 2), (4, 1, 1), (3, 1, 1)])
            modes = [self.mode(s, a) for s, a in zip(shape, atoms)]
            m, n, k = (e for _, e in modes)
            if m * n + m * k + n * k <= MOST_CELLS:
                break
        thr = layout(atoms, self.compact(atoms)) if self.rng.random() < 0.4 else f'Layout<{types("Shape", atoms)}>{{}}'
        if self.rng.random() < 0.4:
            return f'make_tiled_mma({name}{{}}, {thr})'
        return f'make_tiled_mma({name}{{}}, {thr}, Tile<{",".join(word for word, _ in modes)}>{{}})'

    def tiled_copy(self):
        op, element, lanes, values = self.rng.choice(COPIES)
        atom = f'Copy_Atom<{op},{element}>{{}}'
        roll = self.rng.random()
        if roll < 0.35:
            if lanes > 1:
                thr, val = self.rng.choice([((8, 4), (1, values)), ((16, 2), (1, values)), ((32, 1), (1, values)), ((4, 8), (values, 1)), ((8, 8), (2, values))])
            else:
                thr, val = self.rng.choice([((4, 8), (1, values)), ((8, 2), (values, 2)), ((3, 5), (2, values)), ((2, 3), (values, 3)), ((16, 2), (2, values))])
            return f'make_tiled_copy({atom}, {layout(thr, self.compact(thr))}, {layout(val, self.compact(val))})'
        if roll < 0.6 and element == 'half_t':
            letter = self.rng.choice('ABC')
            atoms = self.rng.choice([(1, 1, 1), (2, 1, 1), (2, 2, 1), (1, 2, 1)])
            if values * (1 if lanes > 1 else 1) > 4 and letter == 'C':
                letter = 'A'
            tile = f'Tile<{number(16 * atoms[0])},{number(16 * atoms[1])},_16>{{}}'
            return f'make_tiled_copy_{letter}({atom}, make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{{}}, Layout<{types("Shape", atoms)}>{{}}, {tile}))'
        if lanes == 1 and roll < 0.8:  # threads that walk data in the order of its offsets
            threads = (4, 4)
            data = (8, 4 * values) if values > 1 else (8, 8)
            return (f'make_cotiled_copy({atom}, {layout((threads, values), ((values, 4 * values), 1))}, '
                    f'{layout(data, (data[1], 1))})')
        # A tiler with strides of its own.
        down, across = self.rng.choice([(4, 2), (8, 2), (4, 3), (8, 1)]), self.rng.choice([(8, 2), (8, 1), (16, 2), (8, 3)])
        size = down[0] * across[0]
        threads = lanes if lanes > 1 else max(1, size // values // self.rng.choice([1, 2]))
        if threads * values > size or size % (threads * values):
            down, across = (8, 2), (max(8, threads * values // 8), 1)
        return (f'make_tiled_copy_impl({atom}, {layout((threads, values), (1, threads) if self.rng.random() < 0.5 else (values, 1))}, '
                f'Tile<{layout_type(*down)},{layout_type(*across)}>{{}})')

    def objects(self, count):
        """(what draws it in C++, the expression of it)"""
        shares = [(0.3, 'plain'), (0.15, 'swizzled'), (0.15, 'owners'), (0.2, 'tiled_mma'), (0.2, 'tiled_copy')]
        made, seen = [], set()

        def add(cpp, expression):
            if expression not in seen:
                seen.add(expression)
                made.append((cpp, expression))

        for name, _ in MMAS:
            add(f'print_latex(MMA_Atom<{name}>{{}})', f'{name}{{}}')
        left = count - len(made)
        for share, kind in shares:
            wanted = len(made) + round(share * left)
            while len(made) < wanted and len(made) < count:
                if kind == 'owners':
                    tv, tile = self.owners()
                    add(f'print_latex_tv(composition(make_identity_tensor(shape({tile})), {tv}), shape({tile}))',
                        f'tv_figure({tv}, {tile})')
                else:
                    expression = getattr(self, kind)()
                    add(f'print_latex({expression})', expression)
        return made


def skip(why):
    print(f'skipped: {why}')
    sys.exit(77)


def cute_include():
    folder = os.environ.get('TESSERA_CUTE_INCLUDE')
    if folder:
        if not os.path.exists(os.path.join(folder, 'cute', 'layout.hpp')):
            sys.exit(f'TESSERA_CUTE_INCLUDE is {folder}, which has no cute/layout.hpp')
        return folder
    found = importlib.util.find_spec('cutlass_library')  # of the package nvidia-cutlass
    for place in found.submodule_search_locations if found else []:
        folder = os.path.join(place, 'source', 'include')
        if os.path.exists(os.path.join(folder, 'cute', 'layout.hpp')):
            return folder
    skip("CuTe's headers are not here; TESSERA_CUTE_INCLUDE is the folder that has cute/")


def cuda_includes():
    nvcc = shutil.which('nvcc')
    folders = [os.environ.get('TESSERA_CUDA_INCLUDE'), nvcc and os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(nvcc))), 'include'), '/usr/local/cuda/include']
    for folder in folders:
        if folder and os.path.exists(os.path.join(folder, 'cuda_runtime.h')):
            return [folder, os.path.join(folder, 'cccl')]
    skip("CUDA's headers, which CuTe's include, are not here; TESSERA_CUDA_INCLUDE is the folder that has cuda_runtime.h")


def program(objects):
    lines = ['#include <cute/tensor.hpp>', '#include <cute/atom/mma_atom.hpp>', '#include <cute/atom/copy_atom.hpp>',
             '#include <cute/arch/mma_sm120.hpp>', '#include <cute/atom/mma_traits_sm120.hpp>', '#include <cute/util/print_latex.hpp>',
             'using namespace cute;']
    for i, (cpp, _) in enumerate(objects):
        lines.append(f'void draw_{i}() {{ printf("\\n@@ {i}\\n"); {cpp}; }}')
    lines.append('int main() {')
    lines += [f'  draw_{i}();' for i in range(len(objects))]
    return '\n'.join(lines + ['}', ''])


def pictures_of_cute(objects, folder):
    compiler = shutil.which('g++') or shutil.which('clang++')
    if not compiler:
        skip('no compiler of C++ is here')
    source, made = os.path.join(folder, 'all.cpp'), os.path.join(folder, 'all')
    with open(source, 'w') as out:
        out.write(program(objects))
    includes = [f'-I{cute_include()}'] + [f'-I{each}' for each in cuda_includes()]
    done = subprocess.run([compiler, '-std=c++17', '-O0', '-w', *includes, source, '-o', made], capture_output=True, text=True)
    if done.returncode:
        sys.exit('the program of CuTe is not compiled:\n' + done.stderr[:6000])
    out = subprocess.run([made], capture_output=True, text=True, check=True).stdout
    parts = re.split(r'\n@@ (\d+)\n', out)
    return {int(parts[i]): parts[i + 1] for i in range(1, len(parts), 2)}


def pictures_of_tessera(tessera, objects, folder):
    document, out = os.path.join(folder, 'all.tess'), os.path.join(folder, 'figures')
    with open(document, 'w') as file:
        for i, (_, expression) in enumerate(objects):
            file.write(f'let o{i} = {expression}\n')
    said = subprocess.run([tessera, 'draw', document, '--style', 'print_latex', '--to', 'tex', '--force', '--out', out], capture_output=True, text=True)
    made = {}
    for path in glob.glob(os.path.join(out, '*.tex')):
        with open(path) as file:
            made[int(os.path.basename(path)[1:-4])] = file.read()
    return made, said.stderr


def print_of(line):
    """CuTe's print of an object, without how it says that coordinates begin at zero."""
    return line.strip()


def comparable(text, comments):
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    begin = next((i for i, line in enumerate(lines) if line.startswith('\\documentclass')), len(lines))
    head = [print_of(line) for line in lines[:begin] if re.match(r'% Layout', line)] if comments else []
    return head + lines[begin:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tessera')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--show', type=int)
    parser.add_argument('--keep')
    arguments = parser.parse_args()
    cute_include(), cuda_includes()
    objects = Maker(random.Random(arguments.seed)).objects(arguments.count)
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or temporary
        os.makedirs(folder, exist_ok=True)
        theirs = pictures_of_cute(objects, folder)
        ours, said = pictures_of_tessera(os.path.realpath(arguments.tessera), objects, folder)
    wrong = 0
    for i, (_, expression) in enumerate(objects):
        a, b = comparable(theirs.get(i, ''), True), comparable(ours.get(i, ''), True)
        if a == b and a:
            continue
        wrong += 1
        print(f'{i}: {expression}')
        if i not in ours:
            print('   not drawn')
            continue
        first = next((k for k in range(max(len(a), len(b))) if a[k:k + 1] != b[k:k + 1]), 0)
        print(f'   line {first} of {len(a)} and {len(b)}:\n   CuTe    {"".join(a[first:first + 1])}\n   Tessera {"".join(b[first:first + 1])}')
    if wrong:
        print(said)
        print(f'{wrong} of {len(objects)} objects are drawn otherwise than CuTe does')
        sys.exit(1)
    print(f'{len(objects)} objects are drawn as CuTe does')


if __name__ == '__main__':
    main()
