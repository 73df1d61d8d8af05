# SPDX-License-Identifier: BSD-3-Clause
"""assets/include/tessera/dump.hpp: programs that dump, and what they have written.

dump.py TESSERA [--lines FILE | --device]

Each kind of object is dumped by each compiler that is here and compared with Tessera's values of the same words; then come files that cannot be
written, threads, forks, long and hostile texts. --device compiles and runs dump_device.cu, for a GPU of sm_90; --lines FILE compares what that
program wrote elsewhere (nvcc -std=c++17 -arch=sm_90a --expt-relaxed-constexpr -I assets/include -I CUTLASS/include dump_device.cu -lcuda).

TESSERA_CUTE_INCLUDE is the folder that has cute/; exit code 77: it, a compiler or a GPU is not here."""
import argparse, hashlib, json, os, re, shutil, subprocess, sys, tempfile

from differential_cpp import ASSETS, Comparison, Cute, ask, rows_of
from print_latex import cuda_includes, cute_include, skip

HERE = os.path.dirname(os.path.abspath(__file__))
MMA = 'make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{},Layout<Shape<_2,_2,_1>>{},Tile<_32,_32,_16>{})'
UMMA = 'make_tiled_mma(SM100_MMA_F16BF16_SS<half_t,half_t,float,128,256,UMMA::Major::K,UMMA::Major::K>{})'
COPY = f'make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N,half_t>{{}},{MMA})'
DATA = 'make_tensor(make_gmem_ptr<half_t>(nullptr),make_layout(make_shape(64,Int<64>{})))'
KINDS = [  # (kind, expression): Tessera reads the same words
    ('layout', 'make_layout(make_shape(_64{},8),make_stride(_8{},1))'), ('layout', 'Layout<Shape<_4,Shape<_2,_3>>>{}'),
    ('composed', 'tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{},Shape<_128,_64>{})'),
    ('composed', 'composition(Swizzle<3,3,3>{},Layout<Shape<_8,_64>,Stride<_64,_1>>{})'), ('swizzle', 'Swizzle<3,4,3>{}'),
    ('tensor', DATA), ('tensor', 'make_identity_tensor(make_shape(4,_8{}))'),
    ('tensor', 'local_tile(make_identity_tensor(make_shape(64,_8{})),Shape<_16,_4>{},make_coord(1,1))'),
    ('tensor', 'make_tensor(make_smem_ptr<float>(nullptr),tile_to_shape(GMMA::Layout_MN_SW64_Atom<float>{},Shape<_64,_32>{}))'),
    ('tensor', f'{MMA}.get_slice(5).partition_A({DATA})'), ('tensor', f'{COPY}.get_slice(5).partition_S({DATA})'),
    ('tensor', f'partition_fragment_C({MMA},Shape<_64,_64>{{}})'),
    ('tiled_mma', MMA), ('thr_mma', f'{MMA}.get_slice(3)'), ('tiled_mma', 'make_tiled_mma(SM90_64x64x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::MN>{})'),
    ('tiled_mma', UMMA), ('thr_mma', f'{UMMA}.get_slice(0)'),
    ('tiled_mma', 'make_tiled_mma(SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,float,256,256,UMMA::Major::K,UMMA::Major::MN>{})'),
    ('mma_atom', 'MMA_Atom<SM120_16x8x32_TN<float_e2m1_t,float_e4m3_t,float>>{}'), ('mma_atom', 'MMA_Atom<SM70_8x8x4_F32F16F16F32_NT>{}'),
    ('mma_atom', 'MMA_Atom<SM90::GMMA::SPARSE::GMMA_64x8x32_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>>{}'),
    ('mma_atom', 'MMA_Atom<SM100_MMA_MXF8F6F4_SS<float_e4m3_t,float_e2m1_t,float,float_ue8m0_t,128,64,UMMA::Major::K,UMMA::Major::K>>{}'),
    ('tiled_copy', COPY), ('thr_copy', f'{COPY}.get_slice(7)'), ('copy_atom', 'Copy_Atom<UniversalCopy<uint64_t>,float>{}'),
    ('copy_atom', 'Copy_Atom<SM100_TMEM_LOAD_32dp32b16x,float>{}'), ('copy_atom', 'Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>,int8_t>{}'),
    ('tuple', 'make_shape(_128{},4,make_shape(_2{},3))'), ('tuple', 'make_tile(Layout<_2,_4>{},_8{},_)'), ('int', 'Int<4>{}'), ('int', 'size(make_shape(4,_8{}))'),
]
# What Tessera has no words for: (the C++ of it, fields of its row).
ONLY_HERE = [
    (f'{UMMA}.make_fragment_C({UMMA}.get_slice(0).partition_C(make_identity_tensor(Shape<_128,_256>{{}})))',
     {'kind': 'tensor', 'space': 'tmem', 'type': 'float', 'layout': '((_128,_256),_1,_1):((_65536,_1),_0,_0)'}),
    ('make_tensor(make_smem_ptr(recast_ptr<sparse_elem<2,half_t>>(static_cast<half_t*>(nullptr))),Layout<Shape<_8,_8>>{})',
     {'kind': 'tensor', 'space': 'smem', 'type': 'sparse_elem<2,half_t>', 'layout': '(_8,_8):(_1,_8)'}),
    ('GMMA::Layout_K_SW128_SpAtom<half_t,2>{}', {'kind': 'composed', 'layout': 'Sw<3,4,3> o smem_sparse<2>_ptr[16b](unset) o ((_1,_8),(_2,_64)):((_0,_128),(_1,_2))'}),
    ('make_tensor(make_smem_ptr<half_t>(nullptr),tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{},Shape<_64,_64>{}))',
     {'space': 'smem', 'type': 'half_t', 'swizzle': 'Sw<3,4,3>'}),
    ('make_tensor<int4b_t>(Shape<_4>{})', {'space': 'rmem', 'type': 'int4b_t'}), ('make_tensor(counting_iterator<int>{},Layout<_4>{})', {'kind': 'tensor', 'space': 'none'}),
    ('make_gmem_ptr<float const>(nullptr)', {'kind': 'pointer', 'space': 'gmem', 'type': 'float'}), ('make_tmem_ptr<float>(0)', {'kind': 'pointer', 'space': 'tmem'}),
    ('make_rmem_ptr(static_cast<unsigned long*>(nullptr))', {'kind': 'pointer', 'space': 'rmem', 'type': 'uint64_t'}),
    ('3.25', {'kind': 'other', 'text': '3.25'}), ('true', {'kind': 'int', 'value': '1'}), ('DefaultCopy{}', {'kind': 'other', 'text': 'AutoVectorizingCopyWithAssumedAlignment<8>'}),
    ('ScaledBasis<_2,1,0>{}', {'value': '_2@0@1'}),
]

