# SPDX-License-Identifier: BSD-3-Clause
"""Random programs of C++ and Python beside g++ and python3: what `tessera eval` says of a name is what the program prints, or nothing.

beside_compilers.py TESSERA [--count N] [--seed S] [--show]

Each program declares a few numbers, writes to them in the ways that programs do (updates, increments inside of expressions, references,
pointers, branches of the preprocessor, jumps, lists that have two names) and prints one. Exit code 77: no compiler here."""
import argparse, os, random, re, shutil, subprocess, sys, tempfile

NAMES = 'abcde'


class Cpp:
    ending = 'cpp'
    types = ['int', 'unsigned', 'long', 'short', 'unsigned char', 'int8_t', 'uint16_t', 'auto', 'long long', 'bool']

    def __init__(self, rng):
        self.rng, self.lines, self.known, self.used_goto = rng, [], [], False

    def number(self):
        return str(self.rng.choice([0, 1, 2, 3, 5, 7, 8, 16, 31, 100, 200, 300]))

    def name(self):
        return self.rng.choice(self.known)

    def operand(self, depth=0):
        roll = self.rng.random()
        if roll < 0.5 or depth > 2:
            return self.name() if self.known and self.rng.random() < 0.7 else self.number()
        if roll < 0.75:
            return '(' + self.expression(depth + 1) + ')'
        if roll < 0.8:
            return '-' + self.name() if self.known else self.number()
        if roll < 0.85:
            return '~' + self.name() if self.known else self.number()
        return self.number()

    def expression(self, depth=0):
        made = self.operand(depth)
        for _ in range(self.rng.randint(0, 2)):
            sign = self.rng.choice(['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '+', '-', '*'])
            right = self.operand(depth)
            if sign in '/%':
                right = str(self.rng.choice([1, 2, 3, 4, 7]))
            if sign in ('<<', '>>'):
                right = str(self.rng.randint(0, 4))
            made = f'{made} {sign} {right}'
        if self.rng.random() < 0.1:
            made = f'{made} {self.rng.choice(["<", ">", "==", "!=", "<=", ">="])} {self.operand(depth)}'
        return made

    def declare(self):
        fresh = [n for n in NAMES if n not in self.known]
        if not fresh:
            return
        type_ = self.rng.choice(self.types)
        value = self.expression()
        form = self.rng.random()
        self.lines.append(f'{type_} {fresh[0]} = {value};' if form < 0.8 else f'{type_} {fresh[0]}({value});')
        self.known.append(fresh[0])

    def write(self):
        a, b = self.name(), self.name()
        roll = self.rng.random()
        other = [n for n in self.known if n != a] or [a]
        if roll < 0.2:
            self.lines.append(f'{a} = {self.expression()};')
        elif roll < 0.3:
            self.lines.append(f'{a} {self.rng.choice(["+=", "-=", "*=", "^=", "|=", "&="])} {self.expression()};')
        elif roll < 0.36:
            self.lines.append(self.rng.choice([f'++{a};', f'{a}++;', f'--{a};', f'{a}--;']))
        elif roll < 0.46 and other[0] != a:
            b = self.rng.choice(other)
            self.lines.append(f'{a} = {self.rng.choice([f"++{b} * 2", f"{b}++ + 1", f"{b}-- - 3", f"(--{b}) + 4", f"2 * ({b}++)"])};')
        elif roll < 0.5:
            self.lines.append(f'(({a})) = {self.expression()};')
        elif roll < 0.56:
            self.lines.append(f'if ({self.expression()} > 3) {a} = {self.number()};')
        elif roll < 0.62:
            self.lines.append(f'for (int i = 0; i < {self.rng.randint(0, 3)}; ++i) {{ {a} += {self.number()}; }}')
        elif roll < 0.68:
            k = len(self.lines)
            sign = self.rng.choice(['int&', 'auto&', 'auto&&', 'const auto&'])
            self.lines.append(f'auto& r{k} = {a};' if sign == 'int&' else f'{sign} r{k} = {a};')
            if 'const' not in sign and self.rng.random() < 0.6:
                self.lines.append(f'r{k} = {self.number()};')
            else:
                self.lines.append(f'{a} = {self.number()};')
            if self.rng.random() < 0.5:
                self.lines.append(f'{self.rng.choice(self.known)} = r{k};')
        elif roll < 0.73:
            k = len(self.lines)
            self.lines.append(f'auto* p{k} = &{a};')
            self.lines.append(self.rng.choice([f'*p{k} = {self.number()};', f'(*p{k})++;', f'*p{k} += 2;', f'{b} = *p{k} + 1;']))
        elif roll < 0.78:
            k = len(self.lines)
            self.lines.append(f'#ifdef NOPE{k % 3}\n{a} = {self.number()};\n#else\n{a} = {self.number()};\n#endif')
        elif roll < 0.81:
            self.lines.append(f'#if {self.rng.randint(0, 1)}\n{a} = {self.number()};\n#endif')
        elif roll < 0.84:
            self.lines.append(f'// a comment that goes on \\\n{a} = {self.number()};')
        elif roll < 0.87:
            self.lines.append(f'{{ int {a} = {self.number()}; {a} += 1; }}')
        elif roll < 0.9:
            self.lines.append(f'{a} = ({b} = {self.number()}) + 1;' if a != b else f'{a} = 4;')
        elif roll < 0.93:
            self.lines.append(f'[&] {{ {a} += {self.number()}; }}();')
        elif roll < 0.95 and not self.used_goto:
            self.used_goto = True
            self.lines.append(f'goto end;\n{a} = {self.number()};\nend:')
        elif roll < 0.98:
            self.lines.append(f'{a} = {b}, {b} = {self.number()};')
        else:
            self.lines.append(f'{a} = {self.expression()} > 2 ? {self.number()} : {self.name()};')

    def program(self):
        for _ in range(self.rng.randint(1, 3)):
            self.declare()
        for _ in range(self.rng.randint(1, 5)):
            self.write() if self.rng.random() < 0.75 else self.declare()
        self.shown = self.name()
        return '\n'.join(self.lines) + '\n'

    def text(self):
        return self.program_ + f'auto shown = {self.shown};\nprint(shown);\n'

    def said(self, folder):
        whole = ('#include <cstdint>\n#include <cstdio>\nint main() {\n' + self.program_ +
                 f'auto shown = {self.shown}; std::printf("%lld\\n", static_cast<long long>(shown));\n}}\n')
        path = os.path.join(folder, 'a.cpp')
        open(path, 'w').write(whole)
        made = subprocess.run(['g++', '-std=c++20', '-w', '-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero',
                               '-fsanitize-undefined-trap-on-error', '-fpermissive', path, '-o', path + '.out'], capture_output=True, text=True)
        if made.returncode:
            return None
        ran = subprocess.run([path + '.out'], capture_output=True, text=True)
        return ran.stdout.strip() if ran.returncode == 0 else None


class Python(Cpp):
    ending = 'py'

    def expression(self, depth=0):
        made = self.operand(depth)
        for _ in range(self.rng.randint(0, 2)):
            sign = self.rng.choice(['+', '-', '*', '//', '%', '&', '|', '^', '<<', '>>', '+', '*'])
            right = self.operand(depth)
            if sign in ('//', '%'):
                right = str(self.rng.choice([1, 2, 3, 4, -3]))
                right = f'({right})' if right[0] == '-' else right
            if sign in ('<<', '>>'):
                right = str(self.rng.randint(0, 4))
            made = f'{made} {sign} {right}'
        return made

    def declare(self):
        fresh = [n for n in NAMES if n not in self.known]
        if fresh:
            self.lines.append(f'{fresh[0]} = {self.expression()}')
            self.known.append(fresh[0])

    def write(self):
        a, b = self.name(), self.name()
        roll, k = self.rng.random(), len(self.lines)
        if roll < 0.25:
            self.lines.append(f'{a} = {self.expression()}')
        elif roll < 0.4:
            self.lines.append(f'{a} {self.rng.choice(["+=", "-=", "*=", "//=", "^=", "|="])} {self.rng.randint(1, 5)}')
        elif roll < 0.48:
            self.lines.append(f'if {self.expression()} > 3:\n    {a} = {self.number()}')
        elif roll < 0.56:
            self.lines.append(f'for i in range({self.rng.randint(0, 3)}):\n    {a} += {self.number()}')
        elif roll < 0.62:
            self.lines.append(f'{a}, {b} = {self.expression()}, {self.number()}' if a != b else f'{a} = 3')
        elif roll < 0.78:
            self.lines.append(f'x{k} = [{self.number()}, {self.number()}]\ny{k} = x{k}')
            self.lines.append(self.rng.choice([f'y{k}[0] = {self.number()}', f'x{k}[1] = 5', f'y{k} += [7]', f'y{k}.append(9)', f'x{k}.reverse()',
                                               f'y{k} = [1, 2]', f'x{k}[0], {a} = 4, 5']))
            self.lines.append(f'{b} = x{k}[{self.rng.randint(0, 1)}]')
        elif roll < 0.84:
            self.lines.append(f'{a} = {b} = {self.number()}')
        elif roll < 0.9:
            self.lines.append(f'{a} = ({b} := {self.number()}) + 1' if a != b else f'{a} = 2')
        elif roll < 0.95:
            self.lines.append(f'def f{k}():\n    global {a}\n    {a} = {self.number()}\nf{k}()')
        else:
            self.lines.append(f'{a} = {self.number()} if {self.expression()} > 2 else {self.name()}')

    def text(self):
        return self.program_ + f'shown = {self.shown}\nprint(shown)\n'

    def said(self, folder):
        ran = subprocess.run([sys.executable, '-c', self.program_ + f'print(int({self.shown}))\n'], capture_output=True, text=True)
        return ran.stdout.strip() if ran.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tessera')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--least', type=float, default=0.0, help='the share of programs that have to have a value')
    parser.add_argument('--show', action='store_true')
    given = parser.parse_args()
    if not shutil.which('g++'):
        print('no g++ here')
        return 77
    differ = valued = ran = 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(given.count):
            program = (Cpp if i % 2 == 0 else Python)(random.Random(given.seed * 100003 + i))
            program.program_ = program.program()
            truth = program.said(folder)
            if truth is None:
                continue
            ran += 1
            path = os.path.join(folder, 'p.' + program.ending)
            open(path, 'w').write(program.text())
            answer = subprocess.run([given.tessera, 'eval', path], capture_output=True, text=True)
            ours = re.search(r'^(?:shown = )?(-?\d+|true|false)\s*$', answer.stdout, re.M)
            if answer.returncode not in (0, 1, 2):
                differ += 1
                print(f'program {i} ended with {answer.returncode}:\n{program.text()}')
                continue
            if not ours or answer.returncode != 0:
                if given.show:
                    print(f'-- {i} has no value: {answer.stderr.strip()[:200]}')
                continue
            valued += 1
            value = {'true': '1', 'false': '0'}.get(ours[1], ours[1])
            if value != truth:
                differ += 1
                print(f'program {i}: {value}, and the program says {truth}:\n{program.text()}\n{answer.stdout}')
    print(f'{ran} programs ran, {valued} have a value here, {differ} differ')
    if ran == 0 or differ or valued < given.least * ran:
        return 1
    return 0


sys.exit(main())
