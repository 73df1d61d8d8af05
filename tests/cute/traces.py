# SPDX-License-Identifier: BSD-3-Clause
"""What a program's own trace says of its names, beside what `tessera explain` reads in its text without it.

traces.py TESSERA [FILE or FOLDER ...] [--kept FOLDER] [--show WORD ...] [--most N]

The files are Python programs of the CuTe DSL; without any, those of the folder $TESSERA_TRACE_FILES. `tessera trace` runs each with
$TESSERA_PYTHON; --kept has the traces of a run before, and keeps those that are made. A row of a trace is a name in a line. A table counts
the rows by the call that gives the name its value:

  equal     the text gives the name the traced value
  guess     another value, with names that the text leaves open ("needs")
  said      another value, and the answer says what it stands on: a default, a call, a doubt
  WRONG     another value without a word
  unread    the text gives the name no value

Exit code 1: something is wrong without a word. 77: no files, or no package nvidia-cutlass-dsl."""
import argparse, ast, collections, json, os, subprocess, sys

COLUMNS = ['equal', 'guess', 'said', 'WRONG', 'unread']


def files_of(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for root, _, names in os.walk(path):
            yield from (os.path.join(root, name) for name in sorted(names) if name.endswith('.py'))


def trace_of(tessera, path, folder):
    """The file of the program's trace, or none."""
    kept = os.path.join(folder, os.path.abspath(path).strip('/').replace('/', '_') + '.trace')
    if not os.path.exists(kept):
        subprocess.run([tessera, 'trace', os.path.abspath(path), '--out', kept, '--json'], capture_output=True, cwd=os.path.dirname(path) or '.')
    return kept if os.path.exists(kept) else None


def explained(tessera, path, *more):
    ran = subprocess.run([tessera, 'explain', path, '--json', '--limit-seconds', '60', *more], capture_output=True, text=True, errors='replace')
    try:
        return json.loads(ran.stdout)
    except ValueError:
        return None


def callee(node):
    """How the value is made: the called name, without what it is called of."""
    if isinstance(node, ast.Call):
        return callee_name(node.func)
    return {ast.Subscript: 'x[..]', ast.Attribute: 'x.member', ast.Name: 'name', ast.Constant: 'number', ast.IfExp: 'a if b else c',
            ast.Tuple: 'tuple', ast.BinOp: 'arithmetic'}.get(type(node), type(node).__name__)


def callee_name(node):
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else 'f(..)(..)'


def kinds_of(path):
    """line -> how the statement in it makes its value."""
    with open(path, encoding='utf-8') as file:
        tree = ast.parse(file.read())
    kinds = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for line in range(node.lineno, node.end_lineno + 1):
                kinds.setdefault(line, callee(node.value))
        if isinstance(node, ast.FunctionDef):
            for each in [*node.args.args, *node.args.kwonlyargs]:
                kinds.setdefault(each.lineno, 'parameter')
    return kinds


def part_of(value, place):
    """Mode `place` of a tuple's text, or none."""
    modes, depth = [''], 0
    for c in value[1:-1] if value.startswith('(') and value.endswith(')') else '':
        depth += (c in '([<') - (c in ')]>')
        if c == ',' and depth == 0:
            modes.append('')
        else:
            modes[-1] += c
    return modes[place] if place < len(modes) else None


def rows_here(here, line, name):
    """What is read of the name; of x[0] also the part of what is read of x."""
    whole, bracket, place = name.rpartition('[')
    if (line, name) in here or not bracket or not place[:-1].isdigit():
        return here.get((line, name), [])
    parts = [(row, part_of(row['value'], int(place[:-1]))) for row in here.get((line, whole), [])]
    return [{**row, 'value': value} for row, value in parts if value]


def compared(read, traced):
    """(word, place, values here, values traced) of each row of the trace."""
    here, there = collections.defaultdict(list), collections.defaultdict(set)
    for row in read['objects']:
        here[row['line'], row['name']].append(row)
    for row in traced['objects']:
        if row['source'] == 'traced' and not row.get('given'):
            there[row['line'], row['name']].add(row['value'])
    for place, values in sorted(there.items()):
        rows = rows_here(here, *place)
        if not rows:
            yield 'unread', place, [], values
        for row in rows:
            if row['value'] in values:
                word = 'equal'
            elif row.get('needs'):
                word = 'guess'
            else:
                word = 'said' if row.get('stated') or row.get('remarks') else 'WRONG'
            yield word, place, [row['value'], *row.get('stated', []), *row.get('remarks', [])], values


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tessera')
    parser.add_argument('files', nargs='*')
    parser.add_argument('--kept')
    parser.add_argument('--show', nargs='*', default=['WRONG'])
    parser.add_argument('--most', type=int, default=10, help='rows shown of each word')
    asked = parser.parse_args()
    paths = asked.files or [each for each in [os.environ.get('TESSERA_TRACE_FILES')] if each]
    python = os.environ.get('TESSERA_PYTHON') or sys.executable
    if not paths or subprocess.run([python, '-c', 'import cutlass.cute'], capture_output=True).returncode != 0:
        print('skipped: TESSERA_TRACE_FILES is no folder of programs, or TESSERA_PYTHON has no nvidia-cutlass-dsl')
        return 77
    import tempfile
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.kept or temporary
        os.makedirs(folder, exist_ok=True)
        return table(asked, os.path.abspath(asked.tessera), list(files_of(paths)), folder)


def table(asked, tessera, paths, folder):
    counts, shown, without = collections.defaultdict(collections.Counter), collections.Counter(), []
    for path in paths:
        trace = trace_of(tessera, path, folder)
        read, traced = explained(tessera, path), trace and explained(tessera, path, '--trace', trace)
        if not read or not traced:
            without.append(path)
            continue
        kinds = kinds_of(path)
        for word, (line, name), here, there in compared(read, traced):
            counts[kinds.get(line, 'other')][word] += 1
            shown[word] += 1
            if word in asked.show and shown[word] <= asked.most:
                print(f'{word}: {path}:{line}: {name}\n  traced {sorted(there)[:3]}\n  read   {here[:4]}')
    print(f'{"made by":40}' + ''.join(f'{word:>9}' for word in COLUMNS))
    for kind, row in sorted(counts.items(), key=lambda each: -sum(each[1].values())):
        print(f'{kind[:39]:40}' + ''.join(f'{row[word] or "":>9}' for word in COLUMNS))
    total = sum(counts.values(), collections.Counter())
    print(f'{"all of " + str(len(paths) - len(without)) + " files":40}' + ''.join(f'{total[word]:>9}' for word in COLUMNS))
    if without:
        print(f'without a trace: {len(without)} files, {", ".join(map(os.path.basename, without[:5]))}')
    return 1 if total['WRONG'] else 0


if __name__ == '__main__':
    sys.exit(main())
