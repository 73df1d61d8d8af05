// SPDX-License-Identifier: BSD-3-Clause
// How the number in a cell comes about, step by step: a recipe walked at a coordinate, as core/diagram/explain/explain_cell.cpp walks it.
'use strict';

const kChunkBytes = 16, kSectorBytes = 32, kBankBytes = 4, kLanes = 32, kNamedOwners = 4;

// ---- tuples: a number, or a list of tuples; in strides also {by: 2, of: [0, 1]}, which is 2@1@0 ------------------------------

const isTuple = (t) => Array.isArray(t);
const isBasis = (t) => typeof t === 'object' && !isTuple(t);

function tupleText(t) {
  if (isTuple(t)) return '(' + t.map(tupleText).join(',') + ')';
  return isBasis(t) ? t.by + t.of.slice().reverse().map((mode) => '@' + mode).join('') : String(t);
}

function leaves(t, out = []) {
  if (isTuple(t)) t.forEach((mode) => leaves(mode, out)); else out.push(t);
  return out;
}

const sizeOf = (shape) => leaves(shape).reduce((product, extent) => product * extent, 1);

// The last mode is not reduced.
function indexToCoord(i, shape) {
  if (!isTuple(shape)) return i;
  return shape.map((mode, k) => {
    if (k + 1 === shape.length) return indexToCoord(i, mode);
    const extent = sizeOf(mode), digit = i % extent;
    i = Math.trunc(i / extent);
    return indexToCoord(digit, mode);
  });
}

function coordToIndex(coord, shape) {
  if (!isTuple(coord)) return coord;
  let sum = 0, step = 1;
  coord.forEach((mode, k) => {
    sum += step * coordToIndex(mode, shape[k]);
    step *= sizeOf(shape[k]);
  });
  return sum;
}

function congruent(coord, shape) {
  return isTuple(coord) ? coord.map((mode, k) => congruent(mode, shape[k])) : indexToCoord(coord, shape);
}

const sameProfile = (a, b) =>
    isTuple(a) ? isTuple(b) && a.length === b.length && a.every((mode, k) => sameProfile(mode, b[k])) : !isTuple(b);

function addTuples(a, b) {
  if (isTuple(a) && isTuple(b)) {
    const modes = [];
    for (let k = 0; k < Math.max(a.length, b.length); ++k) modes.push(addTuples(k < a.length ? a[k] : 0, k < b.length ? b[k] : 0));
    return modes;
  }
  return isTuple(a) ? a : isTuple(b) ? b : a + b;
}

// A coordinate that is congruent to the shape.
function valueAt(coord, stride) {
  const digits = leaves(coord), strides = leaves(stride);
  let sum = 0;
  strides.forEach((each, k) => {
    let part = digits[k] * (isBasis(each) ? each.by : each);
    if (isBasis(each)) {
      for (const mode of each.of.slice().reverse()) {
        const tuple = new Array(mode + 1).fill(0);
        tuple[mode] = part;
        part = tuple;
      }
    }
    sum = addTuples(sum, part);
  });
  return sum;
}

// `count` bits of a number from bit `from` on; numbers may be larger than 32 bits.
const bitsOf = (n, from, count) => {
  const all = Math.pow(2, count), moved = Math.floor(n / Math.pow(2, from)) % all;
  return moved < 0 ? moved + all : moved;
};

function swizzleBits(n, [bits, base, shift]) {
  const read = base + Math.max(0, shift), flip = base + Math.max(0, -shift);
  const taken = bitsOf(n, read, bits), old = bitsOf(n, flip, bits);
  const out = n + ((old ^ taken) - old) * Math.pow(2, flip);
  const digits = n < 0 ? 0 : Math.max(n, out).toString(2).length;
  const width = Math.min(62, Math.max(n === 0 && out === 0 ? 0 : digits, read + bits, flip + bits));
  return {in: n, flips: taken * Math.pow(2, flip), out, bits, read, flip, width, taken};
}

// Digits in groups of three, from the right.
function binary(n, width) {
  const digits = bitsOf(n, 0, width).toString(2).padStart(width, '0');
  return digits.replace(/(\d)(?=(\d{3})+$)/g, '$1 ');
}

function bitLines(of) {
  const marks = binary(of.flips, of.width).replace(/1/g, '^').replace(/0/g, ' ').replace(/ +$/, '');
  const lines = ['in   ' + binary(of.in, of.width), 'xor  ' + binary(of.flips, of.width), 'out  ' + binary(of.out, of.width)];
  return marks ? lines.concat('     ' + marks) : lines;
}

// ---- words of the rules --------------------------------------------------------------------------------------------------

function digitsText(digits, extents) {
  let out = '', step = 1;
  digits.forEach((digit, k) => {
    out += k === 0 ? digit : ' + ' + digit + '·' + step;
    step *= extents[k];
  });
  return out;
}

