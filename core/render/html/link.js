// SPDX-License-Identifier: BSD-3-Clause
// Which cells stand for the same: by thread and value, or by address and tensor, in all figures of one lineage.
'use strict';

// Numbers >= 0 to places, as lists one after the other: those of `key` are places[starts[key]] up to places[starts[key + 1]]. Sparse keys,
// which addresses may be, go through a map.
class Index {
  constructor(pairs) {  // [key, place] flat, places being numbers too
    let most = -1;
    for (let i = 0; i < pairs.length; i += 2) most = Math.max(most, pairs[i]);
    this.dense = most < 2 * pairs.length + 1024;
    if (!this.dense) {
      this.map = new Map();
      for (let i = 0; i < pairs.length; i += 2) {
        const list = this.map.get(pairs[i]);
        if (list) list.push(pairs[i + 1]); else this.map.set(pairs[i], [pairs[i + 1]]);
      }
      return;
    }
    this.starts = new Uint32Array(most + 2);
    for (let i = 0; i < pairs.length; i += 2) ++this.starts[pairs[i] + 1];
    for (let k = 0; k <= most; ++k) this.starts[k + 1] += this.starts[k];
    const next = this.starts.slice();
    this.places = new Uint32Array(pairs.length / 2);
    for (let i = 0; i < pairs.length; i += 2) this.places[next[pairs[i]]++] = pairs[i + 1];
  }

  of(key) {
    if (!this.dense) return this.map.get(key) || [];
    return key + 1 < this.starts.length ? this.places.subarray(this.starts[key], this.starts[key + 1]) : [];
  }
}

// Every owner and every address of a figure. An entry is a cell and which of its owners is meant.
class Links {
  constructor(figure) {
    const threads = [], addresses = [];
    this.entries = [];
    const add = (list, key, entry) => {
      if (key < 0) return;
      list.push(key, this.entries.length);
      this.entries.push(entry);
    };
    figure.panels.forEach((panel, p) => panel.marks.forEach((mark, m) => {
      const at = (cell) => ({panel: p, mark: m, cell});
      if (mark[0] === 'c' && mark[8]) {
        mark[8].forEach((numbers, k) => {
          const of = readSubject(numbers);
          add(threads, of.thread, {at: at(0), value: of.value, tensor: of.tensor});
          if (k === 0) add(addresses, of.address, {at: at(0), value: of.value, tensor: of.tensor});  // the others are what it walks
        });
      }
      if (mark[0] !== 'g') return;
      const grid = figure.grid(mark);
      for (let i = 0; (grid.thread || grid.address) && i < grid.size; ++i) {
        const where = at(i);
        for (const owner of grid.owners(i)) add(threads, owner.thread, {at: where, value: grid.value ? owner.value : -1, tensor: grid.tensor});
        if (grid.address) add(addresses, grid.address[i], {at: where, value: -1, tensor: grid.tensor});
      }
    }));
    this.threads = new Index(threads);
    this.addresses = new Index(addresses);
  }
}

function linksOf(figure) {
  if (!figure.links) figure.links = new Links(figure);
  return figure.links;
}

// Every mark of a figure that says the same words: a leaf of a diagram, its arrow and where that ends.
function sameWords(figure, words, here) {
  const found = [];
  figure.panels.forEach((panel, p) => panel.marks.forEach((mark, m) => {
    if (!'cla'.includes(mark[0]) || (p === here.panel && m === here.mark)) return;
    const at = {panel: p, mark: m, cell: 0};
    if (figure.subjects(at).some((of) => of.words === words)) found.push(at);
  }));
  return found;
}

// Two cells are the same where they stand for the same thread and value of the same operand, or for the same address of the same tensor,
// and within a figure where they say the same words; mates where only the thread is the same.
function highlightsOf(from, at, figure) {
  const found = {same: [], mates: []};
  if (from === figure) found.same.push(at);
  const operand = from.panels[at.panel].operand, links = linksOf(figure);
  for (const of of from.subjects(at)) {
    if (of.words >= 0 && from === figure) found.same.push(...sameWords(figure, of.words, at));
    if (of.thread >= 0) {
      for (const place of links.threads.of(of.thread)) {
        const entry = links.entries[place], theirs = figure.panels[entry.at.panel].operand;
        const comparable = !theirs || !operand || theirs === operand;
        (comparable && of.value >= 0 && entry.value === of.value ? found.same : found.mates).push(entry.at);
      }
    }
    if (of.address < 0) continue;
    const tensor = from.tensorName(of);
    for (const place of links.addresses.of(of.address)) {
      const entry = links.entries[place], theirs = entry.tensor >= 0 ? figure.tensors[entry.tensor] || '' : '';
      if (!theirs || !tensor || theirs === tensor) found.same.push(entry.at);
    }
  }
  return found;
}