failures = []


def check(what, truth, said=''):
    if not truth:
        failures.append(what)
        print(f'WRONG {what}: {said}')


def compilers():
    nvcc = shutil.which('nvcc') or next((p for p in ('/usr/local/cuda/bin/nvcc',) if os.path.exists(p)), None)
    return [each for each in (shutil.which('g++'), shutil.which('clang++'), nvcc) if each]


def flags_of(compiler):
    includes = [f'-I{ASSETS}', f'-I{cute_include()}']
    if os.path.basename(compiler) == 'nvcc':
        return ['-std=c++17', '-x', 'cu', '-arch=sm_90a', '--expt-relaxed-constexpr', *includes, '-lcuda']
    return ['-std=c++17', '-O0', '-pthread', *includes, *(f'-I{each}' for each in cuda_includes())]


def compile_program(compiler, source, program, more=()):
    done = subprocess.run([compiler, *flags_of(compiler), *more, source, '-o', program], capture_output=True, text=True)
    ours = [line for line in (done.stdout + done.stderr).splitlines() if 'dump.hpp' in line and 'warning' in line]
    check(f'{os.path.basename(compiler)} compiles {os.path.basename(source)} without a word', done.returncode == 0 and not ours, (done.stderr + done.stdout)[:3000])
    return done.returncode == 0


