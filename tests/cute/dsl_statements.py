# SPDX-License-Identifier: BSD-3-Clause
"""Random statements of the CuTe DSL for differential_dsl.py: calls as they stand in programs, closed with random values.

A statement is a program of Python whose last line is an expression. Tessera reads the same text."""
import itertools

from tuples import leaves, product

ARCH_OF_MMA = {'warp': 'sm_80', 'warpgroup': 'sm_90a', 'tcgen05': 'sm_100a'}


def filled(shape, values):
    """The shape's nesting with the values of an iterator in it."""
    return tuple(filled(s, values) for s in shape) if isinstance(shape, tuple) else next(values)


class Statement:
    """program: lines of Python. kind: the call that it tests. arch: CUTE_DSL_ARCH. bits: of the elements, where a swizzle counts bytes."""

    def __init__(self, kind, program, arch='sm_90a', bits=None):
        self.kind, self.program, self.arch, self.bits = kind, program, arch, bits


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.kinds = {name[3:]: getattr(self, name) for name in dir(self) if name.startswith('do_')}

    # Values.

    def chance(self, share):
        return self.rng.random() < share

    def extent(self):
        return self.rng.choice([1, 2, 2, 3, 4, 4, 4, 5, 6, 8, 8, 8, 12, 16, 16, 32, 64])

    def shape(self, rank=None, depth=0):
        """A shape of that rank; 0 is a number."""
        if rank is None:
            rank = self.rng.choice([0, 1, 2, 2, 2, 2, 3, 3, 4])
        if rank == 0:
            return self.extent()
        return tuple(self.shape(self.rng.choice([1, 2, 2, 3]), depth + 1) if depth < 2 and self.chance(0.2) else self.extent()
                     for _ in range(rank))

    def small(self, rank=None, most=4096):
        while True:
            made = self.shape(rank)
            if product(made) <= most:
                return made

    def strides(self, shape):
        """Strides: compact in some order, with gaps, with modes that repeat, or any."""
        flat = leaves(shape)
        order = list(range(len(flat)))
        roll = self.rng.random()
        if roll < 0.35:
            order.reverse()
        elif roll < 0.6:
            self.rng.shuffle(order)
        made, at = [0] * len(flat), self.rng.choice([1, 1, 1, 1, 2, 4])
        for i in order:
            if self.chance(0.1):
                continue
            made[i] = at
            at *= flat[i] if self.chance(0.88) else flat[i] * self.rng.choice([2, 3]) if self.chance(0.7) else flat[i] + 1
        if roll > 0.94:
            made = [self.rng.choice([0, 1, 2, 3, 4, 6, 8, 12, 16, 64]) for _ in flat]
        return filled(shape, iter(made))

    def layout_of(self, shape):
        roll = self.rng.random()
        if roll < 0.15:
            return f'cute.make_layout({shape})'
        if roll < 0.25 and isinstance(shape, tuple):
            order = list(range(len(leaves(shape))))
            self.rng.shuffle(order)
            return f'cute.make_ordered_layout({shape}, order={filled(shape, iter(order))})'
        return f'cute.make_layout({shape}, stride={self.strides(shape)})'

    def layout(self, rank=None, most=4096):
        return self.layout_of(self.small(rank, most))

    def bijective(self, shape):
        flat = leaves(shape)
        order = list(range(len(flat)))
        self.rng.shuffle(order)
        made, at = [0] * len(flat), 1
        for i in order:
            made[i], at = at, at * flat[i]
        return f'cute.make_layout({shape}, stride={filled(shape, iter(made))})'

    def swizzle(self):
        b, m, s = self.rng.choice([(3, 4, 3), (2, 4, 3), (1, 4, 3), (3, 3, 3), (2, 3, 3), (1, 3, 3), (3, 2, 3), (2, 1, 3), (0, 4, 3),
                                   (2, 0, 4), (1, 2, 2)])
        return f'cute.make_swizzle({b}, {m}, {s})'

    def composed(self, rank=None):
        offset = self.rng.choice([0, 0, 0, 0, 8, 64])
        return f'cute.make_composed_layout({self.swizzle()}, {offset}, {self.layout(rank)})'

    def divisor(self, n):
        return self.rng.choice([d for d in range(1, n + 1) if n % d == 0] if self.chance(0.8) else [1, 2, 3, 4, 6, 8, 16])

    def tile_of(self, extent):
        """One mode of a tiler."""
        n = self.divisor(extent)
        roll = self.rng.random()
        if roll < 0.7:
            return str(n)
        if roll < 0.8:
            return 'None'
        if roll < 0.9:
            return f'cute.make_layout({n}, stride={self.divisor(max(1, extent // n))})'
        shape = (self.divisor(n), 2)
        return f'cute.make_layout({shape}, stride={self.strides(shape)})'

    def tiler(self, shape):
        modes = shape if isinstance(shape, tuple) else (shape,)
        roll = self.rng.random()
        if roll < 0.15 or not isinstance(shape, tuple):
            n = self.divisor(product(shape))
            return self.rng.choice([str(n), f'cute.make_layout({n}, stride={self.divisor(max(1, product(shape) // n))})'])
        count = len(modes) if self.chance(0.85) else self.rng.randint(1, len(modes))
        made = [self.tile_of(product(m)) for m in modes[:count]]
        return '(' + ', '.join(made) + (',)' if len(made) == 1 else ')')

    def int_tiler(self, shape):
        modes = shape if isinstance(shape, tuple) else (shape,)
        made = tuple(self.divisor(product(m)) for m in modes)
        return made if isinstance(shape, tuple) else made[0]

    def coord(self, shape, free=0.0):
        """A coordinate, some of whose modes are None."""
        if self.chance(free):
            return None
        if isinstance(shape, tuple) and not self.chance(0.2):
            return tuple(self.coord(s, free) for s in shape)
        return self.rng.randrange(product(shape))

    def tensor(self, shape):
        """A tensor of that shape: of coordinates, or in some memory."""
        if self.chance(0.6):
            return f'cute.make_identity_tensor({shape})'
        space = self.rng.choice(['gmem', 'gmem', 'smem', 'rmem'])
        type_ = self.rng.choice(['Float16', 'Float32', 'BFloat16', 'Int8', 'Float8E4M3FN'])
        return f'cute.make_tensor(cute.make_ptr(cutlass.{type_}, 0, cute.AddressSpace.{space}), {self.layout_of(shape)})'

    def anything(self, rank=None):
        """A layout, a composed layout or a tensor."""
        roll = self.rng.random()
        if roll < 0.6:
            return self.layout(rank)
        if roll < 0.8:
            return self.composed(rank)
        return self.tensor(self.small(rank))

    def one(self, name, program, **more):
        return Statement(name, program, **more)

    # Layouts.

    def do_make_layout(self):
        shape = self.small()
        if self.chance(0.2):
            count = self.rng.randint(1, 3)
            return self.one('make_layout', f'cute.make_layout({shape}, stride={tuple(range(count))})')
        return self.one('make_layout', self.layout_of(shape))

    def do_make_ordered_layout(self):
        shape = self.small(self.rng.choice([0, 2, 3, 4]))
        order = [self.rng.randrange(5) for _ in leaves(shape)]
        return self.one('make_ordered_layout', f'cute.make_ordered_layout({shape}, order={filled(shape, iter(order))})')

    def do_make_layout_like(self):
        return self.one('make_layout_like', f'cute.make_layout_like({self.anything()})')

    def do_make_identity_layout(self):
        return self.one('make_identity_layout', f'cute.make_identity_layout({self.small()})')

    def do_make_identity_tensor(self):
        return self.one('make_identity_tensor', f'cute.make_identity_tensor({self.small()})')

    def do_composition(self):
        roll = self.rng.random()
        shape = self.small()
        first = self.layout_of(shape) if roll < 0.7 else self.composed() if roll < 0.85 else self.tensor(shape)
        second = self.tiler(shape) if self.chance(0.35) else self.layout(most=max(1, product(shape)))
        return self.one('composition', f'cute.composition({first}, {second})')

    def do_complement(self):
        return self.one('complement', f'cute.complement({self.layout(most=256)}, '
                                      f'{self.rng.choice([16, 24, 64, 96, 512, (4, 8), (16, (2, 3))])})')

    def do_inverse(self):
        name = self.rng.choice(['right_inverse', 'left_inverse', 'right_inverse', 'left_inverse', 'nullspace'])
        made = self.bijective(self.small()) if self.chance(0.5) else self.layout()
        return self.one(name, f'cute.{name}({made})')

    def do_coalesce(self):
        shape = self.small()
        made = self.layout_of(shape)
        if self.chance(0.3):
            profile = self.rng.choice(['1', '(1, 1)', '(None, 1)', '(1, None)', '(1, (1, 1))', '1'])
            return self.one('coalesce target_profile', f'cute.coalesce({made}, target_profile={profile})')
        return self.one('coalesce', f'cute.coalesce({made if self.chance(0.7) else self.anything()})')

    def do_filter(self):
        name = self.rng.choice(['filter', 'filter_zeros', 'filter_zeros'])
        more = ''
        return self.one(name, f'cute.{name}({self.anything()}{more})')

    def divide(self, name):
        shape = self.small()
        roll = self.rng.random()
        swizzled = f'cute.make_composed_layout({self.swizzle()}, 0, {self.layout_of(shape)})'
        target = self.layout_of(shape) if roll < 0.6 else self.tensor(shape) if roll < 0.9 else swizzled
        return self.one(name, f'cute.{name}({target}, {self.tiler(shape)})')

    def do_logical_divide(self):
        return self.divide('logical_divide')

    def do_zipped_divide(self):
        return self.divide('zipped_divide')

    def do_tiled_divide(self):
        return self.divide('tiled_divide')

    def do_flat_divide(self):
        return self.divide('flat_divide')

    def product_of(self, name):
        block = self.small(most=256)
        rank = len(block) if isinstance(block, tuple) else 0
        second = self.small(rank if self.chance(0.8) else None, most=64)
        first = self.layout_of(block) if self.chance(0.85) else f'cute.make_composed_layout({self.swizzle()}, 0, {self.layout_of(block)})'
        return self.one(name, f'cute.{name}({first}, {self.layout_of(second)})')

    def do_logical_product(self):
        return self.product_of('logical_product')

    def do_zipped_product(self):
        return self.product_of('zipped_product')

    def do_tiled_product(self):
        return self.product_of('tiled_product')

    def do_flat_product(self):
        return self.product_of('flat_product')

    def do_blocked_product(self):
        return self.product_of('blocked_product')

    def do_raked_product(self):
        return self.product_of('raked_product')

    def do_local_tile(self):
        shape = self.small(self.rng.choice([1, 2, 2, 3, 3, 4]))
        tiler = self.int_tiler(shape)
        counts = tuple(-(-product(s) // t) for s, t in zip(shape, tiler))
        tensor = self.tensor(shape)
        if self.chance(0.25) and len(shape) >= 2:
            rank = len(shape)
            keep = [self.rng.choice(['1', '1', 'None']) for _ in range(rank)]
            shape2 = tuple(shape[i] for i in range(rank) if keep[i] == '1')
            if 0 < len(shape2) < rank or shape2:
                picked = ', '.join(keep)
                tensor = self.tensor(shape2 if len(shape2) > 1 else (shape2[0],))
                coord = tuple(self.rng.choice([None, self.rng.randrange(c)]) for c in counts)
                return self.one('local_tile proj', f'cute.local_tile({tensor}, {tiler}, {coord}, proj=({picked}))')
        coord = tuple(self.rng.choice([None, self.rng.randrange(c)]) for c in counts)
        return self.one('local_tile', f'cute.local_tile({tensor}, '
                                      f'{self.rng.choice([f"tiler={tiler}, coord={coord}", f"{tiler}, {coord}"])})')

    def do_local_partition(self):
        shape = self.small(2)
        threads = self.int_tiler(shape)
        layout = self.bijective(threads)
        index = self.rng.randrange(product(threads))
        return self.one('local_partition', f'cute.local_partition({self.tensor(shape)}, {layout}, cutlass.Int32({index}))')

    def do_tile_to_shape(self):
        block = tuple(self.rng.choice([1, 2, 4, 8]) for _ in range(self.rng.choice([2, 2, 3])))
        whole = tuple(b * self.rng.choice([1, 2, 3, 4]) for b in block)
        if self.chance(0.3):
            whole = whole + (self.rng.choice([1, 2, 3]),)
        if self.chance(0.1):
            whole = tuple(self.extent() for _ in whole)
        order = list(range(len(whole)))
        if self.chance(0.4):
            self.rng.shuffle(order)
        atom = self.layout_of(block) if self.chance(0.5) else f'cute.make_composed_layout({self.swizzle()}, 0, {self.layout_of(block)})'
        return self.one('tile_to_shape', f'cute.tile_to_shape({atom}, {whole}, {tuple(order)})')

    # Modes.

    def do_group_modes(self):
        rank = self.rng.choice([2, 3, 4])
        begin = self.rng.randrange(rank)
        end = self.rng.randint(begin + (0 if self.chance(0.1) else 1), rank + (1 if self.chance(0.05) else 0))
        if end == rank and self.chance(0.3):
            return self.one('group_modes', f'cute.group_modes({self.anything(rank)}, {begin})')
        what = self.anything(rank) if self.chance(0.85) else str(self.small(rank))
        return self.one('group_modes', f'cute.group_modes({what}, {begin}, {end})')

    def do_select(self):
        rank = self.rng.choice([2, 3, 4])
        modes = [self.rng.randrange(rank) for _ in range(self.rng.randint(1, rank))]
        what = self.anything(rank) if self.chance(0.7) else str(self.small(rank))
        return self.one('select', f'cute.select({what}, mode={modes})')

    def do_append(self):
        name = self.rng.choice(['append', 'prepend'])
        more = f', up_to_rank={self.rng.choice([2, 3, 4, 5])}' if self.chance(0.4) else ''
        if self.chance(0.3):
            what, with_ = str(self.small()), str(self.rng.choice([1, 2, (3, 4), None]))
        else:
            what, with_ = (self.layout() if self.chance(0.8) else self.composed()), self.layout()
        return self.one(name, f'cute.{name}({what}, {with_}{more})')

    def do_append_ones(self):
        if self.chance(0.6):
            what = self.layout() if self.chance(0.5) else self.tensor(self.small())
            return self.one('append_ones', f'cute.append_ones({what}, up_to_rank={self.rng.choice([2, 3, 4])})')
        return self.one('prepend_ones', f'cute.prepend_ones({self.tensor(self.small())}, up_to_rank={self.rng.choice([2, 3, 4])})')

    def do_slice_(self):
        shape = self.small(self.rng.choice([1, 2, 3, 4]))
        coord = self.coord(shape, 0.45)
        roll = self.rng.random()
        if roll < 0.3:
            return self.one('slice_ of a tuple', f'cute.slice_({shape}, {coord})')
        swizzled = f'cute.make_composed_layout({self.swizzle()}, 0, {self.layout_of(shape)})'
        what = self.layout_of(shape) if roll < 0.6 else self.tensor(shape) if roll < 0.85 else swizzled
        return self.one('slice_', f'cute.slice_({what}, {coord})')

    def do_dice(self):
        shape = self.small(self.rng.choice([1, 2, 3, 4]))
        coord = self.coord(shape, 0.45)
        what = str(shape) if self.chance(0.5) else self.layout_of(shape)
        return self.one('dice', f'cute.dice({what}, {coord})')

    def do_get(self):
        rank = self.rng.choice([1, 2, 3])
        what = self.anything(rank) if self.chance(0.7) else str(self.small(rank))
        return self.one('get', f'cute.get({what}, mode=[{self.rng.randrange(rank + (1 if self.chance(0.05) else 0))}])')

    def do_index(self):
        shape = self.small(self.rng.choice([1, 2, 3, 4]))
        what = self.layout_of(shape) if self.chance(0.3) else self.tensor(shape)
        if what.startswith('cute.make_layout') or what.startswith('cute.make_ordered'):
            if self.chance(0.5):
                return self.one('layout[i]', f'{what}[{self.rng.randrange(len(shape))}]')
            return self.one('layout(coord)', f'{what}({self.coord(shape)})')
        coord = self.coord(shape, 0.5)
        if 'identity' not in what and None not in leaves(coord if isinstance(coord, tuple) else (coord,)):
            coord = (None,) + tuple(0 for _ in shape[1:])
        return self.one('tensor[coord]', f'{what}[{coord}]')

    # Measures.

    def do_measure(self):
        name = self.rng.choice(['size', 'size', 'size', 'cosize', 'rank', 'depth', 'shape', 'size', 'rank'])
        rank = self.rng.choice([0, 1, 2, 3])
        what = self.anything(rank)
        if name in ('size', 'rank', 'depth', 'shape') and self.chance(0.3):
            what = str(self.small(rank))
        mode = ''
        if rank and name not in ('shape', 'depth') and self.chance(0.5):
            mode = f', mode=[{self.rng.randrange(rank)}]'
        if rank and name == 'shape' and self.chance(0.4):
            mode = f', mode={self.rng.choice([0, [0]])}'
        return self.one(name, f'cute.{name}({what}{mode})')

    def do_members(self):
        member = self.rng.choice(['shape', 'stride', 'shape', 'layout', 'type', 'outer', 'inner', 'offset', 'element_type', 'memspace'])
        if member in ('outer', 'inner', 'offset'):
            return self.one('.' + member, f'{self.composed()}.{member}')
        if member in ('layout', 'element_type', 'memspace'):
            tensor = self.tensor(self.small())
            return self.one('.' + member, f'{tensor}.{member if "identity" not in tensor else "layout"}')
        return self.one('.' + member,
                        f'{self.anything() if member == "shape" else self.layout()}.{"stride" if member == "type" else member}')

    def do_flatten(self):
        what = self.layout() if self.chance(0.6) else str(self.small())
        return self.one('flatten', f'cute.flatten({what})')

    def do_crd2idx(self):
        shape = self.small()
        if self.chance(0.3):
            return self.one('crd2idx of a shape', f'cute.crd2idx({self.coord(shape)}, {shape})')
        what = self.layout_of(shape) if self.chance(0.7) else f'cute.make_composed_layout({self.swizzle()}, 0, {self.layout_of(shape)})'
        return self.one('crd2idx', f'cute.crd2idx({self.coord(shape)}, {what})')

    def do_idx2crd(self):
        shape = self.small()
        return self.one('idx2crd', f'cute.idx2crd({self.rng.randrange(product(shape) + 2)}, {shape})')

    def do_recast_layout(self):
        new, old = self.rng.choice([(8, 16), (16, 8), (32, 16), (16, 32), (128, 16), (16, 128), (4, 16), (16, 4), (8, 8), (128, 32), (6, 8),
                                    (8, 6)])
        what = self.layout() if self.chance(0.7) else self.composed()
        return self.one('recast_layout', f'cute.recast_layout({new}, {old}, {what})')

    def do_recast_tensor(self):
        return self.one('recast_tensor', f'cute.recast_tensor({self.tensor(self.small())}, '
                                         f'cutlass.{self.rng.choice(["Float16", "Float32", "Int8", "Uint8", "Float64"])})')

    def do_swizzle(self):
        b, m, s = self.rng.choice([0, 1, 2, 3, 4]), self.rng.choice([0, 1, 2, 3, 4]), self.rng.choice([0, 1, 2, 3, 4, -3, 5])
        return self.one('make_swizzle', f'cute.make_swizzle({b}, {m}, {s})')

    def do_make_composed_layout(self):
        inner = self.swizzle() if self.chance(0.7) else self.layout()
        return self.one('make_composed_layout', f'cute.make_composed_layout({inner}, {self.rng.choice([0, 0, 8, 3])}, {self.layout()})')

    # Numbers.

    def do_division(self):
        name = self.rng.choice(['ceil_div', 'round_up', 'shape_div', 'ceil_div'])
        shape = self.small()
        by = self.int_tiler(shape) if self.chance(0.8) else self.small()
        if name == 'ceil_div' and self.chance(0.2):
            by = self.tiler(shape)
        return self.one(name, f'cute.{name}({shape}, {by})')

    def do_compare(self):
        name = self.rng.choice(['is_congruent', 'is_weakly_congruent', 'is_congruent', 'elem_less', 'has_underscore', 'is_static'])
        a = self.small()
        b = self.coord(a) if self.chance(0.6) else self.small()
        if name == 'elem_less':
            return self.one('elem_less', f'cute.elem_less({b}, {a})')
        if name == 'has_underscore':
            return self.one('has_underscore', f'cute.has_underscore({self.coord(a, 0.3)})')
        if name == 'is_static':
            return self.one('is_static', f'cute.is_static({a})')
        return self.one(name, f'cute.{name}({a}, {b})')

    def do_tuples(self):
        roll = self.rng.randrange(8)
        a = self.small(self.rng.choice([2, 3]))
        if roll == 0:
            return self.one('product_each', f'cute.product_each({a})')
        if roll == 1:
            return self.one('product', f'cute.product({a})')
        if roll == 2:
            return self.one('tuple_cat', f'cute.tuple_cat({a}, {self.small(2)})')
        if roll == 3:
            return self.one('repeat_like', f'cute.repeat_like({self.rng.choice([1, None, 0])}, {a})')
        if roll == 4:
            return self.one('find', f'cute.find({a}, {self.rng.choice([self.extent(), leaves(a)[-1]])})')
        if roll == 5:
            return self.one('product_like', f'cute.product_like({a}, {tuple(0 for _ in a)})')
        if roll == 6:
            name = self.rng.choice(['repeat', 'repeat_as_tuple'])
            return self.one(name, f'cute.{name}({self.rng.choice([1, None, (2, 3)])}, {self.rng.randint(1, 3)})')
        name = self.rng.choice(['wrap', 'unwrap', 'flatten_to_tuple'])
        return self.one(name, f'cute.{name}({self.rng.choice([a, 3, (5,)])})')

    def do_numbers(self):
        name = self.rng.choice(['max', 'min', 'gcd', 'assume'])
        a, b = self.extent(), self.extent()
        if name == 'gcd':
            return self.one('math.gcd', f'{a} * {b} // {self.extent()}')
        if name == 'assume':
            return self.one('assume', f'cute.assume({a * 8}, divby=8)')
        return self.one(name, f'{name}({a}, {b})')

    def do_size_in_bytes(self):
        type_ = self.rng.choice(['Float16', 'Float32', 'Int8', 'Float4E2M1FN', 'Float8E5M2', 'Boolean', 'Float64'])
        return self.one('size_in_bytes', f'cute.size_in_bytes(cutlass.{type_}, {self.layout() if self.chance(0.7) else self.composed()})')

    def do_domain_offset(self):
        shape = self.small(self.rng.choice([1, 2, 3]))
        return self.one('domain_offset', f'cute.domain_offset({self.coord(shape)}, cute.make_identity_tensor({shape}))')

    def do_common(self):
        name = self.rng.choice(['max_common_layout', 'max_common_vector'])
        shape = self.small()
        return self.one(name, f'cute.{name}({self.layout_of(shape)}, {self.layout_of(shape)})')

    def do_basis(self):
        roll = self.rng.randrange(3)
        if roll == 0:
            return self.one('E', f'cute.E({self.rng.choice([0, 1, [0, 1], [1, 0], []])})')
        if roll == 1:
            return self.one('E', f'cute.make_layout((4, 8), stride=(cute.E(1), cute.E(0) * {self.rng.choice([1, 2, 3])}))')
        return self.one('basis in composition', f'cute.composition(cute.make_identity_layout(({self.extent()}, {self.extent()})), '
                                                f'{self.layout(most=64)})')

    # Atoms.

    def warp_mma(self):
        """An operation of mma.sync with its tile."""
        roll = self.rng.randrange(5)
        if roll < 3:
            type_ = self.rng.choice(['Float16', 'BFloat16'])
            k = self.rng.choice([8, 16, 16])
            acc = self.rng.choice(['Float32', 'Float32', 'Float16'])
            return f'cute.nvgpu.warp.MmaF16BF16Op(cutlass.{type_}, cutlass.{acc}, (16, 8, {k}))', (16, 8, k), type_, acc, 'sm_80'
        if roll == 3:
            return 'cute.nvgpu.MmaUniversalOp(cutlass.Float32)', (1, 1, 1), 'Float32', 'Float32', 'sm_80'
        k = self.rng.choice([4, 8])
        return f'cute.nvgpu.warp.MmaTF32Op((16, 8, {k}))', (16, 8, k), 'TFloat32', 'Float32', 'sm_90a'

    def warpgroup_mma(self):
        n = self.rng.choice([8, 16, 64, 96, 128, 256])
        type_ = self.rng.choice(['Float16', 'BFloat16'])
        major = self.rng.choice(['K', 'MN'])
        source = self.rng.choice(['SMEM', 'SMEM', 'RMEM'])
        word = 'cute.nvgpu.warpgroup.OperandMajorMode.'
        majors = f'{word}{"K" if source == "RMEM" else major}, {word}{self.rng.choice(["K", "MN"])}'
        return (f'cute.nvgpu.warpgroup.MmaF16BF16Op(cutlass.{type_}, cutlass.Float32, (64, {n}, 16), '
                f'cute.nvgpu.warpgroup.OperandSource.{source}, {majors})',
                (64, n, 16), type_, 'Float32', 'sm_90a')

    def umma(self):
        cta = self.rng.choice(['ONE', 'TWO'])
        m = self.rng.choice({'ONE': [64, 128], 'TWO': [128, 256]}[cta])
        n = self.rng.choice([32, 64, 128, 256])
        type_ = self.rng.choice(['Float16', 'BFloat16'])
        majors = ', '.join(f'cute.nvgpu.tcgen05.OperandMajorMode.{self.rng.choice(["K", "MN"])}' for _ in 'ab')
        return (f'cute.nvgpu.tcgen05.MmaF16BF16Op(cutlass.{type_}, cutlass.Float32, ({m}, {n}, 16), cute.nvgpu.tcgen05.CtaGroup.{cta}, '
                f'cute.nvgpu.tcgen05.OperandSource.SMEM, {majors})', (m, n, 16), type_, 'Float32', 'sm_100a')

    def tiled_mma(self, families='wwwgu'):
        """A line that binds `mma`, and what a caller has to know of it: the tile of its atoms, types, arch."""
        family = self.rng.choice(families)
        op, tile, type_, acc, arch = {'w': self.warp_mma, 'g': self.warpgroup_mma, 'u': self.umma}[family]()
        if family == 'w':
            atoms = self.rng.choice([(1, 1, 1), (2, 1, 1), (2, 2, 1), (1, 4, 1), (4, 2, 1), (1, 2, 2)])
            if tile == (1, 1, 1):
                atoms = self.rng.choice([(16, 16, 1), (16, 8, 1), (8, 4, 1)])
        else:
            atoms = self.rng.choice([(1, 1, 1), (2, 1, 1)]) if family == 'g' else (1, 1, 1)
        given = str(atoms)
        if self.chance(0.3):
            given = self.bijective(atoms)
        more = ''
        whole = [a * t for a, t in zip(atoms, tile)]
        if self.chance(0.4) and family == 'w':
            perm = []
            for extent, atom, count in zip(whole, tile, atoms):
                roll = self.rng.random()
                if roll < 0.4:
                    perm.append('None')
                elif roll < 0.7:
                    extent_ = extent * self.rng.choice([1, 2])
                    perm.append(str(extent_))
                else:
                    perm.append(f'cute.make_layout(({atom}, {count}, 2), stride=(1, {atom * 2}, {atom}))')
            more = f', permutation_mnk=({", ".join(perm)})'
            whole = [w * 2 for w in whole]
        line = f'op = {op}\nmma = cute.make_tiled_mma(op, {given}{more})'
        return line, tuple(whole), type_, arch, product(atoms) * {'w': 32 if tile != (1, 1, 1) else 1, 'g': 128, 'u': 1}[family]

    def do_tiled_mma(self):
        line, whole, type_, arch, threads = self.tiled_mma()
        member = self.rng.choice(['mma', 'mma', 'mma.thr_id', 'mma.shape_mnk', 'mma.thr_layout_vmnk', 'mma.size', 'mma.tv_layout_A',
                                  'mma.tv_layout_B', 'mma.tv_layout_C', 'mma.permutation_mnk', 'cute.size(mma)', 'mma.get_tile_size(0)',
                                  'mma.get_tile_size(1)', 'mma.get_tile_size(2)', 'mma.tv_layout_A_tiled', 'mma.tv_layout_B_tiled',
                                  'mma.tv_layout_C_tiled', 'cute.size(mma.thr_id.shape)', 'cute.size(mma.shape_mnk, mode=[2])'])
        return self.one(member if member != 'mma' else 'make_tiled_mma', f'{line}\n{member}', arch=arch)

    def do_mma_atom(self):
        op, tile, type_, acc, arch = self.rng.choice([self.warp_mma, self.warpgroup_mma, self.umma])()
        return self.one('make_mma_atom', f'cute.make_mma_atom({op})', arch=arch)

    def do_partition(self):
        line, (m, n, k), type_, arch, threads = self.tiled_mma()
        operand = self.rng.choice('ABC')
        a, b = {'A': (m, k), 'B': (n, k), 'C': (m, n)}[operand]
        shape = (a * self.rng.choice([1, 2]), b * self.rng.choice([1, 2, 4]))
        if self.chance(0.2):
            shape += (self.rng.choice([2, 3]),)
        thread = self.rng.randrange(threads)
        roll = self.rng.random()
        if roll < 0.6:
            part = f'thr.partition_{operand}(cute.make_identity_tensor({shape}))'
            return self.one('partition_' + operand, f'{line}\nthr = mma.get_slice({thread})\n{part}', arch=arch)
        if roll < 0.8:
            return self.one('partition_shape_' + operand, f'{line}\nmma.partition_shape_{operand}({shape})', arch=arch)
        if operand == 'C':
            return self.one('make_fragment_C', f'{line}\ncute.make_rmem_tensor(mma.partition_shape_C({shape}), cutlass.Float32)', arch=arch)
        return self.one('make_fragment_' + operand, f'{line}\nmma.make_fragment_{operand}(mma.partition_shape_{operand}({shape}))',
                        arch=arch)

    def plain_atom(self):
        type_, bits = self.rng.choice([('Float16', 16), ('Float32', 32), ('BFloat16', 16), ('Int8', 8), ('Float8E4M3FN', 8)])
        width = self.rng.choice([w for w in (8, 16, 32, 64, 128) if w >= bits])
        if self.chance(0.3) and width >= 32:
            op = self.rng.choice(['cute.nvgpu.cpasync.CopyG2SOp()',
                                  'cute.nvgpu.cpasync.CopyG2SOp(cache_mode=cute.nvgpu.cpasync.LoadCacheMode.GLOBAL)'])
        else:
            op = 'cute.nvgpu.CopyUniversalOp()'
        more = f', num_bits_per_copy={width}'
        if self.chance(0.15) and 'Universal' in op:
            more, width = '', bits
        return f'cute.make_copy_atom({op}, cutlass.{type_}{more})', width // bits

    def matrix_atom(self, store=False):
        transpose = self.rng.choice(['True', 'False'])
        count = self.rng.choice([1, 2, 4])
        name = 'StMatrix8x8x16bOp' if store else 'LdMatrix8x8x16bOp'
        given = self.rng.choice([f'{transpose}, {count}', f'transpose={transpose}, num_matrices={count}'])
        type_ = self.rng.choice(['Float16', 'BFloat16', 'Float32', 'Int8'])
        return f'cute.make_copy_atom(cute.nvgpu.warp.{name}({given}), cutlass.{type_})'

    def do_copy_atom(self):
        roll = self.rng.random()
        if roll < 0.4:
            return self.one('make_copy_atom', self.plain_atom()[0])
        if roll < 0.7:
            return self.one('make_copy_atom', self.matrix_atom(self.chance(0.4)))
        op = self.rng.choice(['Ld32x32b', 'Ld16x256b', 'Ld16x128b', 'Ld16x64b', 'St32x32b', 'St16x256b', 'St16x128b'])
        rep = self.rng.choice([1, 2, 4, 8, 16, 32, 64, 128])
        type_ = self.rng.choice(['Float32', 'Float16', 'Int32'])
        more = ''
        if self.chance(0.3):
            more = f', cute.nvgpu.tcgen05.{"Pack.PACK_16b_IN_32b" if op[0] == "L" else "Unpack.UNPACK_32b_IN_16b"}'
        return self.one('make_copy_atom tmem',
                        f'cute.make_copy_atom(cute.nvgpu.tcgen05.{op}Op(cute.nvgpu.tcgen05.Repetition({rep}){more}), '
                        f'cutlass.{type_})', arch='sm_100a')

    def tv_copy(self):
        atom, vector = self.plain_atom()
        threads = self.rng.choice([(32, 1), (16, 8), (4, 32), (8, 16), (32, 4), (1, 32)])
        values = self.rng.choice([(1, vector), (1, vector), (vector, 1), (2, vector), (4, 4), (1, 1)])
        value_layout = self.layout_of(values) if self.chance(0.2) else f'cute.make_layout({values})'
        return f'copy = cute.make_tiled_copy_tv({atom}, {self.bijective(threads)}, {value_layout})', threads, values

    def do_make_tiled_copy_tv(self):
        line, threads, values = self.tv_copy()
        member = self.rng.choice(['copy', 'copy', 'copy.layout_tv_tiled', 'copy.tiler_mn', 'copy.size', 'copy.layout_src_tv_tiled',
                                  'copy.layout_dst_tv_tiled', 'cute.size(copy)'])
        return self.one('make_tiled_copy_tv' if member == 'copy' else member, f'{line}\n{member}')

    def do_make_tiled_copy(self):
        atom, vector = self.plain_atom()
        tile = self.rng.choice([(16, 64), (32, 32), (64, 16), (8, 128)])
        threads = product(tile) // (vector * self.rng.choice([1, 2])) or 1
        shape = (threads, product(tile) // threads)
        tv = self.bijective(shape) if self.chance(0.7) else f'cute.make_layout({shape}, stride=({shape[1]}, 1))'
        tiler = self.rng.choice([str(tile), f'(cute.make_layout({tile[0]}), cute.make_layout({tile[1]}))'])
        return self.one('make_tiled_copy', f'cute.make_tiled_copy({atom}, {tv}, {tiler})')

    def do_make_cotiled_copy(self):
        atom, vector = self.plain_atom()
        threads = self.rng.choice([8, 16, 32])
        tv = f'cute.make_layout(({threads}, {vector}), stride=({vector}, 1))'
        data = f'cute.make_layout(({threads}, {vector}), stride=({vector}, 1))'
        if self.chance(0.6):
            data = self.bijective((threads, vector * self.rng.choice([1, 2])))
        return self.one('make_cotiled_copy', f'cute.make_cotiled_copy({atom}, {tv}, {data})')

    def do_make_tiled_copy_abc(self):
        line, whole, type_, arch, threads = self.tiled_mma('wwwg')
        operand = self.rng.choice(['A', 'B', 'C', 'C_atom'])
        atom = self.matrix_atom(operand.startswith('C')) if self.chance(0.6) else self.plain_atom()[0]
        member = self.rng.choice(['copy', 'copy', 'copy.tiler_mn', 'copy.layout_src_tv_tiled', 'copy.layout_dst_tv_tiled'])
        return self.one('make_tiled_copy_' + operand, f'{line}\ncopy = cute.make_tiled_copy_{operand}({atom}, '
                                                      f'mma)\n{member}', arch='sm_100a' if 'umma' in line else 'sm_90a')

    def do_make_tiled_copy_sd(self):
        line, threads, values = self.tv_copy()
        name = self.rng.choice('SD')
        atom, vector = self.plain_atom()
        return self.one('make_tiled_copy_' + name, f'{line}\ncute.make_tiled_copy_{name}({atom}, copy)')

    def do_copy_partition(self):
        if self.chance(0.6):
            line, threads, values = self.tv_copy()
            tile = (threads[0] * values[0], threads[1] * values[1])
            count, arch = product(threads), 'sm_90a'
        else:
            first, whole, type_, arch, count = self.tiled_mma('ww')
            operand = self.rng.choice('ABC')
            m, n, k = whole
            tile = {'A': (m, k), 'B': (n, k), 'C': (m, n)}[operand]
            atom = self.matrix_atom(operand == 'C') if self.chance(0.7) else self.plain_atom()[0]
            line, arch = f'{first}\ncopy = cute.make_tiled_copy_{operand}({atom}, mma)', 'sm_90a'
        shape = (tile[0] * self.rng.choice([1, 2]), tile[1] * self.rng.choice([1, 2, 3]))
        if self.chance(0.3):
            shape += (2,)
        side = self.rng.choice(['partition_S', 'partition_D', 'partition_S', 'retile'])
        thread = self.rng.randrange(count)
        return self.one(side, f'{line}\nthr = copy.get_slice({thread})\nthr.{side}(cute.make_identity_tensor({shape}))', arch=arch)

    def do_smem_layout_atom(self):
        kind = self.rng.choice(['K_SW128', 'K_SW64', 'K_SW32', 'K_INTER', 'MN_SW128', 'MN_SW64', 'MN_SW32', 'MN_INTER'])
        family, arch = self.rng.choice([('warpgroup', 'sm_90a'), ('tcgen05', 'sm_100a')])
        type_, bits = self.rng.choice([('Float16', 16), ('Float32', 32), ('Int8', 8), ('BFloat16', 16)])
        made = f'cute.nvgpu.{family}.make_smem_layout_atom(cute.nvgpu.{family}.SmemLayoutAtomKind.{kind}, cutlass.{type_})'
        if self.chance(0.5):
            return self.one('make_smem_layout_atom', made, arch=arch, bits=bits)
        stages = self.rng.choice([1, 2, 3, 4])
        shape, order = ((128, 128, stages), (0, 1, 2)) if self.chance(0.5) else ((256, 128, stages), (1, 0, 2))
        return self.one('tile_to_shape of an atom', f'cute.tile_to_shape({made}, {shape}, {order})', arch=arch, bits=bits)

    def do_tile_to_mma_shape(self):
        line, whole, type_, arch, threads = self.tiled_mma('u')
        kind = self.rng.choice(['K_SW128', 'K_SW64', 'K_INTER'])
        stages = self.rng.choice([1, 2, 3])
        operand = self.rng.choice('AB')
        a, b = {'A': (whole[0], whole[2]), 'B': (whole[1], whole[2])}[operand]
        shape = (a, 64, stages)
        program = (f'{line}\natom = cute.nvgpu.tcgen05.make_smem_layout_atom(cute.nvgpu.tcgen05.SmemLayoutAtomKind.{kind}, '
                   f'cutlass.Float16)\n'
                   f'shape = mma.partition_shape_{operand}({shape})\ncute.nvgpu.tcgen05.tile_to_mma_shape(atom, shape, order=(1, 2, 3))')
        return self.one('tile_to_mma_shape', program, arch=arch, bits=16)

    def do_make_rmem_tensor(self):
        what = str(self.small()) if self.chance(0.5) else self.layout()
        if self.chance(0.4):
            return self.one('make_rmem_tensor', f'cute.make_rmem_tensor({what}, cutlass.{self.rng.choice(["Float32", "Boolean"])})')
        name = self.rng.choice(['make_fragment_like', 'make_rmem_tensor_like'])
        return self.one(name, f'cute.{name}({self.anything()}, cutlass.Float16)')

    def do_swizzled_tensor(self):
        """Parts of a tensor in shared memory, whose swizzle stands in its pointer or in its layout."""
        rows, columns = self.rng.choice([32, 64, 128]), self.rng.choice([32, 64, 128])
        layout = self.rng.choice([f'cute.make_layout(({rows},{columns}), stride=({columns},1))',
                                  f'cute.make_layout((8,{columns}), stride=({columns},1))',
                                  f'cute.make_layout(({rows},{columns}))',
                                  f'cute.make_layout(((8,{rows // 8}),(32,{columns // 32})), '
                                  f'stride=((32,256),(1,{32 * rows})))'])
        rows = 8 if '((' not in layout and '(8,' in layout else rows
        where = 'cute.make_ptr(cutlass.Float16, 0, cute.AddressSpace.smem, assumed_align=1024)'
        bits = self.rng.choice([1, 2, 3])
        if self.chance(0.5):
            tensor = f'cute.make_tensor(cute.recast_ptr({where}, cute.make_swizzle({bits},4,3), dtype=cutlass.Float16), {layout})'
        else:
            tensor = f'cute.make_tensor({where}, cute.make_composed_layout(cute.make_swizzle({bits},3,3), 0, {layout}))'
        i, j = self.rng.randrange(rows), self.rng.randrange(columns)
        a, b = self.divisor(rows), self.divisor(columns)
        tile = f'({a},{b}), ({self.rng.choice([None, self.rng.randrange(max(1, rows // a))])}, {self.rng.randrange(max(1, columns // b))})'
        mma = ('cute.make_tiled_mma(warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16,8,16)), cute.make_layout((2,2,1)), '
               'permutation_mnk=(32,32,16))')
        copy = ('cute.make_tiled_copy_tv(cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, num_bits_per_copy=128), '
                'cute.make_layout((8,4), stride=(4,1)), cute.make_layout((1,8)))')
        ldsm = f'cute.make_tiled_copy_A(cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False,4), cutlass.Float16), {mma})'
        parts = [f't[{i}, None]', f't[None, {j}]', f'cute.local_tile(t, {tile})', f'cute.flat_divide(t, ({a},{b}))',
                 f'cute.zipped_divide(t, ({a},{b}))[None, 0]', 'cute.coalesce(t)', 'cute.group_modes(t, 0, 2)',
                 f'{copy}.get_slice({self.rng.randrange(32)}).partition_{self.rng.choice("SD")}(t)']
        if rows >= 32:
            thread = self.rng.randrange(128)
            parts += [f'{mma}.get_slice({thread}).partition_{self.rng.choice("AB")}(t)', f'{ldsm}.get_slice({thread}).partition_S(t)']
        part = self.rng.choice(parts)
        form = self.rng.choice(['{}', '{}', '{}', 'cute.make_fragment_like({})', 'cute.filter_zeros({})', '{}.layout'])
        return self.one('swizzled tensor', f't = {tensor}\n{form.format(part)}')

    def do_pointers(self):
        """Tensors whose swizzle stands in the pointer, and what is made of their layout and pointer."""
        type_ = self.rng.choice(['Float16', 'Float32', 'BFloat16', 'Int8'])
        shape = self.rng.choice([(64, 64), (8, 128), (128, 32)])
        layout = self.layout_of(shape)
        swizzle = self.rng.choice(['cute.make_swizzle(3, 4, 3)', 'cute.make_swizzle(2, 4, 3)', 'cute.make_swizzle(1, 4, 3)'])
        if self.chance(0.5):
            kind = self.rng.choice(['K_SW128', 'K_SW64', 'K_SW32', 'MN_SW128', 'MN_SW64', 'K_INTER'])
            lines = [f'atom = cute.nvgpu.warpgroup.make_smem_layout_atom(cute.nvgpu.warpgroup.SmemLayoutAtomKind.{kind}, cutlass.{type_})',
                     'whole = cute.tile_to_shape(atom, (128, 128), (0, 1))']
            layout, swizzle = 'whole.outer', 'whole.inner'
        else:
            lines = []
        pointer = f'cute.make_ptr(cutlass.{type_}, 0, cute.AddressSpace.smem, assumed_align=1024'
        if self.chance(0.5):
            lines.append(f'ptr = {pointer}, swizzle_={swizzle})')
        else:
            cast = self.rng.choice([f'ptr, {swizzle}', f'ptr, swizzle_={swizzle}', f'ptr, {swizzle}, dtype=cutlass.{type_}'])
            lines += [f'ptr = {pointer})', f'ptr = cute.recast_ptr({cast})']
        lines.append(f'sA = cute.make_tensor(ptr, {layout})')
        last = self.rng.choice(['sA', 'sA', 'sA.layout', 'sA.iterator', 'cute.make_tensor(sA.iterator, sA.layout)',
                                'cute.make_tensor(sA.iterator, cute.make_layout((16, 16)))', 'cute.recast_tensor(sA, cutlass.Int8)',
                                'cute.local_tile(sA, (8, 8), (None, None))', 'cute.composition(sA, cute.make_layout((8, 8)))'])
        if last == 'sA.iterator':
            cast = f'cute.recast_ptr(sA.iterator, dtype=cutlass.{self.rng.choice([type_, "Int8"])})'
            last = f'cute.make_tensor({cast}, cute.make_layout((16, 16)))'
        return self.one('swizzled pointer', '\n'.join([*lines, last]))

    def do_make_layout_tv(self):
        threads, values = self.small(2, 128), self.small(2, 64)
        return self.one('make_layout_tv', f'cute.make_layout_tv({self.bijective(threads)}, {self.layout_of(values)})')

    def do_image_mask(self):
        shape = (self.rng.choice([1, 2]), self.rng.choice([1, 2, 4]), self.rng.choice([1, 2]))
        return self.one('make_layout_image_mask', f'cute.make_layout_image_mask(cute.make_layout({shape}), {self.coord(shape)}, '
                                                  f'{self.rng.randrange(3)})')

    def do_utilities(self):
        """CUTLASS's helpers around the DSL, and a tensor of what they give."""
        type_, bits = self.rng.choice([('Float16', 16), ('BFloat16', 16), ('Float32', 32), ('Float8E4M3FN', 8), ('Int8', 8)])
        order = f'utils.LayoutEnum.{self.rng.choice(["ROW_MAJOR", "COL_MAJOR"])}'
        tile = (self.rng.choice([64, 128]), self.rng.choice([64, 128, 256]), self.rng.choice([32, 64, 128]))
        stages = self.rng.choice([1, 2, 3])
        roll = self.rng.randrange(3)
        if roll < 2:
            operand = self.rng.choice('ab')
            layout = f'sm90_utils.make_smem_layout_{operand}({order}, {tile}, cutlass.{type_}, {stages})'
            name = f'sm90 make_smem_layout_{operand}'
        else:
            layout, name = f'sm90_utils.make_smem_layout_epi(cutlass.{type_}, {order}, {tile[:2]}, {stages})', 'sm90 make_smem_layout_epi'
        last = self.rng.choice(['staged', 'cute.slice_(staged, (None, None, 0))', 'cute.select(staged, mode=[0, 1])', 'staged.outer',
                                'cute.cosize(staged.outer)', f'cute.size_in_bytes(cutlass.{type_}, cute.slice_(staged, (None, None, 0)))',
                                f'cute.make_tensor(cute.make_ptr(cutlass.{type_}, 0, cute.AddressSpace.smem, assumed_align=1024, '
                                'swizzle_=staged.inner), staged.outer)'])
        return self.one(name, f'staged = {layout}\n{last}', bits=None if 'make_tensor' in last else bits)

    def blackwell_mma(self, two):
        tile = (256 if two else 128, self.rng.choice([64, 128, 192, 256]))
        return (f'mma = sm100_utils.make_trivial_tiled_mma(cutlass.Float16, tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.K, '
                f'cutlass.Float32, tcgen05.CtaGroup.{"TWO" if two else "ONE"}, {tile})'), tile

    def epilogue(self):
        """The arguments of an epilogue's helpers: a CTA's tile, whether CTAs are paired, D's order and type, and the tile's call."""
        cta = (self.rng.choice([64, 128, 128, 256]), self.rng.choice([8, 16, 32, 64, 96, 128, 160, 192, 224, 256]), 64)
        two = self.chance(0.5)
        type_ = self.rng.choice(['Float32', 'Float16', 'BFloat16', 'Float8E4M3FN', 'Int8', 'Float4E2M1FN'])
        order = lambda: f'utils.LayoutEnum.{self.rng.choice(["ROW_MAJOR", "COL_MAJOR"])}'
        d = order()
        more = ''
        if self.chance(0.5):
            more = (f', layout_c={order()}' if self.chance(0.8) else '') + f', elem_ty_c=cutlass.{self.rng.choice(["Float32", "Float16", "Int8"])}'
        return cta, two, d, type_, f'sm100_utils.compute_epilogue_tile_shape({cta}, {two}, {d}, cutlass.{type_}{more})'

    def do_compute_epilogue_tile_shape(self):
        return self.one('compute_epilogue_tile_shape', self.epilogue()[-1], arch='sm_100a')

    def do_get_tmem_load_op(self):
        cta, two, d, type_, tile = self.epilogue()
        acc = self.rng.choice(['Float32', 'Float32', 'Float32', 'Float16'])
        load = f'sm100_utils.get_tmem_load_op({cta}, {d}, cutlass.{type_}, cutlass.{acc}, epi, {two})'
        if self.chance(0.6):
            return self.one('get_tmem_load_op', f'epi = {tile}\n{load}', arch='sm_100a')
        width = 32 if acc == 'Float32' else 16
        tensor = (f'cute.make_tensor(cute.make_ptr(cutlass.{acc}, 0, cute.AddressSpace.tmem, assumed_align=16), '
                  f'cute.make_layout((128, 256), stride=({2**21 // width}, 1)))')
        lines = [f'epi = {tile}', f'load = {load}', f'acc = {tensor}', 'copy = tcgen05.make_tmem_copy(load, acc)',
                 f'sm100_utils.get_smem_store_op({d}, cutlass.{type_}, cutlass.{acc}, copy)']
        return self.one('sm100 get_smem_store_op', '\n'.join(lines), arch='sm_100a')

    def do_make_tmem_copy(self):
        op = self.rng.choice(['Ld32x32b', 'Ld16x256b', 'Ld16x128b', 'Ld16x64b', 'Ld16x32bx2', 'St32x32b', 'St16x256b', 'St16x128b'])
        type_, width = self.rng.choice([('Float32', 32), ('Float32', 32), ('Int32', 32), ('Float16', 16), ('BFloat16', 16)])
        rep = self.rng.choice([1, 2, 4, 8, 16, 32, 64])
        shape = self.rng.choice([(128, 128), (128, 256), (128, 32), (128, 64)])
        lines = [f'atom = cute.make_copy_atom(tcgen05.{op}Op(tcgen05.Repetition({rep})), cutlass.{type_})',
                 f'acc = cute.make_tensor(cute.make_ptr(cutlass.{type_}, 0, cute.AddressSpace.tmem, assumed_align=16), '
                 f'cute.make_layout({shape}, stride=({2**21 // width}, 1)))', 'copy = tcgen05.make_tmem_copy(atom, acc)']
        member = self.rng.choice(['copy', 'copy', 'copy.tiler_mn', 'copy.layout_src_tv_tiled', 'copy.layout_dst_tv_tiled', 'cute.size(copy)',
                                  f'copy.get_slice({self.rng.randrange(128)}).partition_D(cute.make_identity_tensor({shape}))',
                                  f'copy.get_slice({self.rng.randrange(128)}).partition_S(cute.make_identity_tensor({shape}))'])
        return self.one('make_tmem_copy', '\n'.join([*lines, member]), arch='sm_100a')

    def do_cluster_shape_to_tma_atom(self):
        name = f'cluster_shape_to_tma_atom_{self.rng.choice(["A", "B", "SFB"])}'
        cluster = (self.rng.choice([1, 2, 4]), self.rng.choice([1, 2, 4]), 1)
        if self.chance(0.5):
            return self.one(name, f'sm100_utils.{name}({cluster}, cute.make_layout({self.rng.choice([1, 2])}))', arch='sm_100a')
        return self.one(name, f'{self.blackwell_mma(self.chance(0.5))[0]}\nsm100_utils.{name}({cluster}, mma.thr_id)', arch='sm_100a')

    def do_scale_factors(self):
        """Scale factors of a block-scaled MMA in shared and in tensor memory."""
        two = self.chance(0.5)
        type_, vector, factor, k = self.rng.choice([('Float8E4M3FN', 32, 'Float8E8M0FNU', 128), ('Float4E2M1FN', 16, 'Float8E4M3FN', 256),
                                                    ('Float4E2M1FN', 32, 'Float8E8M0FNU', 256), ('Float8E4M3FN', 32, 'Float8E8M0FNU', 256)])
        m, n = (self.rng.choice([128, 256]) if two else 128), self.rng.choice([64, 128, 192, 256])
        mma = (f'sm100_utils.make_blockscaled_trivial_tiled_mma(cutlass.{type_}, tcgen05.OperandMajorMode.K, tcgen05.OperandMajorMode.K, '
               f'cutlass.{factor}, {vector}, tcgen05.CtaGroup.{"TWO" if two else "ONE"}, ({m}, {n}))')
        x = self.rng.choice('ab')
        tile = (m * self.rng.choice([1, 1, 2]), n, k)
        stages = self.rng.choice([1, 2, 3, 4])
        if self.chance(0.15):
            return self.one('make_smem_layout_sf', f'blockscaled_utils.make_smem_layout_sf({(tile[0], k)}, {vector}, {stages})', arch='sm_100a')
        staged = f'mma = {mma}\nstaged = blockscaled_utils.make_smem_layout_sf{x}(mma, {tile}, {vector}, {stages})'
        if self.chance(0.3):
            return self.one(f'make_smem_layout_sf{x}', f'{staged}\nstaged', arch='sm_100a')
        return self.one(f'make_tmem_layout_sf{x}', f'{staged}\nblockscaled_utils.make_tmem_layout_sf{x}(mma, {tile}, {vector}, '
                                                   'cute.slice_(staged, (None, None, None, 0)))', arch='sm_100a')

    def do_sm100_utilities(self):
        mma, tile = self.blackwell_mma(self.chance(0.5))
        type_, bits = self.rng.choice([('Float16', 16), ('BFloat16', 16), ('Float32', 32), ('Float8E4M3FN', 8)])
        whole = (*tile, self.rng.choice([32, 64, 128]))
        stages = self.rng.choice([1, 2, 3])
        if self.chance(0.1):
            bytes_ = self.chance(0.5)
            return self.one('get_permutation_mnk', f'sm100_utils.get_permutation_mnk({whole}, {self.rng.choice([16, 32])}, {bytes_})', arch='sm_100a')
        operand = self.rng.choice('abc')
        more = f', {self.chance(0.5)}' if operand == 'c' else ''
        name = f'make_smem_layout_{operand}'
        return self.one(f'sm100 {name}', f'{mma}\nsm100_utils.{name}(mma, {whole}, cutlass.{type_}, {stages}{more})', arch='sm_100a', bits=bits)

    def do_layout_list(self):
        count = self.rng.choice([1, 2, 3])
        return self.one('[layout, ...]', f'cute.make_layout({self.small(count)}).shape[{self.rng.randrange(count)}]')

    def statements(self, count):
        """That many statements, each kind as often as any other."""
        names = sorted(self.kinds)
        for name in itertools.islice(itertools.cycle(names), count):
            yield self.kinds[name]()
