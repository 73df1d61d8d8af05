# SPDX-License-Identifier: BSD-3-Clause
"""Random statements of the CuTe DSL beside the DSL itself: what `tessera batch` says of one is what the DSL prints of it, or a refusal.

differential_dsl.py TESSERA [--count N] [--seed S] [--show WORD ...] [--kind KIND] [--most N] [--files FOLDER ...]

The statements are those of dsl_statements.py, or with --files those of programs, closed with random values (dsl_files.py): of the closings
that the DSL accepts one is compared. The DSL traces them on the CPU (dsl_trace.py), and Tessera reads the same text. Values are
compared as text, without the marks of static integers, and as functions where the texts differ. A table counts them by the call:

  same      the same value, or the same function in another print ("as f.")
  warned    another value than the DSL's or none there, with a warning here
  both, here, there   refused by both, here alone, and there alone, where a value is given here without a word
  typed     refused there for the kind of an argument (Python's TypeError and AttributeError), before any rule of CuTe is asked
  dynamic   the DSL knows it only when the program runs
  DIFFER    another value, without a word

$TESSERA_DSL_PYTHON is a python that has the package nvidia-cutlass-dsl; otherwise python3. Exit code 77: it has not."""
import argparse, collections, itertools, json, math, os, random, re, subprocess, sys, tempfile

sys.dont_write_bytecode = True  # beside the sources

from dsl_files import statements_of_files
from dsl_statements import Maker

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ['same', 'as f.', 'warned', 'both', 'here', 'typed', 'there', 'dynamic', 'DIFFER']


# What the DSL says.

def dsl_python():
    python = os.environ.get('TESSERA_DSL_PYTHON', 'python3')
    probe = subprocess.run([python, '-c', 'import cutlass.cute'], capture_output=True, env={**os.environ, 'CUTE_DSL_ARCH': 'sm_90a'})
    return python if probe.returncode == 0 else None


def traced(python, numbered, arch, folder):
    """id -> row of dsl_trace.py. A statement that ends the process has an error; the ones behind it run in a new one."""
    rows, left = {}, list(numbered)
    while left:
        path = os.path.join(folder, 'requests.jsonl')
        with open(path, 'w') as file:
            file.writelines(json.dumps({'id': i, 'program': s.program}) + '\n' for i, s in left)
        ran = subprocess.run([python, os.path.join(HERE, 'dsl_trace.py'), path], capture_output=True, text=True,
                             env={**os.environ, 'CUTE_DSL_ARCH': arch}, cwd=folder)
        begun = None
        for line in ran.stdout.splitlines():
            if not line.startswith('{'):
                continue
            row = json.loads(line)
            begun = row['id']
            if 'begun' not in row:
                rows[begun] = row
        if begun is None:
            raise SystemExit(f'the DSL does not start: {ran.stderr[-2000:]}')
        if begun not in rows:
            rows[begun] = {'error': 'the process ended'}
        left = [(i, s) for i, s in left if i not in rows]
    return rows


def dsl_rows(python, statements):
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for arch in sorted({s.arch for s in statements}):
            rows.update(traced(python, [(i, s) for i, s in enumerate(statements) if s.arch == arch], arch, folder))
    return rows


# What Tessera says.

def batch(tessera, programs):
    requests = ''.join(json.dumps({'id': i, 'expr': p}) + '\n' for i, p in programs)
    ran = subprocess.run([tessera, 'batch'], input=requests, capture_output=True, text=True)
    return {row['id']: row for row in map(json.loads, ran.stdout.splitlines())}


def bound(program, form='{}'):
    """The program with a name for its last expression: without a value of its own the name has none."""
    *before, last = program.split('\n')
    return '\n'.join([*before, f'answer = {form.format(last)}', 'answer']) if before else form.format(last)


# Both as one text.

def fields_of(text):
    """The layouts of a print of an MMA or a copy, in order."""
    made = []
    for line in text.split('\n'):
        key, colon, value = line.partition(':')
        if colon and value.strip():
            made.append((re.sub(r'[ _]', '', key).lower(), re.sub(r'[ _]', '', value)))
    return dict(made)


NAMES = {'thrlayoutvmnk': 'vmnk', 'permutationmnk': 'perm', 'thrid': 'thr', 'shapemnk': 'mnk', 'tvlayouta': 'a', 'layoutatv': 'a',
         'tvlayoutb': 'b',
         'layoutbtv': 'b', 'tvlayoutc': 'c', 'layoutctv': 'c', 'tilermn': 'tiler', 'tvlayouttiled': 'tv', 'tiledlayouttv': 'tv',
         'tvlayoutsrc': 'src', 'vallayoutsrc': 'src', 'tvlayoutdst': 'dst', 'vallayoutdst': 'dst'}


