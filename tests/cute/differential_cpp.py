# SPDX-License-Identifier: BSD-3-Clause
"""Random statements of CuTe's C++, as CuTe's own headers answer them and as Tessera does.

differential_cpp.py TESSERA [--count N] [--seed S] [--jobs N] [--keep FOLDER] [--text FILE]

The statements (statements_cpp.py; --text has some of your own, one a line) are compiled with CuTe's headers, about a hundred a program, and
dumped by assets/include/tessera/dump.hpp; `tessera batch` evaluates the same texts. Compared are the printed texts and, where a layout is
printed otherwise, whether it is the same function. A table counts by kind:

  same          the same text, or the same function where the spelling of a pointer differs
  form          a warning here says that CuTe, which does not know an integer when it compiles, has other modes
  known         coordinates that leave out the last modes, where no stride reaches them: (1) for CuTe's (1,0)
  refused       both refuse
  ours          refused here, by name; CuTe has a value
  warned        CuTe refuses; here is a value with a warning
  silent        CuTe refuses; here is a value without a word
  DIFFER        two values

Exit code 1: something differs. TESSERA_CUTE_INCLUDE is the folder that has cute/; exit code 77: it, or a compiler, is not here."""
import argparse, collections, concurrent.futures, json, os, random, re, shutil, subprocess, sys, tempfile

from print_latex import cuda_includes, cute_include, skip
from statements_cpp import ELEMENTS, Statements

A_PROGRAM = 100  # statements
BITS = dict(ELEMENTS)
HEADERS = '''#include <tessera/dump.hpp>
#if __has_include(<cutlass/detail/blockwise_scale_layout.hpp>)
#include <cutlass/detail/blockwise_scale_layout.hpp>
#endif
#if __has_include(<cutlass/detail/sm100_blockscaled_layout.hpp>)
#include <cutlass/detail/sm100_blockscaled_layout.hpp>
#endif
using namespace cute;
template <class T>
void say_offset(int i, T const& x) {  // of a tensor that begins at a null pointer, in elements
  if constexpr (is_tensor<T>::value) {
    using Iterator = remove_cvref_t<decltype(x.data())>;
    if constexpr (::tessera::dump::IsPointer<Iterator>::value && !is_rmem<Iterator>::value) {
      std::printf("@%d offset %lld\\n", i, reinterpret_cast<long long>(raw_pointer_cast(x.data())) * 8 / sizeof_bits<iter_value_t<Iterator>>::value);
    }
  }
}
template <class T>
void answer(int i, int line, T const& x) {
  ::tessera::dump::emit(x, ::tessera::dump::Place{"x", "statements.cpp", line, ""}, ::tessera::dump::NoValues{});
  say_offset(i, x);
}
'''
ASSETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'assets', 'include')