def kinds(tessera, compiler, folder):
    """Every kind of object: rows as Tessera has them."""
    source, program, trace = (os.path.join(folder, 'kinds' + end) for end in ('.cpp', '', '.trace'))
    texts = [text for _, text in KINDS] + [text for text, _ in ONLY_HERE]
    with open(source, 'w') as out:
        out.write('#include <tessera/dump.hpp>\n#include <cute/arch/mma_sm120.hpp>\n#include <cute/atom/mma_traits_sm120.hpp>\n'
                  '#include <cute/atom/mma_traits_sm90_gmma_sparse.hpp>\nusing namespace cute;\nint main() {\n')
        out.writelines(f'  TESSERA_DUMP({text});\n' for text in texts)
        out.write('}\n')
    if not compile_program(compiler, source, program):
        return
    subprocess.run([program], env={**os.environ, 'TESSERA_TRACE': trace}, check=True)
    rows = {row['line'] - 7: row for row in rows_of(trace)}
    check('each dump has a row', sorted(rows) == list(range(len(texts))), sorted(rows))
    with open(trace) as lines:
        head, file, *_, end = map(json.loads, lines)
    with open(source, 'rb') as text:
        check('the hash of the source', file == {'file': source, 'sha256': hashlib.sha256(text.read()).hexdigest()}, file)
    check('head and end', head['tessera_trace'] == 1 and end['rows'] == len(texts) and end['dropped'] == 0, (head, end))
    name = os.path.basename(compiler)
    comparison = Comparison(tessera, KINDS, [rows[i] for i in range(len(KINDS))])
    for i, (kind, text) in enumerate(KINDS):
        word, said = comparison.verdict(i)
        check(f'{name}: {text}', rows[i]['kind'] == kind and word == 'same', f'{rows[i]["kind"]} {word} {said}')
    for i, (text, fields) in enumerate(ONLY_HERE, len(KINDS)):
        check(f'{name}: {text}', fields.items() <= rows[i].items(), rows[i])
    for i, text in enumerate(texts):
        check('the column of the argument', rows[i]['column'] == 16, rows[i])
        check('the name', rows[i]['name'] == re.sub(r'(?<=..)\{\}$', '', text), rows[i]['name'])


def hostile(folder):
    """What goes wrong is said once, and nothing is written that a reader of JSON refuses."""
    program = os.path.join(folder, 'hostile')
    if not compile_program(compilers()[0], os.path.join(HERE, 'dump_hostile.cpp'), program):
        return

    def run(word, trace='trace', cwd=None):
        path = os.path.join(folder, trace)
        done = subprocess.run([program, word], env={**os.environ, 'TESSERA_TRACE': path}, capture_output=True, text=True, cwd=cwd, timeout=60)
        lines = []
        if os.path.isfile(path):
            with open(path, encoding='utf-8') as file:
                lines = [json.loads(line) for line in file]
        return done, lines

    _, lines = run('many')
    check('10,000 rows and no more', len(lines) == 10003 and lines[-1]['dropped'] == 2000, lines[-1])
    _, lines = run('twice')
    check('a row that is there is not written again', len(lines) == 6 and lines[-1]['rows'] == 3, lines[-1])
    _, lines = run('threads')
    check('rows of threads are whole', len({row.get('value') for row in lines}) == 2001 and lines[-1]['rows'] == 2000, lines[-1])
    _, lines = run('long')
    check('a long row is whole', len(lines[2]['values']) == 8192)
    done, lines = run('dies')
    check('what was there before the program died is kept', done.returncode == 3 and [row.get('name') for row in lines[2:]] == ['before'], lines)
    _, lines = run('fork', 'fork')
    check('the parent of a fork', [row.get('name') for row in lines[2:]] == ['before', 'after', None], lines)
    of_child = [name for name in os.listdir(folder) if name.startswith('fork.')]
    check('a forked child has a file of its own', len(of_child) == 1, of_child)
    for name in of_child:
        with open(os.path.join(folder, name)) as file:
            check('the rows of the child', [json.loads(line).get('name') for line in file][2:] == ['child', None])
    run('quiet_fork', 'quiet')
    check('a child that dumps nothing has no file', not [name for name in os.listdir(folder) if name.startswith('quiet.')])
    _, lines = run('names')
    check('names in UTF-8 and with escapes', [row['name'] for row in lines[2:4]] == ['größe', 'std::string("a\\"b\\\\\\t\\x01").size()'], lines)
    done, lines = run('device')
    check('memory that is not the host\'s', done.returncode == 0 and all('not read from here' in row['error'] for row in lines[2:4]), (done, lines))
    for trace, word in (('no/such/folder', 'No such file'), ('.', 'Is a directory')):
        done, _ = run('threads', trace)
        check('a file that cannot be written', done.returncode == 0 and done.stderr.count('cannot be written') == 1 and word in done.stderr, done)
    if os.path.exists('/dev/full'):
        done = subprocess.run([program, 'threads'], env={**os.environ, 'TESSERA_TRACE': '/dev/full'}, capture_output=True, text=True)
        check('a full disk', done.returncode == 0 and done.stderr.count('cannot be written') == 1, done)
    values(run('values')[1][2:-1])