def tiler_text(text):
    """A tiler's modes that are layouts n:1 as numbers, as which the DSL does not write them; 1:0 is 1:1."""
    return re.sub(r'(?<=[(,])(\d+):1(?=[,)])', r'\1', re.sub(r'(?<=[(,])1:0(?=[,)])', '1', text))


def tma_text(text):
    """An operation of TMA as CuTe's C++ names it."""
    found = re.match(r'cp\.async GMEM -> SMEM bulk tensor( multicast)? copy Operation(?:\s*CTA group = (\d))?\s*$', text)
    if not found:
        return text
    return f'Copy_Traits<{"SM100_TMA_2SM" if found[2] == "2" else "SM90_TMA"}_LOAD{"_MULTICAST" if found[1] else ""}>'


def object_text(text):
    fields = {NAMES[k]: v for k, v in fields_of(text).items() if k in NAMES}
    for key in ('tiler', 'perm'):
        if key in fields:
            fields[key] = tiler_text(fields[key])
    return json.dumps(fields, sort_keys=True)


SWIZZLE = re.compile(r'Sw?<(-?\d+),(-?\d+),(-?\d+)>')


def in_elements(text, bits):
    """A swizzle of bytes as one of elements."""
    def one(match):
        b, m, s = map(int, match.groups())
        return f'Sw<{b},{m + 3 - int(math.log2(bits))},{s}>'
    return SWIZZLE.sub(one, text)


def normal(text):
    text = re.sub(r'\s', '', text).replace('None', '_')
    text = re.sub(r'_(?=[\d])', '', text)
    text = re.sub(r'^[(),0]*0[(),0]*o(?=[(\d])', '', text)  # an offset of zeros
    text = re.sub(r'S<(\d+),(\d+),(-\d+)$', r'Sw<\1,\2,\3>', text)  # the DSL's print lacks the bracket
    text = SWIZZLE.sub(lambda m: f'Sw<{m[1]},{m[2]},{m[3]}>', text)
    text = re.sub(r'^Sw<0,-?\d+,-?\d+>$', 'Sw<0>', text)
    return re.sub(r'^Sw<0,-?\d+,-?\d+>o0o', '', text)


def after_pointer(text):
    """`ptr<f16, smem, S<3,4,3>> o L`: what stands in the brackets, and L."""
    depth = 0
    for at, c in enumerate(text):
        depth += (c == '<') - (c == '>')
        if c == '>' and depth == 0:
            return text[:at], text[at + 1:].removeprefix(' o ')
    return text, ''


def dsl_text(row, statement):
    text = row['text']
    pointer = re.match(r'ptr<(\w+)(?:, (\w+))?', text)
    if pointer:  # of what and where; its alignment and its swizzle are not part of a print here
        return f'{BITS.get(pointer[1], pointer[1])} {(pointer[2] or "generic").replace("rmem", "generic")}'
    if text.startswith(('Tiled', 'MMA Atom', 'Copy Atom')):
        return object_text(text)
    tensor = re.match(r'tensor<(.*)>$', text, re.S)
    if tensor:
        text = tensor[1]
        if text.startswith('ptr<'):
            pointer, text = after_pointer(text)
            swizzle = SWIZZLE.search(pointer)
            text = (in_elements(swizzle[0], row.get('bits') or 8) + ' o 0 o ' if swizzle else '') + text
    if statement.bits:
        text = in_elements(text, statement.bits)
    if row['kind'].endswith(('OperandMajorMode', 'AddressSpace')):
        text = text.split('.')[-1]
    return normal(tiler_text(text) if statement.program.endswith(('tiler_mn', 'permutation_mnk')) else text)


BITS = {'f16': 16, 'bf16': 16, 'f32': 32, 'i8': 8, 'i32': 32, 'i64': 64, 'f8E4M3FN': 8, 'f8E5M2': 8, 'tf32': 32, 'i16': 16,
        'f8E8M0FNU': 8, 'f4E2M1FN': 4, 'f64': 64}


def is_pair(value, offset):
    """Is it (layout,offset), and not a layout whose last stride is the offset's text?"""
    inner = value[1:-len(offset) - 2]
    depths = list(itertools.accumulate((c == '(') - (c == ')') for c in inner))
    return bool(depths) and min(depths) >= 0 and depths[-1] == 0 and ':' in inner and not inner.endswith(':')