class Cute:
    """Compiles and runs programs of statements."""

    def __init__(self, folder):
        self.folder = folder
        self.compiler = shutil.which('g++') or shutil.which('clang++') or skip('no compiler of C++ is here')
        self.flags = ['-std=c++17', '-O0', '-w', f'-I{ASSETS}', f'-I{cute_include()}', *(f'-I{each}' for each in cuda_includes())]
        self.header = os.path.join(folder, 'statements.hpp')
        with open(self.header, 'w') as out:
            out.write(HEADERS)
        if 'g++' in os.path.basename(self.compiler) and 'clang' not in self.compiler:  # read once for all programs
            made = subprocess.run([self.compiler, *self.flags, '-x', 'c++-header', self.header, '-o', self.header + '.gch'], capture_output=True, text=True)
            if made.returncode:
                sys.exit('the dump header is not compiled:\n' + made.stderr[:4000])

    def rows(self, number, statements):
        """What CuTe says of each: a row of the trace, or a text of its refusal."""
        answers, left = {}, list(range(len(statements)))
        name = f'part_{number}'
        source, program = (os.path.join(self.folder, name + end) for end in ('.cpp', ''))
        for _ in range(6):
            errors = self.compile(source, program, [statements[i][1] for i in left])
            if errors is None:
                break
            if not errors:
                sys.exit(f'{source} is not compiled, and no statement is at fault')
            for at, message in errors.items():
                answers[left[at]] = 'compiler: ' + message
            left = [i for at, i in enumerate(left) if at not in errors]
        else:
            sys.exit(f'{source} is not compiled')
        begin = 0
        while begin < len(left):  # an assertion of CuTe's ends the program: it goes on behind it
            trace = os.path.join(self.folder, f'{name}.{begin}.trace')
            ran = subprocess.run([program, str(begin)], capture_output=True, text=True, env={**os.environ, 'TESSERA_TRACE': trace}, timeout=120)
            for row in rows_of(trace):
                answers[left[row['line'] - 3]] = row
            for at, offset in re.findall(r'^@(\d+) offset (-?\d+)$', ran.stdout, re.M):
                answers[left[int(at)]]['offset'] = offset
            if ran.returncode == 0:
                break
            reached = int((re.findall(r'^@(\d+)$', ran.stdout, re.M) or ['0'])[-1])
            answers[left[reached]] = 'assertion: ' + (ran.stderr.strip().splitlines() or ['the program ended'])[-1]
            begin = reached + 1
        return [answers.get(i, 'no row') for i in range(len(statements))]

    def compile(self, source, program, texts):
        """None: compiled. Else the statements at fault, with the first message of each."""
        with open(source, 'w') as out:
            out.write('#include "statements.hpp"\n\n')  # statement i is in line i + 3
            for i, text in enumerate(texts):
                out.write(f'void s{i}() {{ answer({i}, {i + 3}, {text}); }}\n')
            out.write('#include <cstdio>\n#include <cstdlib>\nint main(int, char** argv) {\n  using Each = void (*)();\n  Each all[] = {')
            out.write(','.join(f's{i}' for i in range(len(texts))))
            out.write('};\n  for (int i = std::atoi(argv[1]); i < int(sizeof all / sizeof *all); ++i) {\n'
                      '    std::printf("@%d\\n", i);\n    std::fflush(stdout);\n    all[i]();\n  }\n}\n')
        done = subprocess.run([self.compiler, *self.flags, '-fmax-errors=0', source, '-o', program], capture_output=True, text=True, cwd=self.folder)
        return None if done.returncode == 0 else errors_of(done.stderr, os.path.basename(source), len(texts))


def errors_of(text, name, count):
    """g++ says the instantiations first, and the error behind them."""
    found, waiting = {}, None
    for line in text.splitlines():
        at = re.match(rf'\S*{re.escape(name)}:(\d+):', line)
        if at and 0 <= int(at[1]) - 3 < count:
            waiting = int(at[1]) - 3
        message = re.search(r' error: (.*)', line)
        if message and waiting is not None:
            found.setdefault(waiting, message[1][:160])
    return found


def rows_of(trace):
    if not os.path.exists(trace):
        return []
    with open(trace) as lines:
        return [row for row in map(json.loads, lines) if 'kind' in row]


def ask(tessera, expressions):
    """The answer to each; equal expressions are asked once."""
    unique = list(dict.fromkeys(expressions))
    lines = ''.join(json.dumps({'id': i, 'expr': text}) + '\n' for i, text in enumerate(unique))
    done = subprocess.run([tessera, 'batch', '--limit-seconds', '20'], input=lines, capture_output=True, text=True)
    answers = {unique[answer['id']]: answer for answer in map(json.loads, done.stdout.splitlines())}
    return [answers.get(text, {'ok': False, 'error': {'message': 'no answer'}}) for text in expressions]


def function(answer):
    """What a layout's answer says of it as a function; None: it says nothing."""
    if not answer['ok'] or 'size' not in answer:
        return None
    return answer['size'], json.dumps(answer.get('image', answer.get('image_sha256')))


def without_offset(text, answer):
    """A slice is printed with where it begins, (layout,offset)."""
    parts = re.fullmatch(r'\((.*:.*),((?:\([^:]*\))|[^:,()]*)\)', text) if 'offset' in answer else None
    return (parts[1], parts[2]) if parts else (text, None)


