# SPDX-License-Identifier: BSD-3-Clause
"""Statements of files that use the CuTe DSL, closed with random values: for differential_dsl.py --files FOLDER.

A statement is an assignment whose right side calls the DSL. Its free names (and self.name) get values that their own names suggest, several
times over: which of the closings the DSL accepts, it decides itself."""
import ast, os, re

from dsl_statements import Statement

MODULES = {'cute', 'cutlass', 'utils', 'sm90_utils', 'sm100_utils', 'blockscaled_utils', 'tcgen05', 'warp', 'warpgroup', 'cpasync'}
WORDS = {'o', 'X'}  # names that stand for something else in Tessera
BUILTINS = {'None', 'True', 'False', 'int', 'len', 'max', 'min', 'range', 'tuple', 'list', 'sum', 'abs'}
# What runs on a device, writes, or has no value to compare.
SKIPPED = re.compile(r'cute\.(compile|copy|gemm|arch|math|printf|print_tensor|runtime|testing|autovec_copy|kernel|prefetch|experimental|'
                     r'full|where|exp|log|sqrt|struct|sym_int|TensorSSA|fast_divmod|assume|domain_offset_aligned|'
                     r'nvgpu\.cpasync\.make_tiled_tma|nvgpu\.make_tiled_tma|GenerateLineInfo)')


def calls_of(folder):
    """(call's name, source, file and line) of every assignment that calls the DSL, each text once."""
    seen = set()
    for root, _, files in os.walk(folder):
        for name in sorted(files):
            if not name.endswith('.py'):
                continue
            path = os.path.join(root, name)
            try:
                tree = ast.parse(open(path, encoding='utf-8').read())
            except (SyntaxError, UnicodeDecodeError):
                continue
            for node in ast.walk(tree):
                value = getattr(node, 'value', None)
                if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return)) or not isinstance(value, ast.Call):
                    continue
                text = ast.unparse(value)
                called = ast.unparse(value.func)
                if not called.startswith('cute.') or SKIPPED.match(called) or text in seen or 'lambda' in text or '[i]' in text:
                    continue
                if len(text) > 600 or '*' in re.sub(r' \* ', '', text):
                    continue
                seen.add(text)
                yield called, value, f'{path}:{node.lineno}'


class Names(ast.NodeTransformer):
    """Free names become names of one word: self.a_dtype is self_a_dtype."""

    def __init__(self):
        self.free = []

    def visit_Attribute(self, node):
        parts, at = [], node
        while isinstance(at, ast.Attribute):
            parts.insert(0, at.attr)
            at = at.value
        if isinstance(at, ast.Name) and at.id in MODULES:
            return node
        members = {'shape', 'stride', 'layout', 'iterator', 'inner', 'outer', 'element_type', 'type', 'dtype', 'width', 'size', 'op',
                   'thr_id', 'shape_mnk', 'thr_layout_vmnk', 'tv_layout_A', 'tv_layout_B', 'tv_layout_C', 'tiler_mn', 'layout_tv_tiled',
                   'layout_dst_tv_tiled', 'layout_src_tv_tiled'}
        methods = ('get_slice', 'partition_', 'retile', 'make_fragment', 'get_tile_size')
        if parts and isinstance(at, ast.Name) and not parts[-1] in members and not parts[-1].startswith(methods):
            return self.free_name('_'.join([at.id, *parts]))
        return ast.Attribute(self.visit(node.value), node.attr, node.ctx)

    def free_name(self, name):
        name = name + '_' if name in WORDS else name
        if name not in self.free:
            self.free.append(name)
        return ast.Name(name, ast.Load())

    def visit_Name(self, node):
        return node if node.id in MODULES or node.id in BUILTINS else self.free_name(node.id)

    def visit_keyword(self, node):
        return ast.keyword(node.arg, self.visit(node.value))