TYPES = {'half_t': 'Float16', 'bfloat16_t': 'BFloat16', 'float': 'Float32', 'int8_t': 'Int8', 'uint8_t': 'Uint8',
         'float_e4m3_t': 'Float8E4M3FN',
         'float_e5m2_t': 'Float8E5M2', 'int32_t': 'Int32', 'tfloat32_t': 'TFloat32'}


def our_text(row, said, statement_text=''):
    if row['kind'] in ('tiled_mma', 'thr_mma', 'mma_atom', 'tiled_copy', 'thr_copy', 'copy_atom'):
        return object_text(said.get('value', '')) if said.get('ok') else said['error']['message']
    value = row['value']
    if isinstance(value, bool):
        return 'true' if value else 'false'
    value = str(value)
    if row['kind'] == 'pointer':
        place = re.match(r'(\w*?)_?ptr\[(\d+)b\]', value)
        return f'{place[2]} {place[1] or "generic"}' if place else value
    pointer = re.match(r'make_tensor\(.*?, (?=Sw|\(|\d)(.*)\)$', value)  # the DSL does not print how far a pointer has come
    if pointer:
        value = pointer[1]
    elif row['kind'] == 'string' and value in TYPES:
        value = TYPES[value]
    elif row['kind'] == 'tensor' and row['offset'].lstrip('-').isdigit() and value.endswith(f',{row["offset"]})') and \
            re.match(r'-?\d+ o ', statement_text):
        value = f'{row["offset"]} o {value[1:-len(row["offset"]) - 2]}'
    elif row['kind'] == 'tensor' and is_pair(value, str(row['offset'])) and value.endswith(f',{row["offset"]})') and value.startswith('('):
        value = value[1:-len(str(row['offset'])) - 2]
        if str(row['offset']).startswith('('):
            value = f'{row["offset"]} o {value}'
    return normal(tiler_text(value) if ':' in value and '(' in value and row['kind'] == 'tiler' else value)


# Functions: the same values at the same coordinates, whatever the print.

def parse_tuple(text, at):
    if text[at] == '(':
        made, at = [], at + 1
        while text[at] != ')':
            item, at = parse_tuple(text, at)
            made.append(item)
            at += text[at] == ','
        return tuple(made), at + 1
    end = re.compile(r'[^(),:]+').match(text, at).end()
    return text[at:end], end


def flat(value):
    return [leaf for each in value for leaf in flat(each)] if isinstance(value, tuple) else [value]


def image(text, most=1 << 16):
    """The profile of the modes' sizes and the values of a layout's text, or none."""
    try:
        head, body = '', text
        if ' o ' in text or 'o' in text:
            head, _, body = text.rpartition('o')
        shape, at = parse_tuple(body, 0)
        stride, at = parse_tuple(body, at + 1)
        sizes, steps = [int(s) for s in flat(shape)], flat(stride)
        if math.prod(sizes) > most or at != len(body) or len(sizes) != len(steps):
            return None
        modes = tuple(math.prod(int(s) for s in flat(m)) for m in shape) if isinstance(shape, tuple) else math.prod(sizes)
        made = [collections.Counter()]
        for size, step in zip(sizes, steps):
            value, _, basis = step.partition('@')
            made = [old + collections.Counter({basis: int(value) * i}) if int(value) * i else old for i in range(size) for old in made]
        return head, modes, [dict(+m) for m in made]
    except (ValueError, IndexError, AttributeError):
        return None


def same_function(a, b):
    if a.startswith('{') and b.startswith('{'):
        one, other = json.loads(a), json.loads(b)
        return one.keys() == other.keys() and all(one[k] == other[k] or same_function(one[k], other[k]) for k in one)
    first, second = image(a), image(b)
    return first is not None and first == second


