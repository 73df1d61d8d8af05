# SPDX-License-Identifier: BSD-3-Clause
"""Random statements of CuTe's C++, closed with values: what differential_cpp.py asks CuTe and Tessera.

A statement is (kind, text): the text is one C++ expression of an object, which the same words of Tessera's language spell. The kinds and their
shares follow how often CUTLASS's sources call them. Most statements keep CuTe's preconditions, some do not."""
import re

from tuples import leaves, product

ELEMENTS = [('half_t', 16), ('float', 32), ('int8_t', 8), ('bfloat16_t', 16), ('double', 64), ('float_e4m3_t', 8), ('tfloat32_t', 32)]
WARP_ATOMS = [('SM80_16x8x16_F32F16F16F32_TN', (16, 8, 16)), ('SM80_16x8x8_F32F16F16F32_TN', (16, 8, 8)), ('SM75_16x8x8_F32F16F16F32_TN', (16, 8, 8)),
              ('SM80_16x8x8_F32TF32TF32F32_TN', (16, 8, 8)), ('SM80_16x8x32_S32S8S8S32_TN', (16, 8, 32)), ('SM80_8x8x4_F64F64F64F64_TN', (8, 8, 4)),
              ('SM70_8x8x4_F32F16F16F32_NT', (8, 8, 4)), ('SM70_8x8x4_F16F16F16F16_TN', (8, 8, 4)), ('SM89_16x8x32_F32E4M3E4M3F32_TN', (16, 8, 32)),
              ('UniversalFMA<float,float,float>', (1, 1, 1)), ('SM61_DP4A', (1, 1, 4))]
GMMA_ATOMS = [('SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>', (64, 64, 16), 'half_t'),
              ('SM90_64x128x16_F32BF16BF16_SS<GMMA::Major::MN,GMMA::Major::K>', (64, 128, 16), 'bfloat16_t'),
              ('SM90_64x32x16_F32F16F16_RS<GMMA::Major::K,GMMA::Major::MN>', (64, 32, 16), 'half_t'),
              ('SM90_64x16x8_F32TF32TF32_SS_TN<>', (64, 16, 8), 'tfloat32_t'),
              ('SM90_64x96x32_F32E4M3E4M3_SS_TN<>', (64, 96, 32), 'float_e4m3_t')]
COPIES = [('UniversalCopy<uint128_t>', 'half_t', 1, 8), ('UniversalCopy<uint64_t>', 'float', 1, 2), ('UniversalCopy<float>', 'float', 1, 1),
          ('SM80_CP_ASYNC_CACHEALWAYS<uint128_t>', 'float', 1, 4), ('SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>', 'bfloat16_t', 1, 8), ('DefaultCopy', 'half_t', 1, 1),
          ('AutoVectorizingCopyWithAssumedAlignment<128>', 'half_t', 1, 1), ('SM75_U32x4_LDSM_N', 'half_t', 32, 8), ('SM75_U32x2_LDSM_N', 'half_t', 32, 4),
          ('SM75_U16x8_LDSM_T', 'half_t', 32, 8), ('SM75_U16x4_LDSM_T', 'bfloat16_t', 32, 4), ('SM90_U32x4_STSM_N', 'half_t', 32, 8),
          ('SM90_U16x8_STSM_T', 'half_t', 32, 8)]


UMMA_ATOMS = [('SM100_MMA_F16BF16_SS<half_t,half_t,float,{m},{n},UMMA::Major::{a},UMMA::Major::{b}>', 1, 16, 'half_t'),
              ('SM100_MMA_F16BF16_2x1SM_SS<bfloat16_t,bfloat16_t,float,{m},{n},UMMA::Major::{a},UMMA::Major::{b}>', 2, 16, 'bfloat16_t'),
              ('SM100_MMA_TF32_SS<tfloat32_t,tfloat32_t,float,{m},{n},UMMA::Major::{a},UMMA::Major::{b}>', 1, 8, 'tfloat32_t'),
              ('SM100_MMA_S8_SS<int8_t,int8_t,int32_t,{m},{n},UMMA::Major::{a},UMMA::Major::{b}>', 1, 32, 'int8_t')]
TMEM_COPIES = [('LOAD_32dp32b', 128), ('LOAD_16dp256b', 32), ('LOAD_16dp128b', 64), ('LOAD_16dp64b', 128), ('STORE_32dp32b', 128), ('STORE_16dp256b', 32)]