const numberText = (coord, shape) => digitsText(leaves(coord), leaves(shape));

function takenApart(coord, shape, out = []) {
  if (isTuple(coord)) coord.forEach((mode, k) => takenApart(mode, shape[k], out));
  else if (isTuple(shape)) out.push(coord + ' = ' + digitsText(leaves(indexToCoord(coord, shape)), leaves(shape)));
  return out;
}

const sumText = (coord, stride) => {
  const strides = leaves(stride);
  return leaves(coord).map((digit, k) => digit + '·' + tupleText(strides[k])).join(' + ');
};

// ---- the walk ------------------------------------------------------------------------------------------------------------

class CellWalk {
  constructor(recipe, coord) {
    this.recipe = recipe;
    this.cell = {of: recipe.of, coordinate: tupleText(coord), offset: null, steps: [], notes: []};
    this.now = this.cell.coordinate;
    this.hier = congruent(coord, recipe.shape);
    this.value = 0;
    if (!sameProfile(this.hier, coord)) this.add('coordinate', tupleText(this.hier), takenApart(coord, recipe.shape).join('; '));
  }

  add(name, to, rule, more) {
    this.cell.steps.push(Object.assign({name, from: this.now, to, rule}, more));
    this.now = to;
  }

  addFromCoordinate(name, to, rule) {
    this.now = this.cell.coordinate;
    this.add(name, to, rule, {from_coordinate: true});
  }

  stages() {
    const {stages, shape} = this.recipe;
    if (stages.length === 0) return;
    const atCoordinate = stages[0].shape !== undefined && sameProfile(stages[0].shape, shape);
    if (!atCoordinate) {
      this.value = coordToIndex(this.hier, shape);
      if (isTuple(this.hier)) this.add('number', tupleText(this.value), numberText(this.hier, shape));
    }
    stages.forEach((stage, k) => this.apply(stage, k === 0 && atCoordinate));
    if (!isTuple(this.value)) this.cell.offset = this.value;
  }

  apply(stage, atCoordinate) {
    if (stage.swizzle) {
      const of = swizzleBits(this.value, stage.swizzle), at = (first) => of.bits === 1 ? 'bit ' + first : `bits ${first}-${first + of.bits - 1}`;
      this.value = of.out;
      this.add('swizzle', tupleText(of.out), `Sw<${stage.swizzle.join(',')}>: ${at(of.read)} (${
          of.taken.toString(2).padStart(of.bits, '0')}) flip${of.bits === 1 ? 's' : ''} ${at(of.flip)}`, {bits: bitLines(of)});
    } else if (stage.add !== undefined) {
      const before = this.value;
      this.value = addTuples(before, stage.add);
      this.add('add', tupleText(this.value), tupleText(before) + ' + ' + tupleText(stage.add));
    } else {
      const at = atCoordinate ? this.hier : indexToCoord(this.value, stage.shape), sum = sumText(at, stage.stride);
      this.value = valueAt(at, stage.stride);
      const text = tupleText(stage.shape) + ':' + tupleText(stage.stride);
      if (atCoordinate) this.add(this.recipe.stages.length > 1 ? 'index' : 'offset', tupleText(this.value), sum);
      else this.add('layout', tupleText(this.value), isTuple(at) ? `${text} at ${tupleText(at)}: ${sum}` : `${text}: ${sum}`);
    }
  }

  memory() {
    const {bits, memory, begins} = this.recipe, offset = this.cell.offset;
    if (offset === null || memory === 'other') return;
    if (bits === 0) {
      this.cell.notes.push('the width of an element is not known: --set bits=16, bytes=2 or type=half_t gives byte, chunk and bank');
      return;
    }
    if (offset < 0) {
      this.cell.notes.push(`element ${offset} lies before the tensor, at no address`);
      return;
    }
    const whole = bits % 8 === 0, byte = whole ? offset * (bits / 8) + begins : Math.floor(offset * bits / 8) + begins;
    const behind = begins === 0 ? '' : ` + ${begins}, where it begins`;
    if (whole) this.add('byte', 'byte ' + byte, `${offset}·${bits / 8} bytes${behind}`);
    else this.add('byte', `byte ${byte}, bit ${offset * bits % 8}`, `${offset}·${bits} bits / 8${behind}`);
    const place = (of) => `${byte} / ${of}: byte ${byte % of} of its ${of}`;
    if (memory === 'global') {
      this.add('sector', 'sector ' + Math.floor(byte / kSectorBytes), place(kSectorBytes));
      return;
    }
    const word = Math.floor(byte / kBankBytes);
    this.add('chunk', 'chunk ' + Math.floor(byte / kChunkBytes), place(kChunkBytes));
    this.add('bank', 'bank ' + word % kBanks,
             `${byte} / ${kBankBytes} = word ${word}, modulo ${kBanks}${memory === 'shared' ? '' : ', in shared memory'}`);
  }