def bare(text):
    return re.sub(r'[_ ]', '', text)


# A field of a row and of an answer to the same question.
FIELDS = {
    'tiled_mma': [('atom_layout', 'atom_layout_mnk'), ('permutation', 'permutation_mnk'), ('thr_layout_vmnk', 'thr_layout_vmnk')],
    'thr_mma': [('atom_layout', 'atom_layout_mnk'), ('permutation', 'permutation_mnk'), ('thr_layout_vmnk', 'thr_layout_vmnk')],
    'tiled_copy': [('tiler', 'tiler_mn'), ('layout_tv', 'layout_tv')],
    'thr_copy': [('tiler', 'tiler_mn'), ('layout_tv', 'layout_tv')],
    'mma_atom': [('shape_mnk', 'shape_mnk'), ('a_tv', 'layout_a'), ('b_tv', 'layout_b'), ('c_tv', 'layout_c')],
    'copy_atom': [('src_tv', 'val_layout_src'), ('dst_tv', 'val_layout_dst')],
}


class Comparison:
    """Questions first, all at once; then verdicts."""

    def __init__(self, tessera, statements, rows):
        self.tessera, self.statements, self.rows = tessera, statements, rows
        self.answers = ask(tessera, [text for _, text in statements])
        self.prints = ask(tessera, [self.printing(text, row) for (_, text), row in zip(statements, rows)])
        self.theirs = ask(tessera, [self.layout_of(row) if self.has_layout(row) else '0' for row in rows])
        self.ours = ask(tessera, [f'layout({text})' if self.is_tensor(row) else text for (_, text), row in zip(statements, rows)])
        self.bases = ask(tessera, [f'{text}(0)' if 'base' in (row if isinstance(row, dict) else {}) else '0' for (_, text), row in zip(statements, rows)])
        self.atoms = ask(tessera, [row['atom'] if isinstance(row, dict) and 'atom' in row else '0' for row in rows])

    @staticmethod
    def has_layout(row):
        return isinstance(row, dict) and 'layout' in row

    @staticmethod
    def layout_of(row):
        """The layout, and in front of it what its pointer swizzles."""
        bits = BITS.get(row.get('type'))
        return f'{row["swizzle"]} o smem_ptr[{bits}b](unset) o {row["layout"]}' if 'swizzle' in row and bits else row['layout']

    @staticmethod
    def is_tensor(row):
        return isinstance(row, dict) and row['kind'] == 'tensor'

    def printing(self, text, row):
        return f'print(layout({text}))' if self.is_tensor(row) else f'print({text})'

    def verdict(self, i):
        """(word, what differs)"""
        row, answer = self.rows[i], self.answers[i]
        if isinstance(row, str):
            if not answer['ok']:
                return 'refused', ''
            return ('warned' if answer.get('warnings') else 'silent'), f'CuTe: {row}; here {answer["value"]}'
        if not answer['ok']:
            return 'ours', answer['error']['message']
        kind = row['kind']
        if kind in FIELDS:
            return self.parts(row, answer, self.atoms[i])
        if self.has_layout(row):
            return self.layouts(i)
        if 'value' not in row:
            return 'DIFFER', f'CuTe has a {kind}: {row}'
        ours = self.prints[i].get('value', '')
        if answer['kind'] == 'bool':  # a truth value of C++ is printed as a number
            ours, row = str(int(str(answer['value']).lower() == 'true')), {'value': bare(row['value'])}
        return ('same', '') if ours == row['value'] else ('DIFFER', f'CuTe {row["value"]}; here {ours or self.prints[i]}')

    def layouts(self, i):
        row = self.rows[i]
        base = row.get('base')
        if base and bare(base) != bare(self.bases[i].get('value', '')):
            here = self.bases[i].get('value', str(self.bases[i]))
            if self.bases[i].get('warnings'):
                return 'warned', ''
            shorter = bare(base).startswith(bare(here)[:-1] + ',') and not re.search('[1-9]', bare(base)[len(bare(here)) - 1:])
            return ('known' if shorter else 'DIFFER'), f'CuTe begins at {base}; here at {here}'
        ours, offset = without_offset(self.prints[i].get('value', ''), self.ours[i])
        if 'offset' in row and offset and bare(offset) != row['offset']:
            return 'DIFFER', f'CuTe begins at {row["offset"]}; here at {offset}'
        if ours == row['layout']:
            return 'same', ''
        a, b = function(self.theirs[i]), function(self.ours[i])
        if a == b and a and ('smem_ptr' in row['layout'] or 'swizzle' in row):
            return 'same', ''
        if any('in another form' in warning['message'] for warning in self.prints[i].get('warnings', [])):
            return 'form', ''
        theirs = row['layout'] + (f' behind {row["swizzle"]}' if 'swizzle' in row else '')
        return 'DIFFER', f'CuTe {theirs}; here {ours or self.prints[i]}{"; the same function" if a == b and a else ""}'

    def parts(self, row, answer, atom):
        for theirs, ours in FIELDS[row['kind']]:
            if bare(row[theirs]) != bare(answer.get(ours, '')):
                return 'DIFFER', f'{theirs}: CuTe {row[theirs]}; here {answer.get(ours)}'
        if not atom['ok']:
            return 'DIFFER', f'the atom is not read: {row["atom"]}: {atom["error"]["message"]}'
        inner = {'tiled_mma': 'mma_atom', 'thr_mma': 'mma_atom', 'tiled_copy': 'copy_atom', 'thr_copy': 'copy_atom'}.get(row['kind'])
        return self.parts({**row, 'kind': inner}, atom, atom) if inner else ('same', '')