class Statements:
    def __init__(self, rng):
        self.rng = rng
        self.kinds = [(getattr(self, name), name[3:], weight) for name, weight in SHARES.items()]

    def one(self):
        make, kind, _ = self.rng.choices(self.kinds, [weight for _, _, weight in self.kinds])[0]
        made = make()
        return made if isinstance(made, tuple) else (kind, made)

    def many(self, count):
        made, seen = [], set()
        while len(made) < count:
            kind, text = self.one()
            # make_layout(4,1) is this language's own too, whose integers are static: what is C++ has a word that only C++ has
            if text not in seen and re.search(r'<|make_(shape|stride|coord|tile)\(', text):
                seen.add(text)
                made.append((kind, text))
        return made

    # Integers, shapes, strides.

    def often(self, share=0.5):
        return self.rng.random() < share

    def pick(self, *choices):
        return self.rng.choice(choices)

    def number(self, n, static=0.75):
        return f'Int<{n}>{{}}' if self.often(static) else str(n)

    def text(self, value, word='make_shape', static=0.75):
        if isinstance(value, tuple):
            return f'{word}({",".join(self.text(v, word, static) for v in value)})'
        return self.number(value, static)

    def types(self, value, word='Shape'):
        return f'{word}<{",".join(self.types(v, word) for v in value)}>' if isinstance(value, tuple) else f'Int<{value}>'

    def extent(self):
        return self.pick(1, 2, 2, 3, 4, 4, 4, 5, 6, 8, 8, 12, 16)

    def nest(self, depth=0):
        if depth < 2 and self.often(0.25):
            return tuple(self.nest(depth + 1) for _ in range(self.pick(1, 2, 2, 3)))
        return self.extent()

    def shape(self, rank=None):
        return tuple(self.nest() for _ in range(rank or self.pick(1, 2, 2, 2, 3)))

    def compact(self, shape, gap=1):
        extents = leaves(shape)
        strides, step = {}, 1
        for i in self.rng.sample(range(len(extents)), len(extents)):
            strides[i], step = step, step * extents[i] * (gap if self.often(0.2) else 1)
        places = iter(range(len(extents)))

        def fill(s):
            return tuple(fill(e) for e in s) if isinstance(s, tuple) else strides[next(places)]

        return fill(shape)

    def wild(self, shape):
        return tuple(self.wild(s) for s in shape) if isinstance(shape, tuple) else self.pick(0, 0, 1, 1, 2, 3, 4, 5, 7, 8, 16, 32, 59)

    def spelled(self, shape, stride, static=0.8):
        if self.often(static):
            return f'Layout<{self.types(shape)},{self.types(stride, "Stride")}>{{}}'
        return f'make_layout({self.text(shape, "make_shape", 0.5)},{self.text(stride, "make_stride", 0.5)})'

    def layout(self, rank=None, static=0.85):
        """A layout and its shape: compact in some order, with gaps, or with any strides."""
        shape = self.shape(rank)
        if rank is None and len(shape) == 1 and self.often():
            shape = shape[0]
        roll = self.rng.random()
        stride = self.compact(shape) if roll < 0.55 else self.compact(shape, self.pick(2, 3)) if roll < 0.75 else self.wild(shape)
        return self.spelled(shape, stride, static), shape

    def plain(self, rank=None, static=0.85):
        return self.layout(rank, static)[0]

    def tidy(self, rank=None):
        """Compact and static."""
        shape = self.shape(rank)
        return self.spelled(shape, self.compact(shape), 1), shape

    def even(self, rank=2):
        """A layout of powers of two, compact: what tiles of powers of two divide."""
        shape = tuple(self.pick(8, 16, 32, 64, (2, 8), (4, 4), (8, 2)) for _ in range(rank))
        return self.spelled(shape, self.compact(shape), 0.8), shape

    def tile(self, rank=2):
        return tuple(self.pick(2, 4, 4, 8) for _ in range(rank))

    def tiler(self, rank=2):
        if self.often(0.6):
            return self.text(self.tile(rank), 'make_shape', 1)
        modes = [self.pick('Int<2>', 'Int<4>', 'Int<8>', 'Layout<Int<4>,Int<2>>', 'Layout<Int<2>,Int<4>>', 'Layout<Shape<Int<2>,Int<2>>,Stride<Int<1>,Int<4>>>')
                 for _ in range(rank)]
        return f'Tile<{",".join(modes)}>{{}}'

    def swizzled(self):
        bits, base, shift = self.pick((3, 3, 3), (2, 3, 3), (1, 3, 3), (2, 2, 3), (3, 2, 3), (3, 4, 3), (2, 0, 3), (3, 0, 3))
        shape = (self.pick(8, 16), self.pick(32, 64))
        stride = (shape[1], 1) if self.often(0.7) else (1, shape[0])
        return f'composition(Swizzle<{bits},{base},{shift}>{{}},{self.spelled(shape, stride, 1)})', shape

    def smem_atom(self):
        element, _ = self.pick(*ELEMENTS)
        return f'GMMA::Layout_{self.pick("K", "MN")}_{self.pick("SW128", "SW64", "SW32", "INTER")}_Atom<{element}>{{}}', element

    # Layouts.

    def of_make_layout(self):
        shape = self.shape()
        roll = self.rng.random()
        text = self.text(shape)
        if roll < 0.3:
            return f'make_layout({text})'
        if roll < 0.55:
            return f'make_layout({text},{self.pick("LayoutLeft{}", "LayoutRight{}", "GenColMajor{}", "GenRowMajor{}")})'
        if roll < 0.75:
            return f'make_layout({self.plain()},{self.plain()})'
        return f'make_layout({text},{self.text(self.compact(shape), "make_stride")})'

    def of_make_ordered_layout(self):
        shape = tuple(self.extent() for _ in range(self.pick(2, 3)))
        order = self.rng.sample(range(len(shape)), len(shape))
        return f'make_ordered_layout({self.text(shape)},Step<{",".join(f"Int<{i}>" for i in order)}>{{}})'

    def of_make_layout_like(self):
        return f'{self.pick("make_layout_like", "make_fragment_like")}({self.plain()})'

    def of_composition(self):
        roll = self.rng.random()
        if roll < 0.35:
            a, _ = self.even(self.pick(1, 2))
            n, d = self.pick((4, 2), (8, 1), (2, 4), (2, 8), (4, 4))
            return f'composition({a},Layout<Int<{n}>,Int<{d}>>{{}})'
        if roll < 0.6:
            return f'composition({self.even(2)[0]},{self.tiler(2)})'
        if roll < 0.75:
            return f'composition({self.swizzled()[0]},{self.pick(self.tiler(2), "Layout<Shape<Int<4>,Int<8>>,Stride<Int<8>,Int<1>>>{}")})'
        if roll < 0.85:
            return f'composition({self.even(2)[0]},make_layout(make_shape(Int<4>{{}},Int<4>{{}}),make_stride(Int<4>{{}},Int<1>{{}})))'
        return f'composition({self.plain()},{self.plain()})'

    def of_complement(self):
        a, _ = self.tidy() if self.often() else self.layout(static=1)
        return f'complement({a})' if self.often(0.4) else f'complement({a},{self.number(self.pick(16, 24, 64, 100, 128, 256), 0.9)})'

    def of_inverse(self):
        a = self.tidy()[0] if self.often(0.6) else self.plain(static=1)
        word = self.pick('right_inverse', 'right_inverse', 'left_inverse')
        return word, f'{word}({a})'

    def of_coalesce(self):
        if self.often(0.7):
            return f'coalesce({self.plain()})'
        a, shape = self.layout(2)
        return f'coalesce({a},Step<_1,_1>{{}})'

    def of_filter(self):
        word = self.pick('filter', 'filter_zeros', 'filter_zeros')
        return word, f'{word}({self.plain()})'

    def of_divide(self):
        word = self.pick('logical_divide', 'zipped_divide', 'zipped_divide', 'tiled_divide', 'tiled_divide', 'flat_divide')
        roll = self.rng.random()
        if roll < 0.65:
            return word, f'{word}({self.even(2)[0]},{self.tiler(2)})'
        if roll < 0.8:
            return word, f'{word}({self.even(1)[0]},Layout<Int<4>,Int<{self.pick(1, 2)}>>{{}})'
        if roll < 0.9:
            return word, f'{word}({self.swizzled()[0]},{self.tiler(2)})'
        return word, f'{word}({self.plain()},{self.plain(static=1)})'

    def of_product(self):
        word = self.pick('logical_product', 'tiled_product', 'zipped_product', 'flat_product', 'blocked_product', 'raked_product')
        if word in ('blocked_product', 'raked_product'):
            rank = self.pick(1, 2, 2)
            return word, f'{word}({self.tidy(rank)[0]},{self.tidy(rank)[0]})'
        return word, f'{word}({self.tidy()[0]},{self.plain(static=1)})'

    def of_tile_to_shape(self):
        if self.often(0.6):
            atom, _ = self.smem_atom()
            shape = (self.pick(64, 128, 256), self.pick(64, 128))
            if self.often(0.4):
                shape += (self.pick(2, 3, 4),)
            order = f',Step<{",".join(f"Int<{i}>" for i in self.rng.sample(range(1, len(shape) + 1), len(shape)))}>{{}}' if self.often(0.4) else ''
            return f'tile_to_shape({atom},{self.text(shape, "make_shape", 0.95)}{order})'
        shape = (self.pick(2, 4), self.pick(4, 8))
        return f'tile_to_shape({self.spelled(shape, self.compact(shape), 1)},{self.text((shape[0] * self.pick(1, 2, 4), shape[1] * self.pick(1, 3)), "make_shape", 1)})'

    def of_modes(self):
        rank = self.pick(2, 3, 4)
        a = self.plain(rank)
        i = self.rng.randrange(rank)
        j = self.rng.randrange(i, rank) + 1
        order = self.rng.sample(range(rank), self.pick(1, 2, rank) if rank > 1 else 1)
        return self.pick(
            ('select', f'select<{",".join(map(str, order))}>({a})'), ('take', f'take<{i},{j}>({a})'), ('group', f'group<{i},{j}>({a})'),
            ('append', f'append({a},{self.plain()})'), ('append', f'append<{rank + 1}>({a})'),
            ('prepend', f'prepend({a},{self.plain()})'), ('prepend', f'prepend<{rank + 1}>({a})'), ('replace', f'replace<{i}>({a},{self.plain()})'),
            ('flatten', f'flatten({a})'), ('get', f'get<{i}>({a})'), ('layout<>', f'layout<{i}>({a})'))

    def of_extents(self):
        a, shape = self.layout(self.pick(2, 3))
        i = self.rng.randrange(len(shape))
        word = self.pick('size', 'size', 'size', 'get-shape', 'get-stride', 'cosize', 'rank', 'depth', 'shape', 'shape', 'stride')
        if word.startswith('get'):
            return 'get', f'get<{i}>({word[4:]}({a}))'
        if word in ('cosize',) or self.often(0.4):
            return word, f'{word}({a})'
        return word, f'{word}<{i}>({a})'

    def coordinate(self, shape, free=0.4):
        if self.often(free):
            return '_'
        if isinstance(shape, tuple) and self.often(0.6):
            return f'make_coord({",".join(self.coordinate(s, 0.4) for s in shape)})'
        return self.number(self.rng.randrange(product(shape)), 0.4)

    def of_slice(self):
        a, shape = self.layout(self.pick(2, 3))
        c = ','.join(self.coordinate(s) for s in shape)
        word = self.pick('call', 'call', 'slice', 'dice')
        if word == 'call':
            return 'layout(coord)', f'{a}({c})'
        return word, f'{word}(make_coord({c}),{a})'

    def of_index(self):
        a, shape = self.layout(2)
        if self.often():
            return 'crd2idx', f'crd2idx(make_coord({",".join(self.coordinate(s, 0) for s in shape)}),shape({a}),stride({a}))'
        return 'idx2crd', f'idx2crd({self.number(self.rng.randrange(product(shape)), 0.4)},{self.text(shape)})'

    def of_recast(self):
        element, other = self.pick(*ELEMENTS)[0], self.pick(*ELEMENTS)[0]
        a = self.even(self.pick(1, 2))[0] if self.often(0.8) else self.plain()
        return self.pick(('recast_layout', f'recast_layout<{element},{other}>({a})'), ('upcast', f'upcast<{self.pick(2, 4, 8)}>({a})'),
                         ('downcast', f'downcast<{self.pick(2, 4, 8)}>({a})'),
                         ('recast_layout', f'recast_layout<{element},{other}>({self.swizzled()[0]})'))

    def of_vector(self):
        a = self.plain(static=1)
        word = self.pick('max_common_vector', 'max_common_layout', 'nullspace')
        if word == 'nullspace':
            return word, f'nullspace({a})'
        b = a if self.often(0.3) else self.plain(static=1)
        return word, f'{word}({a},{b})'

    def of_numbers(self):
        shape = self.shape(2)
        other = tuple(self.pick(1, 2, 4) for _ in range(2))
        word = self.pick('ceil_div', 'ceil_div', 'round_up', 'shape_div', 'product', 'product', 'product_each', 'elem_less', 'elem_less', 'congruent', 'compatible',
                         'weakly_congruent', 'min', 'max', 'gcd', 'lcm', 'sum', 'inner_product', 'flatten', 'rank', 'depth')
        a, b = self.text(shape), self.text(other)
        flat = tuple(self.extent() for _ in range(3))
        if word in ('product', 'product_each', 'sum', 'flatten', 'rank', 'depth', 'max', 'min'):
            word_of = {'sum': 'sum'}.get(word, word)
            return word, f'{word_of}({a})'
        if word in ('gcd', 'lcm'):
            return word, f'{word}({self.number(self.extent())},{self.number(self.extent())})'
        if word == 'inner_product':
            return word, f'inner_product({self.text(flat)},{self.text(tuple(self.extent() for _ in range(3)))})'
        if word in ('congruent', 'compatible', 'weakly_congruent'):
            return word, f'{word}({a},{a if self.often(0.3) else self.text(self.shape(2))})'
        if word in ('ceil_div', 'round_up') and self.often():
            return word, f'{word}({self.number(self.pick(5, 17, 64, 100), 1)},{self.number(self.pick(2, 3, 8))})'  # an Int: it is C++
        if word == 'elem_less':
            return word, f'elem_less({self.text(other)},{self.text((self.extent(), self.extent()))})'
        return word, f'{word}({self.text((self.pick(4, 8, 16), self.pick(8, 12)))},{b})'

    def of_swizzle(self):
        a, shape = self.swizzled()
        if self.often(0.3):  # waiting for a pointer: CuTe's own call of it swizzles elements by a swizzle of bytes, which is asked of no layout
            a = f'tile_to_shape({self.smem_atom()[0]},Shape<_128,_128>{{}})'
            return self.pick(('get_nonswizzle_portion', f'get_nonswizzle_portion({a})'), ('size', f'size<{self.rng.randrange(2)}>({a})'),
                             ('cosize', f'cosize({a})'), ('flatten', f'flatten({a})'), ('group', f'group<0,2>({a})'))
        return self.pick(('get_swizzle_portion', f'get_swizzle_portion({a})'), ('get_nonswizzle_portion', f'get_nonswizzle_portion({a})'),
                         ('layout(coord)', f'{a}({self.rng.randrange(shape[0])},{self.rng.randrange(shape[1])})'),
                         ('as_position_independent', f'as_position_independent_swizzle_layout({a})'),
                         ('right_inverse', f'right_inverse({a})'), ('group', f'group<0,2>({a})'), ('coalesce', f'coalesce({a})'),
                         ('size', f'size<{self.rng.randrange(2)}>({a})'), ('cosize', f'cosize({a})'), ('flatten', f'flatten({a})'),
                         ('max_alignment', f'max_alignment({a})'))

    # Tensors.

    def tensor(self, rank=2):
        a, shape = self.even(rank)
        element = self.pick(*ELEMENTS)[0]
        if self.often(0.25):
            flat = tuple(self.pick(8, 16, 64) for _ in range(rank))
            return f'make_identity_tensor({self.text(flat)})', flat
        return f'make_tensor(make_{self.pick("gmem", "smem")}_ptr<{element}>(nullptr),{a})', shape

    def of_local_tile(self):
        roll = self.rng.random()
        if roll < 0.55:
            t, shape = self.tensor(2)
            tile = self.tile(2)
            rest = [max(1, product(s) // v) for s, v in zip(shape, tile)]
            c = ','.join('_' if self.often(0.3) else self.number(self.rng.randrange(r), 0.3) for r in rest)
            return f'local_tile({t},{self.text(tile, "make_shape", 1)},make_coord({c}))'
        t, shape = self.tensor(2)
        tile = self.tile(3)
        step, keep = self.pick(('Step<_1,X,_1>', (0, 2)), ('Step<X,_1,_1>', (1, 2)), ('Step<_1,_1,X>', (0, 1)))
        c = [self.pick('_', '0', '1') for _ in range(3)]
        return f'local_tile({t},{self.text(tile, "make_shape", 1)},make_coord({",".join(c)}),{step}{{}})'

    def of_local_partition(self):
        t, _ = self.tensor(2)
        threads = self.pick((4, 2), (2, 4), (8, 2), (4, 4))
        return f'local_partition({t},{self.spelled(threads, self.compact(threads), 1)},{self.rng.randrange(product(threads))})'

    def of_tensor(self):
        t, shape = self.tensor(self.pick(2, 3))
        rank = len(shape)
        c = ','.join('_' if self.often(0.5) else self.number(self.rng.randrange(product(s)), 0.3) for s in shape[:-1]) + ',_'
        flat = f'make_tensor(make_gmem_ptr<{self.pick(*ELEMENTS)[0]}>(nullptr),{self.even(2)[0]})'
        return self.pick(('tensor(coord)', f'{t}({c})'), ('group_modes', f'group_modes<0,{rank}>({t})'), ('flatten', f'flatten({t})'), ('coalesce', f'coalesce({t})'),
                         ('make_tensor', t), ('take', f'take<0,{rank - 1}>({t})'), ('make_fragment_like', f'make_fragment_like({flat})'),
                         ('make_tensor_like', f'make_tensor_like({flat})'), ('recast', f'recast<{self.pick(*ELEMENTS)[0]}>({flat})'),
                         ('recast', f'recast<{self.pick("uint128_t", "uint32_t", "uint8_t")}>({flat})'),
                         ('domain_offset', f'domain_offset(make_coord({self.pick(1, 2)},{self.pick(0, 3)}),{flat})'), ('filter_zeros', f'filter_zeros({flat})'),
                         ('zipped_divide', f'zipped_divide({flat},{self.tiler(2)})'), ('tiled_divide', f'tiled_divide({flat},{self.tiler(2)})'),
                         ('flat_divide', f'flat_divide({flat},{self.tiler(2)})'), ('size', f'size<{self.rng.randrange(rank)}>({t})'),
                         ('shape', f'shape({t})'), ('stride', f'stride({flat})'))

    # MMAs and copies.

    def mma(self):
        name, shape = self.pick(*WARP_ATOMS)
        atoms = self.pick((1, 1, 1), (2, 1, 1), (1, 2, 1), (2, 2, 1), (4, 1, 1), (2, 2, 2), (1, 1, 2))
        thr = f'Layout<{self.types(atoms)}>{{}}' if self.often(0.6) else self.spelled(atoms, self.compact(atoms), 1)
        tile = tuple(s * a for s, a in zip(shape, atoms))
        text = f'make_tiled_mma({name}{{}},{thr}'
        if self.often(0.5):
            times = tuple(self.pick(1, 1, 2) for _ in range(3))
            tile = tuple(t * n for t, n in zip(tile, times))
            modes = ['_' if n == 1 and self.often() else f'Int<{t}>{{}}' for t, n in zip(tile, times)]
            if self.often(0.25) and tile[1] >= 16:
                modes[1] = f'Layout<Shape<_8,Int<{tile[1] // 16}>,_2>,Stride<_1,_16,_8>>{{}}'
            text += f',make_tile({",".join(modes)})'
        threads = product(atoms) * (1 if shape[0] == 1 else 8 if name.startswith('SM70') else 32)
        return text + ')', tile, threads

    def of_make_tiled_mma(self):
        if self.often(0.3):
            name, shape, _ = self.pick(*GMMA_ATOMS)
            atoms = self.pick((1, 1, 1), (2, 1, 1), (1, 2, 1))
            return f'make_tiled_mma({name}{{}},Layout<{self.types(atoms)}>{{}})'
        return self.mma()[0]

    def of_partition_mma(self):
        letter = self.rng.choice('ABC')
        if self.often(0.25):
            name, (m, n, k), element = self.pick(*GMMA_ATOMS)
            text, tile, threads = f'make_tiled_mma({name}{{}})', (m, n, k), 128
        else:
            text, tile, threads = self.mma()
            element = 'half_t'
        pair = {'A': (tile[0], tile[2]), 'B': (tile[1], tile[2]), 'C': (tile[0], tile[1])}[letter]
        shape = tuple(p * self.pick(1, 1, 2, 3) for p in pair)
        roll = self.rng.random()
        thr = f'{text}.get_slice({self.rng.randrange(threads)})'
        data = f'make_tensor(make_gmem_ptr<{element}>(nullptr),{self.spelled(shape, self.compact(shape), 0.8)})'
        if roll < 0.45:
            return f'partition_{letter}', f'{thr}.partition_{letter}({data})'
        if roll < 0.55:
            return f'partition_{letter}', f'{thr}.partition_{letter}(make_identity_tensor({self.text(shape)}))'
        if roll < 0.75:
            return f'partition_shape_{letter}', f'partition_shape_{letter}({text},{self.text(shape, static=1)})'
        if roll < 0.85:
            return 'partition_fragment_C', f'partition_fragment_C({text},{self.text(tuple(p * 2 for p in (tile[0], tile[1])), static=1)})'
        if roll < 0.93:
            return self.pick(('tile_size', f'tile_size<{self.rng.randrange(3)}>({text})'), ('tile_shape', f'tile_shape({text})'), ('size', f'size({text})'))
        return f'get_layout{letter}_TV', f'{text}.get_layout{letter}_TV()'

    def umma(self):
        atom, ctas, k, element = self.pick(*UMMA_ATOMS)
        m, n = self.pick(64, 128, 128) * ctas, self.pick(32, 64, 128, 192, 256)
        a, b = self.pick('K', 'K', 'MN'), self.pick('K', 'K', 'MN')
        return f'make_tiled_mma({atom.format(m=m, n=n, a=a, b=b)}{{}})', (m, n, k), ctas, element, (a, b)

    def of_umma(self):
        """tcgen05.mma: its parts, what they are in shared memory and in tensor memory."""
        text, (m, n, k), ctas, element, majors = self.umma()
        letter = self.rng.choice('ABC')
        times = [self.pick(1, 1, 2), self.pick(1, 2), self.pick(2, 4)]
        tile = (m * times[0], n * times[1], k * times[2])
        pair = {'A': (tile[0], tile[2]), 'B': (tile[1], tile[2]), 'C': (tile[0], tile[1])}[letter]
        roll = self.rng.random()
        if roll < 0.2:
            return 'make_tiled_mma', text
        if roll < 0.45:
            return f'partition_shape_{letter}', f'partition_shape_{letter}({text},{self.text(pair, static=1)})'
        thr = f'{text}.get_slice({self.rng.randrange(ctas)})'
        if roll < 0.65:
            data = f'make_tensor(make_gmem_ptr<{element}>(nullptr),{self.spelled(pair, self.compact(pair), 0.8)})'
            return f'partition_{letter}', f'{thr}.partition_{letter}({data})'
        if roll < 0.75:
            return 'make_fragment_C', f'{text}.make_fragment_C(partition_shape_C({text},{self.text((tile[0], tile[1]), static=1)}))'
        operand = self.pick(0, 1)
        rows = self.pick('SW128', 'SW64', 'SW32', 'INTER')
        whole = (tile[operand], self.pick(64, 128))
        stages = f',{self.number(self.pick(2, 3), 1)}' if self.often(0.3) else ''
        atom = f'UMMA::Layout_{majors[operand]}_{rows}_Atom<{element}>{{}}'
        shape = f'partition_shape_{"AB"[operand]}({text},{self.text(whole, static=1)})'
        if stages:
            shape = f'append({shape}{stages})'
        return 'tile_to_mma_shape', f'UMMA::tile_to_mma_shape({atom},{shape})'

    def of_tmem_copy(self):
        name, most = self.pick(*TMEM_COPIES)
        repeat = self.pick(*[n for n in (1, 2, 4, 8, 16, 32) if n <= most])
        element, bits = self.pick(('float', 32), ('float', 32), ('half_t', 16), ('int32_t', 32))
        shape = (128, self.pick(64, 128, 256))
        tensor = f'make_tensor(make_tmem_ptr<{element}>(0),Layout<{self.types(shape)},Stride<Int<{2 ** 21 // bits}>,_1>>{{}})'
        copy = f'make_tmem_copy(SM100_TMEM_{name}{repeat}x{{}},{tensor})'
        thr = f'{copy}.get_slice({self.rng.randrange(128)})'
        side = self.pick('S', 'D')
        return self.pick(('make_tmem_copy', copy), ('make_tmem_copy', copy),
                         (f'partition_{side}', f'{thr}.partition_{side}(make_identity_tensor({self.text(shape, static=1)}))'))

    def of_scale_factors(self):
        """Where CUTLASS lays scale factors."""
        problem = tuple(self.pick(128, 256, 384, 512, 300) for _ in range(3)) + ((self.pick(1, 2, 4),) if self.often(0.7) else ())
        letter = self.rng.choice('AB')
        if self.often(0.4):
            config = f'cutlass::detail::Sm1xxBlockScaledConfig<{self.pick(16, 32)}>'
            return 'Sm1xxBlockScaledConfig', f'{config}::tile_atom_to_shape_SF{letter}({self.text(problem, "make_shape", 0.4)})'
        name = self.pick('Sm1xx', 'Sm100', 'Sm120')
        majors = self.pick('', '', ',UMMA::Major::K,UMMA::Major::K', ',UMMA::Major::MN,UMMA::Major::K', ',UMMA::Major::K,UMMA::Major::MN')
        config = f'cutlass::detail::{name}BlockwiseScaleConfig<{self.pick(1, 64, 128)},{self.pick(1, 128)},{self.pick(32, 128)}{majors}>'
        if self.often(0.35):
            tile = tuple(self.pick(64, 128, 256) for _ in range(3))
            return 'Sm1xxBlockwiseScaleConfig', f'{config}::smem_atom_layoutSF{letter}({self.types(tile)}{{}})'
        return 'Sm1xxBlockwiseScaleConfig', f'{config}::tile_atom_to_shape_SF{letter}({self.text(problem, "make_shape", 0.3)})'

    def of_fragment(self):
        """A thread's registers for what an MMA takes and gives."""
        text, tile, threads = self.mma()
        letter = self.rng.choice('ABC')
        pair = {'A': (tile[0], tile[2]), 'B': (tile[1], tile[2]), 'C': (tile[0], tile[1])}[letter]
        shape = tuple(p * self.pick(1, 1, 2) for p in pair)
        thr = f'{text}.{self.pick("get_slice", "get_thread_slice")}({self.rng.randrange(threads)})'
        data = f'make_tensor(make_{self.pick("gmem", "smem")}_ptr<half_t>(nullptr),{self.spelled(shape, self.compact(shape), 0.9)})'
        if self.often():
            return f'partition_fragment_{letter}', f'{thr}.partition_fragment_{letter}({data})'
        return f'make_fragment_{letter}', f'{thr}.make_fragment_{letter}({thr}.partition_{letter}({data}))'

    def of_rarer(self):
        """What kernels call now and then."""
        a, shape = self.layout(self.pick(2, 3))
        flat = tuple(self.extent() for _ in range(self.pick(2, 3)))
        rows = self.pick(4, 8, 16)
        swizzled = f'make_tensor(make_smem_ptr<half_t>(nullptr),tile_to_shape(GMMA::Layout_K_{self.pick("SW128", "SW64", "SW32")}_Atom<half_t>{{}},Shape<_64,_64>{{}}))'
        return self.pick(('reverse', f'reverse({a})'), ('repeat_like', f'repeat_like({self.text(shape)},{self.pick("_1{}", "_0{}")})'),
                         ('make_tile', f'make_tile({self.plain(static=1)},{self.pick("_4{}", "Layout<_8,_2>{}")})'),
                         ('make_identity_layout', f'make_identity_layout({self.text(shape)})'), ('tuple_cat', f'tuple_cat({self.text(flat)},{self.text(shape)})'),
                         ('compact_order', f'compact_order({self.text(flat)},{self.pick("GenRowMajor{}", "GenColMajor{}", "LayoutRight{}", "LayoutLeft{}")})'),
                         ('compact_col_major', f'compact_col_major({self.text(shape)})'), ('compact_row_major', f'compact_row_major({self.text(shape)})'),
                         ('evenly_divides', f'evenly_divides({self.text(shape)},{self.text(tuple(self.pick(1, 2, 4) for _ in shape))})'),
                         ('layout(tensor)', f'{self.tensor(2)[0]}.layout()'), ('tensor<>', f'tensor<{self.rng.randrange(2)}>({self.tensor(2)[0]})'),
                         ('as_position_independent', f'as_position_independent_swizzle_tensor({swizzled})'),
                         ('get_thr_layout_vmnk', f'{self.mma()[0]}.get_thr_layout_vmnk()'), ('layout(tensor)', f'layout<0>({swizzled})'),
                         ('make_cotiled_copy', 'make_cotiled_copy(Copy_Atom<UniversalCopy<uint64_t>,half_t>{},'
                                               f'Layout<Shape<_32,_4>,Stride<_4,_1>>{{}},Layout<Shape<_{rows},Int<{128 // rows}>>,Stride<Int<{128 // rows}>,_1>>{{}})'))

    def copy(self):
        op, element, lanes, values = self.pick(*COPIES)
        atom = f'Copy_Atom<{op},{element}>{{}}'
        if self.often(0.3) and element != 'float':
            letter = self.rng.choice('ABC')
            atoms = self.pick((1, 1, 1), (2, 1, 1), (2, 2, 1))
            text = (f'make_tiled_copy_{letter}({atom},make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{{}},Layout<{self.types(atoms)}>{{}},'
                    f'Tile<Int<{16 * atoms[0]}>,Int<{16 * atoms[1]}>,_16>{{}}))')
            tile = {'A': (16 * atoms[0], 16), 'B': (16 * atoms[1], 16), 'C': (16 * atoms[0], 16 * atoms[1])}[letter]
            return text, tile, 32 * product(atoms), element, f'make_tiled_copy_{letter}'
        if lanes > 1:
            thr, val = self.pick(((8, 4), (1, values)), ((16, 2), (1, values)), ((32, 1), (1, values)), ((4, 8), (values, 1)))
        else:
            thr, val = self.pick(((4, 8), (1, values)), ((16, 8), (1, values)), ((8, 2), (values, 2)), ((16, 2), (2, values)), ((32, 4), (1, values)))
        order = lambda s: (s[1], 1) if self.often(0.6) else (1, s[0])
        text = f'make_tiled_copy({atom},{self.spelled(thr, order(thr), 1)},{self.spelled(val, order(val), 1)})'
        return text, tuple(t * v for t, v in zip(thr, val)), product(thr), element, 'make_tiled_copy'

    def of_make_tiled_copy(self):
        text, _, _, _, kind = self.copy()
        if self.often(0.2):
            side = self.pick('S', 'D')
            return f'make_tiled_copy_{side}', f'make_tiled_copy_{side}(Copy_Atom<DefaultCopy,half_t>{{}},{text})'
        return kind, text

    def of_partition_copy(self):
        text, tile, threads, element, _ = self.copy()
        shape = tuple(t * self.pick(1, 2, 3) for t in tile)
        thr = f'{text}.get_slice({self.rng.randrange(threads)})'
        side = self.pick('S', 'S', 'D')
        if self.often(0.15):
            return f'partition_{side}', f'{thr}.partition_{side}(make_identity_tensor({self.text(shape)}))'
        if self.often(0.15):
            return self.pick((f'get_layout{side}_TV', f'{text}.get_layout{side}_TV()'), ('size', f'size({text})'))
        data = f'make_tensor(make_{self.pick("gmem", "smem")}_ptr<{element}>(nullptr),{self.spelled(shape, self.compact(shape), 0.8)})'
        if self.often(0.15):
            return f'retile_{side}', f'{thr}.retile_{side}({thr}.partition_{"S" if side == "D" else "D"}({data}))'
        if self.often(0.15):
            return 'make_fragment_like', f'make_fragment_like({thr}.partition_{side}({data}))'
        return f'partition_{side}', f'{thr}.partition_{side}({data})'


SHARES = {'of_make_layout': 14, 'of_make_ordered_layout': 3, 'of_make_layout_like': 3, 'of_composition': 9, 'of_complement': 3, 'of_inverse': 4, 'of_coalesce': 5,
          'of_filter': 5, 'of_divide': 12, 'of_product': 8, 'of_tile_to_shape': 8, 'of_modes': 14, 'of_extents': 14, 'of_slice': 8, 'of_index': 5, 'of_recast': 7,
          'of_vector': 3, 'of_numbers': 11, 'of_swizzle': 5, 'of_local_tile': 9, 'of_local_partition': 4, 'of_tensor': 12, 'of_make_tiled_mma': 4,
          'of_partition_mma': 13, 'of_make_tiled_copy': 6, 'of_partition_copy': 12, 'of_umma': 9, 'of_tmem_copy': 5, 'of_scale_factors': 5, 'of_fragment': 7,
          'of_rarer': 8}