def values(rows):
    wanted = [[0, -0.0, 0.1, 0.33333334, 'nan', 'inf', '-inf', 1.4013e-45, 3.4028235e38, 16777216, 1000000, -2.5e-5], [0.1, 5e-324, 1.7976931348623157e308, 123456789.125],
              [0, 255], [-2**63, 2**63 - 1], [-3, -2, -1, 0], [1.5, -6], [0.3125, 'nan'], [0.30078125], [1, 0]]
    for row, numbers in zip(rows, wanted):
        same = len(row.get('values', [])) == len(numbers) and all(a == b or (isinstance(a, float) and abs(a - b) < 1e-4 * abs(b)) for a, b in zip(row['values'], numbers))
        check('values', same, row)
    check('coordinates have no values', 'coordinates' in rows[len(wanted)].get('error', ''), rows[-1])


def names_of_files(folder):
    """A source whose name is no UTF-8, and one without CuTe."""
    source = os.path.join(os.fsencode(folder), b'odd "\xff\\.cpp')
    with open(source, 'w') as out:
        out.write('#include <tessera/dump.hpp>\nint main() { TESSERA_DUMP(1); }\n')
    program, trace = os.path.join(folder, 'odd'), os.path.join(folder, 'odd.trace')
    done = subprocess.run([compilers()[0], *flags_of(compilers()[0]), source, '-o', program], capture_output=True)
    if done.returncode == 0:
        subprocess.run([program], env={**os.environ, 'TESSERA_TRACE': trace}, check=True)
        with open(trace, encoding='utf-8') as file:
            lines = [json.loads(line) for line in file]
        check('a file whose name is no UTF-8', lines[1]['file'].endswith('odd "\ufffd\\.cpp') and len(lines[1]['sha256']) == 64, lines)
    done = subprocess.run([compilers()[0], '-std=c++17', f'-I{ASSETS}', '-fsyntax-only', '-x', 'c++', '-'], input='#include <tessera/dump.hpp>\n', capture_output=True, text=True)
    check('without CuTe', done.returncode and 'add -I <CUTLASS>/include' in done.stderr, done.stderr)
    off = '#define TESSERA_DUMP_OFF\n#include <tessera/dump.hpp>\nint main() { TESSERA_DUMP(1, 2); TESSERA_DUMP_VALUES(3, 4); }\n'
    done = subprocess.run([compilers()[0], '-std=c++17', f'-I{ASSETS}', '-fsyntax-only', '-x', 'c++', '-'], input=off, capture_output=True, text=True)
    check('switched off it needs nothing', done.returncode == 0, done.stderr)


