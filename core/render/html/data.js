// SPDX-License-Identifier: BSD-3-Clause
// The figures that the page carries, read: columns of grids, runs of marks, labels, and what a cell stands for.
'use strict';

const kBanks = 32, kBankBits = 32;
const kNearLine = 0.1;  // cells: so near to a line or an arrow is on it

// A column is written as differences, and these as literals and copies of what stood `back` before:
// [n, d1 .. dn, back, length, n, ...]
function readColumn(tokens, size) {
  const out = new Float64Array(size);
  let at = 0;
  for (let i = 0; i < tokens.length;) {
    for (let n = tokens[i++]; n > 0; --n) out[at++] = tokens[i++];
    if (i >= tokens.length) break;
    const back = tokens[i++];
    for (let n = tokens[i++]; n > 0; --n, ++at) out[at] = out[at - back];
  }
  for (let k = 1; k < size; ++k) out[k] += out[k - 1];
  return out;
}

class Grid {
  constructor(data) {
    this.rows = data.rows;
    this.cols = data.cols;
    this.size = data.rows * data.cols;
    this.place = data.place;  // "": its cells stand for no coordinate; drawn, transposed, given
    this.tensor = data.tensor === undefined ? -1 : data.tensor;
    this.rest = data.rest === undefined ? -1 : data.rest;
    this.bits = data.bits || 0;
    this.begins = data.begins || 0;
    for (const name of ['fill', 'faint', 'row', 'col', 'thread', 'value', 'address', 'rests', 'banks', 'other', 'word'])
      this[name] = data[name] ? readColumn(data[name], this.size) : null;
    this.others = data.others || [];  // by the column `other`: [[thread, value] less the first owner's, ...]
    this.words = data.words || [];    // by the column `word`
    this.template = data.template || '';
    this.stands = this.place !== '' || this.thread !== null || this.address !== null;
  }

  // What stands in the cell, lines apart by '\n'; "{t}" is its thread, and so on.
  label(i) {
    if (this.word) return this.words[this.word[i]];
    if (!this.template) return '';
    const of = this.subject(i);
    const numbers = {t: of.thread, v: of.value, r: of.row, c: of.col, a: of.address};
    return this.template.replace(/\{(\w)\}/g, (whole, name) => numbers[name]);
  }

  subject(i) {
    const r = Math.floor(i / this.cols), c = i % this.cols;
    const of = {thread: -1, value: -1, row: -1, col: -1, address: -1, bank: -1, tensor: this.tensor, rest: this.rest, words: -1};
    if (this.place === 'drawn') of.row = r, of.col = c;
    if (this.place === 'transposed') of.row = c, of.col = r;
    if (this.place === 'given') of.row = this.row[i], of.col = this.col[i];
    if (this.rests) of.rest = this.rests[i];
    if (this.banks) of.bank = this.banks[i];
    if (this.thread) of.thread = this.thread[i];
    if (this.value) of.value = this.value[i];
    if (this.address) {
      of.address = this.address[i];
      const round = kBanks * kBankBits;  // after so many bits the banks begin anew
      if (this.bits > 0 && of.address >= 0)
        of.bank = Math.floor((of.address % round * this.bits + this.begins % round * 8) / kBankBits) % kBanks;
    }
    return of;
  }

  // Who holds it: the owner that is drawn, then the others.
  owners(i) {
    if (!this.thread || this.thread[i] < 0) return [];
    const thread = this.thread[i], value = this.value ? this.value[i] : 0;
    const all = [{thread, value}];
    if (this.other) for (const [t, v] of this.others[this.other[i]]) all.push({thread: thread + t, value: value + v});
    return all;
  }
}