def rows_of_cute(folder, statements, jobs):
    cute = Cute(folder)
    parts = [statements[i:i + A_PROGRAM] for i in range(0, len(statements), A_PROGRAM)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [row for part in pool.map(cute.rows, range(len(parts)), parts) for row in part]


def table(verdicts):
    words = ['same', 'form', 'known', 'refused', 'ours', 'warned', 'silent', 'DIFFER']
    counts = collections.defaultdict(collections.Counter)
    for (kind, _), (word, _) in verdicts:
        counts[kind][word] += 1
    total = sum(counts.values(), collections.Counter())
    lines = [f'{"kind":26}' + ''.join(f'{word:>9}' for word in words)]
    for kind, count in sorted(counts.items(), key=lambda each: -sum(each[1].values())):
        lines.append(f'{kind:26}' + ''.join(f'{count[word] or "":>9}' for word in words))
    return '\n'.join(lines + [f'{"all":26}' + ''.join(f'{total[word]:>9}' for word in words)]), total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tessera')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--keep')
    parser.add_argument('--again', action='store_true', help='compare what a run before has put into --keep')
    parser.add_argument('--text')
    parser.add_argument('--all', action='store_true', help='say each statement that is not the same')
    arguments = parser.parse_args()
    cute_include(), cuda_includes()
    if arguments.text:
        with open(arguments.text) as lines:
            statements = [('text', line.strip()) for line in lines if line.strip()]
    else:
        statements = Statements(random.Random(arguments.seed)).many(arguments.count)
    tessera = os.path.realpath(arguments.tessera)
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or temporary
        os.makedirs(folder, exist_ok=True)
        kept = os.path.join(folder, 'rows.json')
        if arguments.again:
            with open(kept) as file:
                rows = json.load(file)
        else:
            rows = rows_of_cute(folder, statements, arguments.jobs)
            with open(kept, 'w') as file:
                json.dump(rows, file)
    comparison = Comparison(tessera, statements, rows)
    verdicts = [(statement, comparison.verdict(i)) for i, statement in enumerate(statements)]
    for (kind, text), (word, said) in verdicts:
        if word == 'DIFFER' or (arguments.all and word != 'same'):
            print(f'{word:8} {kind}: {text}\n         {said}')
    lines, total = table(verdicts)
    print(lines)
    sys.exit(1 if total['DIFFER'] else 0)


if __name__ == '__main__':
    main()