def device_lines(tessera, text):
    rows = {}
    for line in re.findall(r'^@tessera (.*)$', text, re.M):
        row = json.loads(line)
        rows.setdefault(row['name'], []).append(row)
    tile = 'tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{},Shape<_64,_64>{})'
    mma = 'make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>{})'
    asked = ['SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>{}', f'print(layout({mma}.get_slice(0).partition_A(make_tensor(make_smem_ptr<half_t>(nullptr),{tile}))))',
             f'print(shape(partition_fragment_C({mma},Shape<_64,_64>{{}})))']
    atom, part, fragment = ask(tessera, asked)
    one = lambda name: rows.get(name, [{}])[0]
    check('each place writes once', rows and all(len(each) == 1 for each in rows.values()), {name: len(each) for name, each in rows.items()})
    check('places', set(rows) >= {'sA_layout', 'sA', 'mma', 'Traits::stages', 'gA', 'tma', 'i', 'thr_mma', 'tCsA', 'accumulators', 'many'}, set(rows))
    check('the swizzled layout', one('sA_layout').get('layout') == 'Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_8),(_64,_1)):((_64,_512),(_1,_0))', one('sA_layout'))
    check('shared memory', (one('sA').get('space'), one('sA').get('swizzle'), one('sA').get('type')) == ('smem', 'Sw<3,4,3>', 'half_t'), one('sA'))
    named = ask(tessera, [one('mma').get('atom', '0')])[0]
    check('the atom', named.get('value') == atom['value'], (one('mma').get('atom'), named))
    check('A of the atom', re.sub('_', '', one('mma').get('a_tv', '')) == atom['layout_a'], one('mma'))
    check('a constant', one('Traits::stages').get('value') == '5', one('Traits::stages'))
    check('values of global memory', one('gA').get('values') == [0, 0.5, 1, 1.5, '-inf', 2.5], one('gA'))
    check('TMA', one('tma').get('atom') == 'Copy_Atom<SM90_TMA_LOAD,half_t>', one('tma'))
    tile = next((row for name, each in rows.items() if name.startswith('local_tile') for row in each), {})
    check('coordinates', (tile.get('space'), re.sub('_', '', tile.get('base', ''))) == ('coord', '(64,128)'), tile)
    check('the thread that came first', 128 <= one('thr_mma').get('thread', 0) < 256, one('thr_mma'))
    check('a partition', part['value'].startswith('(' + one('tCsA').get('layout', '?')[:4]) or one('tCsA').get('layout', '').count(':') == 1, (part, one('tCsA')))
    check('a fragment', one('accumulators').get('layout', '').split(':')[0] == fragment['value'] and one('accumulators').get('values') == [0.1, 0.1], (fragment, one('accumulators')))
    check('a line that is too long says so', 'TESSERA_DUMP_BYTES' in one('many').get('error', ''), one('many'))
    check('files', all(row[0]['file'].endswith('dump_device.cu') and row[0]['line'] > 0 for row in rows.values()))


def device(tessera, folder):
    nvcc = next((each for each in compilers() if os.path.basename(each) == 'nvcc'), None) or skip('nvcc is not here')
    if not os.path.exists('/dev/nvidia0') and not shutil.which('nvidia-smi'):
        skip('no GPU is here')
    program = os.path.join(folder, 'device')
    if compile_program(nvcc, os.path.join(HERE, 'dump_device.cu'), program):
        done = subprocess.run([program], capture_output=True, text=True, cwd=folder, timeout=300)
        if done.returncode == 77:
            skip('no GPU is here')
        check('the program ran', done.returncode == 0, done.stdout[-500:] + done.stderr)
        device_lines(tessera, done.stdout)
        rows = {row['name']: row for row in rows_of(os.path.join(folder, 'tessera.trace'))}
        check('host rows of the same program', 'not read from here' in rows.get('gmem', {}).get('error', '') or 'values' in rows.get('gmem', {}), rows.get('gmem'))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tessera')
    parser.add_argument('--lines')
    parser.add_argument('--device', action='store_true')
    arguments = parser.parse_args()
    tessera = os.path.realpath(arguments.tessera)
    if arguments.lines:
        with open(arguments.lines) as file:
            device_lines(tessera, file.read())
    else:
        cute_include(), cuda_includes()
        if not compilers():
            skip('no compiler of C++ is here')
        with tempfile.TemporaryDirectory() as folder:
            if arguments.device:
                device(tessera, folder)
            else:
                for compiler in compilers():
                    kinds(tessera, compiler, folder)
                hostile(folder)
                names_of_files(folder)
    print(f'{len(failures)} wrong' if failures else 'the dumps are right')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