// Marks in runs are written once: ["run", count, dx, dy, mark], and labels that count ["count", count, dx, dy, before, first, by, mark].
function readMarks(list) {
  const marks = [];
  const moved = (mark, x, y) => {
    const copy = mark.slice();
    copy[1] += x, copy[2] += y;
    if (mark[0] === 'l' || mark[0] === 'a') copy[3] += x, copy[4] += y;
    return copy;
  };
  for (const mark of list) {
    if (mark[0] === 'run') {
      for (let k = 0; k < mark[1]; ++k) marks.push(moved(mark[4], mark[2] * k, mark[3] * k));
    } else if (mark[0] === 'count') {
      for (let k = 0; k < mark[1]; ++k) {
        const label = moved(mark[7], mark[2] * k, mark[3] * k);
        label[3] = mark[4] + (mark[5] + mark[6] * k);
        marks.push(label);
      }
    } else {
      marks.push(mark);
    }
  }
  return marks;
}

const kSubjectFields = ['thread', 'value', 'row', 'col', 'address', 'bank', 'tensor', 'rest', 'words'];

function readSubject(numbers) {
  const of = {};
  kSubjectFields.forEach((name, k) => { of[name] = k < numbers.length ? numbers[k] : -1; });
  return of;
}

function nearSegment(x, y, [, x0, y0, x1, y1]) {
  const dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  const t = length > 0 ? Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / length)) : 0;
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy) <= kNearLine;
}

class Figure {
  constructor(data, index) {
    Object.assign(this, data);
    this.index = index;
    this.gridsRead = [];
    this.panels = data.panels.map((panel) => Object.assign({}, panel, {marks: readMarks(panel.marks)}));
    this.cells = null;  // what can be pointed at: found when it is first asked for
  }

  grid(mark) {
    const k = mark[5];
    if (!this.gridsRead[k]) this.gridsRead[k] = new Grid(this.grids[k]);
    return this.gridsRead[k];
  }

  // Calls use(panel number, mark number, mark, grid) for the grids whose cells stand for something.
  eachGrid(use) {
    this.panels.forEach((panel, p) => panel.marks.forEach((mark, m) => {
      if (mark[0] === 'g' && this.grid(mark).stands) use(p, m, mark, this.grid(mark));
    }));
  }

  mark(at) { return this.panels[at.panel].marks[at.mark]; }

  // Its rectangle in cells: [x, y, w, h].
  box(at) {
    const mark = this.mark(at);
    if (mark[0] === 'l' || mark[0] === 'a') {
      const [, x0, y0, x1, y1] = mark, pad = kNearLine;
      return [Math.min(x0, x1) - pad, Math.min(y0, y1) - pad, Math.abs(x1 - x0) + 2 * pad, Math.abs(y1 - y0) + 2 * pad];
    }
    if (mark[0] !== 'g') return mark.slice(1, 5);
    const grid = this.grid(mark);
    return [mark[1] + mark[3] * (at.cell % grid.cols), mark[2] + mark[4] * Math.floor(at.cell / grid.cols), mark[3], mark[4]];
  }

  // All that a cell or a bar stands for, the owner that is drawn first; empty where that is nothing.
  subjects(at) {
    const mark = this.mark(at);
    if (mark[0] === 'g') {
      const grid = this.grid(mark);
      if (!grid.stands) return [];
      const first = grid.subject(at.cell), owners = grid.owners(at.cell);
      return [first].concat(owners.slice(1).map((owner) => Object.assign({}, first, owner)));
    }
    const numbers = mark[0] === 'c' ? mark[8] : mark[7];
    return numbers ? numbers.map(readSubject) : [];
  }

  coordinate(of) {
    if (of.row < 0 || of.col < 0) return '';
    const rest = of.rest >= 0 ? this.rests[of.rest] : '';
    if (rest[0] === '=') return '(' + rest.slice(1) + ')';  // all of it, of modes that are drawn in another order
    return '(' + of.row + ',' + of.col + (rest ? ',' + rest : '') + ')';
  }

  tensorName(of) { return of.tensor >= 0 ? this.tensors[of.tensor] || '' : ''; }