class Closer:
    """Values for names, as their words suggest."""

    def __init__(self, rng, maker):
        self.rng, self.maker = rng, maker

    def value(self, name):
        """The lines that bind the name."""
        make, low = self.maker, name.lower()
        has = lambda *words: any(w in low for w in words)
        tensorlike = re.search(r'(^|_)(m|g|s|r|c|t[A-Z]{1,3})[A-Z]\w*$', name) or has('tensor', 'frag')
        number = lambda: str(self.rng.choice([1, 2, 4, 8, 16, 32, 64, 128]))
        if has('dtype', 'type', 'element') and not has('layout', 'bytes'):
            return 'cutlass.' + self.rng.choice(['Float16', 'BFloat16', 'Float32', 'Float8E4M3FN', 'Int8'])
        if has('tiled_mma', 'thr_mma') or low.endswith('mma'):
            return ('mma', make.tiled_mma('wwwgu')[0], has('thr'))
        if has('copy_atom', 'atom') and not has('layout', 'mma'):
            return make.plain_atom()[0] if self.chance(0.6) else make.matrix_atom(has('r2s', 'store'))
        if has('copy', 'g2s', 's2r', 'r2s', 't2r', 'r2t') and not tensorlike:
            return ('copy', make.tv_copy()[0], has('thr'))
        if has('smem_layout', 'slayout') or (has('layout') and has('smem', 'staged')):
            return self.rng.choice([make.composed(self.rng.choice([2, 3])), self.smem_layout(), self.smem_layout()])
        if has('layout'):
            return make.layout(self.rng.choice([1, 2, 2, 3]))
        if has('swizzle'):
            return make.swizzle()
        if has('ptr', 'iterator'):
            space = 'smem' if has('smem', 's_') else 'gmem'
            return f'cute.make_ptr(cutlass.Float16, 0, cute.AddressSpace.{space}, assumed_align=16)'
        if tensorlike:
            shape = make.small(self.rng.choice([1, 2, 2, 3, 3, 4]))
            return make.tensor(shape)
        if has('tiler', 'tile', 'shape', 'mnk', 'mnkl', 'cluster', 'block'):
            rank = 3 if has('mnk') else 2 if has('_mn', '_mk', '_nk') else self.rng.choice([1, 2, 2, 3, 3])
            if has('mma_shape', 'partition'):
                return str(make.shape(3))
            made = tuple(self.rng.choice([1, 2, 4, 8, 16, 32, 64, 128]) for _ in range(rank))
            return str(made) if rank > 1 or self.chance(0.5) else number()
        if has('stride'):
            return str(tuple(self.rng.choice([1, 8, 64, 128]) for _ in range(self.rng.choice([2, 3]))))
        if has('coord', 'crd'):
            return self.rng.choice([str((0, 1)), str((1, 0, 0)), '(None, 0)', '(None, None, 0)', '(0, 0, None)', '1'])
        if has('order'):
            return self.rng.choice(['(0, 1, 2)', '(1, 0, 2)', '(1, 0)', '(0, 1)'])
        if has('idx', 'index', 'tid', 'stage', 'warp', 'rank', 'lane'):
            return f'cutlass.Int32({self.rng.choice([0, 1, 2, 3])})' if self.chance(0.3) else str(self.rng.choice([0, 1, 2, 3]))
        if has('is_', 'has_', 'use_', 'transpose', 'major') and not has('mode'):
            return self.rng.choice(['True', 'False'])
        return number()

    def chance(self, share):
        return self.rng.random() < share

    def smem_layout(self):
        kind = self.rng.choice(['K_SW128', 'K_SW64', 'MN_SW128', 'K_INTER'])
        type_ = self.rng.choice(['Float16', 'Float16', 'BFloat16', 'Float32'])
        atom = f'cute.nvgpu.warpgroup.make_smem_layout_atom(cute.nvgpu.warpgroup.SmemLayoutAtomKind.{kind}, cutlass.{type_})'
        return f'cute.tile_to_shape({atom}, (128, 128, {self.rng.choice([1, 2, 4])}), (0, 1, 2))'

    def lines(self, name):
        made = self.value(name)
        if isinstance(made, str):
            return [f'{name} = {made}']
        word, text, is_slice = made
        text = text.replace('\nmma = ', f'\n{name}__whole = ').replace('op = ', f'{name}__op = ').replace('make_tiled_mma(op',
                                                                                                          f'make_tiled_mma({name}__op')
        text = re.sub(r'^copy = ', f'{name}__whole = ', text)
        return text.split('\n') + [f'{name} = {name}__whole' + (f'.get_slice({self.rng.randrange(32)})' if is_slice else '')]


def arch_of(program):
    return 'sm_100a' if 'tcgen05' in program else 'sm_90a'


def statements_of_files(folders, rng, maker, count, closings=8):
    """Statements, each in several closings: (group, Statement)."""
    calls = [each for folder in folders for each in calls_of(folder)]
    rng.shuffle(calls)
    closer = Closer(rng, maker)
    for group, (called, node, place) in enumerate(calls[:count]):
        names = Names()
        text = ast.unparse(names.visit(ast.parse(ast.unparse(node), mode='eval').body))
        for _ in range(closings):
            program = '\n'.join([line for name in names.free for line in closer.lines(name)] + [text])
            yield group, place, Statement(called.removeprefix('cute.'), program, arch_of(program))