  owner(owners) {
    const {recipe} = this, held = recipe.holders;
    if (recipe.thread_mode !== undefined || recipe.value_mode !== undefined || recipe.thread !== undefined) return this.modes();
    if (!held) return undefined;
    if (!held.nobody && owners.length === 0 && !held.tv) {
      return this.cell.notes.push(
          `which threads have a part of it cannot be told from its place alone; the picture shows who ${held.verb} it`);
    }
    if (held.nobody || owners.length === 0) return this.addFromCoordinate('thread', 'no thread', held.nobody || `no thread ${held.verb} it`);
    const first = owners[0];
    this.addFromCoordinate('thread', `T${first.thread} V${first.value}`, this.ruleOf(held, first) + otherOwners(owners));
    this.lane(first.thread);
    return this.instruction(held.instruction, first);
  }

  modes() {
    const {recipe} = this, number = (mode) => coordToIndex(this.hier[mode], recipe.shape[mode]);
    const byMode = recipe.thread_mode !== undefined, named = byMode || recipe.thread !== undefined;
    const thread = byMode ? number(recipe.thread_mode) : recipe.thread;
    let to = named ? 'T' + thread : '';
    let rule = byMode ? `mode ${recipe.thread_mode} counts threads` : named ? "the tensor is this thread's part" : '';
    if (recipe.value_mode !== undefined) {
      to += (to ? ' ' : '') + 'V' + number(recipe.value_mode);
      rule += (rule ? ', ' : '') + `mode ${recipe.value_mode} counts values`;
    }
    this.addFromCoordinate('thread', to, rule);
    if (named) this.lane(thread);
  }

  lane(thread) {
    const warp = Math.floor(thread / kLanes), lane = thread % kLanes;
    this.add('lane', `warp ${warp}, lane ${lane}`, `T${thread} = ${warp}·${kLanes} + ${lane}`);
  }

  ruleOf(held, owner) {
    if (!held.tv) return `this thread ${held.verb} it`;
    let place = [owner.thread, owner.value];
    held.stages.forEach((stage, k) => {
      if (stage.swizzle) place = swizzleBits(place, stage.swizzle).out;
      else if (stage.add !== undefined) place = addTuples(place, stage.add);
      else place = valueAt(k === 0 ? congruent(place, stage.shape) : indexToCoord(place, stage.shape), stage.stride);
    });
    const rule = `(T${owner.thread},V${owner.value}) of ${held.tv} is ${held.gives_offset ? 'element' : 'number'} ${place}`;
    return held.gives_offset || !isTuple(this.recipe.shape) ? rule : rule + ' = ' + numberText(this.hier, this.recipe.shape);
  }

  instruction(of, owner) {
    if (!of) return;
    const number = Math.floor(owner.value / of.values), place = owner.value % of.values;
    let to = `instruction ${number}, value ${place}`;
    if (of.letter) {
      const bit = place * of.value_bits, within = bit % of.register_bits;
      to = `instruction ${number}, register ${of.letter}${Math.floor(bit / of.register_bits)}`;
      if (of.value_bits < of.register_bits) to += `, bits ${within}-${within + of.value_bits - 1}`;
    }
    this.add('instruction', to, `${of.name}, ${of.values} value${of.values === 1 ? '' : 's'} of a thread at once`);
  }
}

function otherOwners(owners) {
  let out = '';
  owners.slice(1, 1 + kNamedOwners).forEach((owner, k) => { out += (k === 0 ? '; also ' : ', ') + `T${owner.thread} V${owner.value}`; });
  return owners.length > kNamedOwners + 1 ? out + ` and ${owners.length - kNamedOwners - 1} more` : out;
}

function explainCell(recipe, coord, owners) {
  const walk = new CellWalk(recipe, coord);
  walk.stages();
  walk.memory();
  walk.owner(owners);
  return walk.cell;
}

// Of a cell of a figure; null where nobody can say.
function explainAt(figure, at) {
  const recipe = figure.recipes[figure.panels[at.panel].recipe], all = figure.subjects(at);
  if (!recipe || all.length === 0 || all[0].row < 0) return null;
  const first = all[0];
  let coord = first.row;
  if (isTuple(recipe.shape) && recipe.shape.length === 1) coord = [first.row];
  if (isTuple(recipe.shape) && recipe.shape.length > 1) {
    coord = [first.row, first.col];
    if (first.rest >= 0) coord = coord.concat(JSON.parse('[' + figure.rests[first.rest].replace(/\(/g, '[').replace(/\)/g, ']') + ']'));
  }
  return explainCell(recipe, coord, all.filter((of) => of.thread >= 0).map((of) => ({thread: of.thread, value: Math.max(0, of.value)})));
}