def verdict(statement, theirs, ours, said):
    warned = bool(ours.get('warnings'))
    operation = tma_text(theirs.get('text', ''))
    if operation != theirs.get('text', '') and ours.get('ok'):
        return 'same' if operation == ours['value'] else 'DIFFER'
    if re.match(r'.*(Operation|Copy_Traits|OpResult|FastDivmod|tensor_value)', theirs.get('text', ''), re.S):
        return 'dynamic'  # no value that both print
    if 'S<' in theirs.get('text', '') and '4294' in theirs['text']:
        return 'dynamic'  # a swizzle below the element, whose negative base the DSL prints cut off
    if 'error' in theirs:
        if not ours.get('ok'):
            return 'both'
        typed = re.match(r'TypeError|AttributeError|.*must be a Value', theirs['error'], re.S)
        return 'warned' if warned else 'typed' if typed else 'there'
    text = dsl_text(theirs, statement)
    if ours.get('kind') == 'tiler':
        text = tiler_text(text)
    if text.endswith('():()'):
        text = text.removesuffix('():()').removesuffix('o') or ours.get('value')  # a tensor of one element, whose offset is its value here
    if not ours.get('ok'):
        return 'here'
    if '?' in text:
        return 'dynamic'
    mine = our_text(ours, said, re.sub(r'^tensor<', '', theirs['text']))
    if re.match(r'tensor<ptr<[^>]*(<[^>]*>[^>]*)*S<', theirs['text']):
        mine = re.sub(r'^(Sw<[^>]*>)o\d+o', r'\1o0o', mine)  # a swizzled pointer, of which the DSL does not print how far it has come
    if text == mine:
        return 'same'
    bits = ours.get('element_bits')
    if bits and 'make_smem_layout' in statement.program and normal(in_elements(text, bits)) == mine:
        return 'same'  # a layout of shared memory, whose swizzle is one of elements here
    if same_function(text, mine):
        return 'as f.'
    return 'warned' if warned else 'DIFFER'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tessera')
    parser.add_argument('--count', type=int, default=150)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--files', nargs='*', default=[], help='folders of programs whose statements are closed')
    parser.add_argument('--kind', default='', help='a part of the name of a kind: only those')
    parser.add_argument('--show', nargs='*', default=['DIFFER'], help='columns whose statements are shown')
    parser.add_argument('--most', type=int, default=3, help='statements shown of each kind')
    asked = parser.parse_args()
    python = dsl_python()
    if not python:
        print('skipped: no python here has nvidia-cutlass-dsl; TESSERA_DSL_PYTHON may name one')
        return 77
    rng = random.Random(asked.seed)
    if asked.files:
        return compared(asked, *accepted(python, list(statements_of_files(asked.files, rng, Maker(rng), asked.count))))
    statements = list(Maker(rng).statements(asked.count))
    if asked.kind:
        statements = [s for s in statements if asked.kind in s.kind]
    return compared(asked, statements, dsl_rows(python, statements))


def accepted(python, closed):
    """Of each group's statements the first that the DSL accepts, or none; and their rows."""
    rows = dsl_rows(python, [statement for _, _, statement in closed])
    chosen = {}
    for i, (group, place, statement) in enumerate(closed):
        if 'error' not in rows[i] and (group not in chosen or '?' in rows[chosen[group]]['text'] and '?' not in rows[i]['text']):
            chosen[group] = i
    groups = len({group for group, _, _ in closed})
    print(f'{groups} statements of files, of which the DSL accepts {len(chosen)} in some closing')
    kept = sorted(chosen.values())
    return [closed[i][2] for i in kept], {n: rows[i] for n, i in enumerate(kept)}


def compared(asked, statements, theirs):
    ours = batch(asked.tessera, [(i, bound(s.program)) for i, s in enumerate(statements)])
    said = batch(asked.tessera, [(i, bound(s.program, 'print({})')) for i, s in enumerate(statements)])
    table, shown = collections.defaultdict(collections.Counter), collections.Counter()
    for i, statement in enumerate(statements):
        word = verdict(statement, theirs[i], ours[i], said[i])
        table[statement.kind][word] += 1
        shown[statement.kind, word] += 1
        if word in asked.show and shown[statement.kind, word] <= asked.most:
            print(f'{word}: {statement.kind} (statement {i})')
            print('    ' + statement.program.replace('\n', '\n    '))
            print('  DSL    ', theirs[i].get('text', theirs[i].get('error', '')).replace('\n', ' | ')[:700])
            print('  tessera', str(ours[i].get('value', ours[i].get('error', {}).get('message'))).replace('\n', ' | ')[:500],
                  *[w['message'][:200] for w in ours[i].get('warnings', [])], sep='  ')
            if ours[i].get('kind') in ('tiled_mma', 'tiled_copy', 'copy_atom', 'mma_atom'):
                print('          ', str(said[i].get('value')).replace('\n', ' | ')[:600])
    print(f'{"statement":34}' + ''.join(f'{c:>9}' for c in COLUMNS))
    for kind in sorted(table):
        print(f'{kind:34}' + ''.join(f'{table[kind][c] or "":>9}' for c in COLUMNS))
    total = sum(table.values(), collections.Counter())
    print(f'{"all " + str(len(statements)):34}' + ''.join(f'{total[c]:>9}' for c in COLUMNS))
    return 1 if total['DIFFER'] or total['there'] else 0


if __name__ == '__main__':
    sys.exit(main())