  // "C  M16 x N8  f32" is C; a layout's panel is called as its figure is.
  panelName(at) {
    const panel = this.panels[at.panel];
    return panel.name && !/[:<(]/.test(panel.name.split(' ')[0]) ? panel.name.split(' ')[0] : this.name;
  }

  // "C (3,5)  T7 V2  offset 29"
  words(at) {
    const all = this.subjects(at);
    if (all.length === 0) return '';
    const of = all[0];
    if (of.words >= 0) return this.said[of.words];
    let said = this.panelName(at);
    if (this.coordinate(of)) said += ' ' + this.coordinate(of);
    if (of.thread >= 0) said += '  T' + of.thread;
    if (of.value >= 0) said += (of.thread >= 0 ? ' V' : '  V') + of.value;
    for (const other of all.slice(1, 4)) said += ', T' + other.thread + ' V' + other.value;
    if (all.length > 4) said += ' and ' + (all.length - 4) + ' more';
    const tensor = this.tensorName(of);
    if (of.address >= 0) said += '  offset ' + of.address + (tensor && tensor !== this.expression && !/:/.test(tensor) ? ' of ' + tensor : '');
    if (of.bank >= 0) said += '  bank ' + of.bank;
    return said;
  }

  // The topmost cell, bar, line or arrow that stands for something, at a point in cells.
  pick(x, y) {
    for (let p = this.panels.length - 1; p >= 0; --p) {
      const marks = this.panels[p].marks;
      for (let m = marks.length - 1; m >= 0; --m) {
        const mark = marks[m];
        if (mark[0] === 'g') {
          const grid = this.grid(mark);
          const c = Math.floor((x - mark[1]) / mark[3]), r = Math.floor((y - mark[2]) / mark[4]);
          if (grid.stands && c >= 0 && c < grid.cols && r >= 0 && r < grid.rows) return {panel: p, mark: m, cell: r * grid.cols + c};
        } else if (mark[0] === 'c' && mark[8] && x >= mark[1] && x < mark[1] + mark[3] && y >= mark[2] && y < mark[2] + mark[4]) {
          return {panel: p, mark: m, cell: 0};
        } else if ((mark[0] === 'l' || mark[0] === 'a') && mark[7] && nearSegment(x, y, mark)) {
          return {panel: p, mark: m, cell: 0};
        }
      }
    }
    return null;
  }

  // Calls use(panel number, mark number, mark) for the cells beside grids that stand for something: bars, padding.
  eachBar(use) {
    this.panels.forEach((panel, p) => panel.marks.forEach((mark, m) => {
      if (mark[0] === 'c' && mark[8]) use(p, m, mark);
    }));
  }

  // The cell beside another; at an edge the nearest cell of another grid that lies there. Of bars the next one or the one before.
  beside(at, right, down) {
    const mark = this.mark(at);
    if (mark[0] !== 'g') {
      const marks = this.panels[at.panel].marks, by = right + down;
      let m = at.mark + by;
      while (m >= 0 && m < marks.length && !(marks[m][0] === 'c' && marks[m][8])) m += by;
      return m >= 0 && m < marks.length ? {panel: at.panel, mark: m, cell: 0} : null;
    }
    const grid = this.grid(mark);
    const r = Math.floor(at.cell / grid.cols) + down, c = at.cell % grid.cols + right;
    if (r >= 0 && r < grid.rows && c >= 0 && c < grid.cols) return {panel: at.panel, mark: at.mark, cell: r * grid.cols + c};
    const here = this.box(at), x = here[0] + here[2] / 2, y = here[1] + here[3] / 2;
    let best = null, nearest = Infinity;
    this.eachGrid((panel, m, other, of) => {
      if (panel === at.panel && m === at.mark) return;
      const inside = (v, from, step, count) => Math.min(count - 1, Math.max(0, Math.floor((v - from) / step)));
      const col = right > 0 ? 0 : right < 0 ? of.cols - 1 : inside(x, other[1], other[3], of.cols);
      const row = down > 0 ? 0 : down < 0 ? of.rows - 1 : inside(y, other[2], other[4], of.rows);
      const dx = other[1] + other[3] * (col + 0.5) - x, dy = other[2] + other[4] * (row + 0.5) - y;
      if (dx * right + dy * down <= 0) return;
      const far = (right !== 0 ? Math.abs(dx) + 4 * Math.abs(dy) : Math.abs(dy) + 4 * Math.abs(dx));
      if (far >= nearest) return;
      nearest = far;
      best = {panel, mark: m, cell: row * of.cols + col};
    });
    return best;
  }
}
