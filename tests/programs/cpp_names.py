# SPDX-License-Identifier: BSD-3-Clause
"""Which names the statements of a C++ text bind by `=` or by `using`, found without anything of Tessera: tokens, then statements, then the
word in front of each statement's first `=` outside of brackets. What `if`, `for` and the like own without braces counts; variables of a
loop's head, members (`p->x = 3`, `x.y = 3` counts as y), elements (`x[i] = 3`), enumerators and code of an `#if 0` do not."""
import re

TOKEN = re.compile(r'''
  (?P<space>\s+|\\\n)
 |(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
 |(?P<string>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"
            |(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
 |(?P<number>\.?[0-9](?:'?[0-9A-Za-z_.]|(?<=[eEpP])[+-])*)
 |(?P<word>[A-Za-z_$]\w*)
 |(?P<sign><<=|>>=|->\*|\.\.\.|::|->|\+\+|--|==|!=|<=|>=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|.)
''', re.X | re.S)
DIRECTIVE = re.compile(r'[ \t]*#[ \t]*((?:\\\n|/\*.*?\*/|[^\n])*)', re.S)
CONDITIONAL = re.compile(r'^[ \t]*#[ \t]*(if|endif|else|elif)', re.M)
ASSIGNMENTS = ('=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=')
OWNERS = ('if', 'while', 'for', 'switch', 'else', 'do')  # of a statement behind them
LABELS = ('public', 'private', 'protected', 'default')


def end_of_nothing(text, at):
    """Where the code of an `#if 0` ends whose line ends at `at`."""
    depth = 0
    for found in CONDITIONAL.finditer(text, at):
        if found.group(1) == 'if':
            depth += 1
        elif depth == 0:
            return found.start()
        elif found.group(1) == 'endif':
            depth -= 1
    return len(text)


def tokens(text):
    """(kind, text, line); comments, blanks and lines of the preprocessor left out."""
    at, line, fresh = 0, 1, True
    while at < len(text):
        directive = DIRECTIVE.match(text, at) if fresh else None
        if directive:
            end = directive.end()
            if re.match(r'if\s+0\b', directive.group(1)):
                end = end_of_nothing(text, end)
            line += text.count('\n', at, end)
            at, fresh = end, at != end and text[end - 1:end] == '\n'
            continue
        found = TOKEN.match(text, at)
        kind = 'string' if found.lastgroup == 'mark' else found.lastgroup
        if kind not in ('space', 'comment'):
            yield kind, found.group(), line
            fresh = False
        elif kind == 'space' and '\n' in found.group():
            fresh = True
        line += found.group().count('\n')
        at = found.end()


def without_template(made):
    """Without `template <...>` in front."""
    at = 0
    while at + 1 < len(made) and made[at][1] == 'template' and made[at + 1][1] == '<':
        angles = brackets = 0
        at += 1
        while at < len(made):
            sign = made[at][1]
            brackets += sign in ('(', '[', '{')
            brackets -= sign in (')', ']', '}')
            if brackets == 0:
                angles += {'<': 1, '>': -1}.get(sign, -2 * (sign == '>>'))
            at += 1
            if angles <= 0:
                break
    return made[at:]


def outside(made):
    """(kind, text, line, index) of tokens in no bracket, and the outermost brackets themselves."""
    kept, depth = [], 0
    for index, (kind, text, line) in enumerate(made):
        opens, closes = kind == 'sign' and text in '([{', kind == 'sign' and text in ')]}'
        depth -= closes
        if depth == 0:
            kept.append((kind, text, line, index))
        depth += opens
    return kept


def assigns(made):
    return any(kind == 'sign' and text in ASSIGNMENTS for kind, text, _, _ in outside(without_template(made)))


def owns_block(made):
    """Is this what stands in front of a block, and no type whose values follow?"""
    words = [each[1] for each in without_template(made)]
    if not words or words[0] in OWNERS + LABELS + ('namespace', 'try', 'catch', 'extern', 'case'):
        return True
    if words[-1] in (')', 'const', 'noexcept', 'override', 'else', 'do', 'try', 'mutable', 'final', ':'):
        return True
    return ')' in words and ('->' in words or ':' in words) or bool({'struct', 'class', 'union', 'enum'} & set(words))


def statements(all_tokens):
    made, stack = [], []  # 'v': braces that hold values
    for token in all_tokens:
        kind, text, _ = token
        sign = text if kind == 'sign' else ''
        if sign == '{':
            value = (stack and stack[-1] in '([v') or assigns(made) or (made and made[-1][1] in ('=', ',', '(', 'return')) or \
                (made and not owns_block(made))
            stack.append('v' if value else 'b')
            if not value:
                if made:
                    yield made
                made = []
                continue
        elif sign == '}':
            value = stack and stack.pop() == 'v'
            if not value:
                if made:
                    yield made
                made = []
                continue
        elif sign in ('(', '['):
            stack.append(sign)
        elif sign in (')', ']') and stack and stack[-1] in '([':
            stack.pop()
        elif sign == ';' and not (stack and stack[-1] in '([v'):
            if made:
                yield made
            made = []
            continue
        made.append(token)
    if made:
        yield made


def behind_head(made):
    """What an `if (...)`, a `for (...)` or an `else` owns."""
    at = 2 if made[0][1] == 'if' and len(made) > 1 and made[1][1] == 'constexpr' else 1
    if made[0][1] in ('else', 'do'):
        return at
    depth = 0
    while at < len(made):
        depth += (made[at][1] == '(') - (made[at][1] == ')')
        at += 1
        if depth == 0:
            break
    return at


def bound(made):
    """(last line, names) of one statement; nothing where it binds none."""
    while len(made) > 1 and made[1][1] == ':' and made[0][1] in LABELS:
        made = made[2:]
    made = without_template(made)
    while len(made) > 1 and made[1][1] == ':' and made[0][1] in LABELS:
        made = made[2:]
    if made and made[0][1] == 'case':
        colon = next((i for i, each in enumerate(made) if each[1] == ':'), len(made) - 1)
        made = made[colon + 1:]
    if not made:
        return None
    words = [each[1] for each in made]
    if words[0] == 'using':
        return (made[0][2], [words[1]]) if '=' in words else None
    if words[0] in OWNERS:
        at = behind_head(made)
        inner = bound(made[at:])
        own = words[:at] if words[0] == 'for' else []
        return inner and (inner[0], [name for name in inner[1] if name not in own])
    if words[0] in ('namespace', 'return', 'enum', 'friend', 'static_assert', 'throw', 'goto', 'co_yield') or 'operator' in words:
        return None
    kept = outside(made)
    for n, (kind, text, line, index) in enumerate(kept):
        if kind != 'sign' or text not in ASSIGNMENTS:
            continue
        before = kept[n - 1] if n else None
        if before is None:
            return None
        if before[1] == ']':  # auto [a, b] = ..., or an element
            if 'auto' not in [each[1] for each in kept[:n - 2]]:
                return None
            return line, [each[1] for each in made[kept[n - 2][3] + 1:before[3]] if each[0] == 'word']
        member = n > 1 and kept[n - 2][1] in ('.', '->')
        pointed = n == 2 and kept[0][1] == '*'
        return None if before[0] != 'word' or member or pointed else (line, [before[1]])
    return None


def names_of(text):
    """[(first line, last line, name)]"""
    found = []
    for made in statements(list(tokens(text))):
        names = bound(made)
        for name in names[1] if names else []:
            found.append((made[0][2], names[0], name))
    return found
