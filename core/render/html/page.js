// SPDX-License-Identifier: BSD-3-Clause
// The page: figures with what is lit on them, the mouse, the keyboard, the steps, and the line that is read aloud.
'use strict';

const kVeil = 0.6;  // of paper, over cells that are not lit

const page = {
  figures: [],
  views: [],
  hover: null,   // {figure, at}: what is pointed at, or where the keyboard's cursor stands
  pin: null,     // what was clicked; its explanation stands below
  said: '',
  before: null,  // what had the focus before the keys were listed
};

// Colours of a figure that has others for dark pages; on paper it is light.
const kDark = window.matchMedia('(prefers-color-scheme: dark)');
const kLooks = ['page', 'palette', 'texts', 'faints', 'strokes', 'edge', 'labels'];
function takeLook(figure, onPaper) {
  if (!figure.dark) return;
  if (!figure.light) figure.light = Object.fromEntries(kLooks.map((name) => [name, figure[name]]));
  Object.assign(figure, kDark.matches && !onPaper ? figure.dark : figure.light);
}

// One figure of the page: its picture, a canvas above it for what is lit, and a place for the keyboard over each panel.
class FigureView {
  constructor(figure, main) {
    this.figure = figure;
    takeLook(figure);
    this.step = 0;  // 0: the whole picture
    this.seen = false;
    this.stale = true;
    this.element = document.createElement('figure');
    this.element.id = 'figure-' + figure.name;
    const [, , w, h] = figure.room;
    this.element.innerHTML = `<h2>${escapeText(figure.name)}</h2><div class="plate" style="width:${
        num(w * figure.cell)}px;aspect-ratio:${num(w)}/${num(h)};background:#${figure.page[0]}">${svgOf(figure)}<canvas></canvas></div>`;
    this.plate = this.element.querySelector('.plate');
    this.plate.setAttribute('role', 'group');  // its panels take the keyboard, which those of an image could not
    this.plate.setAttribute('aria-label', `${figure.title || figure.name}. ${figure.alternative}`);
    this.canvas = this.element.querySelector('canvas');
    this.addPanels();
    if (figure.steps.length > 0) this.addSteps();
    const caption = document.createElement('figcaption');
    caption.textContent = figure.expression;
    this.element.append(caption);
    main.append(this.element);
    this.plate.addEventListener('pointermove', (event) => this.point(event));
    this.plate.addEventListener('pointerleave', () => hoverAt(null));
    this.plate.addEventListener('click', (event) => this.click(event));
  }

  // Drawn again, after the scheme has changed.
  redraw(onPaper) {
    if (!this.figure.dark) return;
    takeLook(this.figure, onPaper);
    this.plate.querySelector('svg').outerHTML = svgOf(this.figure);
    this.plate.style.background = '#' + this.figure.page[0];
    if (this.step > 0) this.showStep();
    this.stale = true;
    this.paint();
  }

  // A panel takes the keyboard's focus where its grids stand.
  addPanels() {
    const [x, y, w, h] = this.figure.room, boxes = new Map();
    const widen = (p, m, mark, cols, rows, holds) => {
      const box = boxes.get(p) || {m, x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity, holds};
      box.x0 = Math.min(box.x0, mark[1]), box.y0 = Math.min(box.y0, mark[2]);
      box.x1 = Math.max(box.x1, mark[1] + mark[3] * cols), box.y1 = Math.max(box.y1, mark[2] + mark[4] * rows);
      boxes.set(p, box);
    };
    this.figure.eachGrid((p, m, mark, grid) => widen(p, m, mark, grid.cols, grid.rows, `${grid.rows} rows, ${grid.cols} columns`));
    const grids = new Set(boxes.keys());
    this.figure.eachBar((p, m, mark) => { if (!grids.has(p)) widen(p, m, mark, 1, 1, 'bars'); });
    boxes.forEach((box, p) => {
      const panel = document.createElement('div'), percent = (v, of) => num(100 * v / of) + '%';
      panel.className = 'panel';
      panel.tabIndex = 0;
      panel.setAttribute('role', 'application');
      panel.setAttribute('aria-roledescription', 'panel');
      panel.setAttribute('aria-label', `${this.figure.name}: ${this.figure.panels[p].name || 'grid'}, ${
          box.holds}. Arrows move, Enter explains, question mark for help`);
      panel.style.cssText = `left:${percent(box.x0 - x, w)};top:${percent(box.y0 - y, h)};width:${percent(box.x1 - box.x0, w)};height:${
          percent(box.y1 - box.y0, h)}`;
      panel.addEventListener('focus', () => {
        if (!panel.matches(':focus-visible')) return;  // a click puts its own cell
        if (!page.hover || page.hover.figure !== this.figure || page.hover.at.panel !== p)
          hoverAt({figure: this.figure, at: {panel: p, mark: box.m, cell: 0}});
      });
      panel.dataset.panel = p;
      this.plate.append(panel);
    });
  }

  addSteps() {
    const bar = document.createElement('div');
    bar.className = 'steps';
    bar.innerHTML = '<button type="button" aria-label="the step before">[</button><button type="button" aria-label="the next step">]</button>' +
        '<button type="button">all</button><output></output>';
    const [before, next, all] = bar.querySelectorAll('button');
    before.addEventListener('click', () => this.go(this.step - 1));
    next.addEventListener('click', () => this.go(this.step + 1));
    all.addEventListener('click', () => this.go(0));
    this.words = bar.querySelector('output');
    this.plate.before(bar);
    this.sayStep();
  }

  sayStep() {
    const steps = this.figure.steps;
    this.words.textContent = this.step === 0 ? `${steps.length} steps` : steps[this.step - 1].caption || `step ${this.step} of ${steps.length}`;
  }

  go(step) {
    const count = this.figure.steps.length;
    if (count === 0) return;
    this.step = (step + count + 1) % (count + 1);  // behind the last one comes the whole picture
    this.sayStep();
    say(this.words.textContent);
    this.showStep();
    this.paint();
  }

  showStep() {
    for (const part of this.plate.querySelectorAll('[data-mark]')) {
      const [p, m] = part.dataset.mark.split('-'), shown = this.figure.panels[p].shown[m], now = this.step - 1;
      part.style.display = this.step > 0 && shown && (now < shown[0] || now > shown[1]) ? 'none' : '';
      part.style.opacity = this.step > 0 && shown && now > shown[2] ? 0.35 : '';
    }
  }

  at(event) {
    const box = this.plate.getBoundingClientRect(), [x, y, w, h] = this.figure.room;
    return this.figure.pick(x + (event.clientX - box.left) / box.width * w, y + (event.clientY - box.top) / box.height * h);
  }

  point(event) {
    const at = this.at(event);
    hoverAt(at ? {figure: this.figure, at} : null);
  }

  click(event) {
    const at = this.at(event);
    pinAt(at ? {figure: this.figure, at} : null);
  }

  // What is lit now: {same, mates}; null where nothing is.
  lit() {
    const from = page.hover || page.pin;
    if (from && (from.figure === this.figure || from.figure.kin.includes(this.figure.index))) {
      const found = highlightsOf(from.figure, from.at, this.figure);
      if (found.same.length + found.mates.length > 0) return found;
    }
    if (this.step === 0) return null;
    const same = [];
    for (const [panel, mark, runs] of this.figure.steps[this.step - 1].lit) {
      for (let i = 0; i < runs.length; i += 2) for (let k = 0; k < runs[i + 1]; ++k) same.push({panel, mark, cell: runs[i] + k});
    }
    return same.length > 0 ? {same: [], mates: same} : null;
  }

  paint() {
    this.stale = !this.seen;
    if (!this.seen) return;
    const width = this.plate.clientWidth, height = this.plate.clientHeight, scale = window.devicePixelRatio || 1;
    const lit = this.lit(), context = this.canvas.getContext('2d');
    if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale))
      this.canvas.width = Math.round(width * scale), this.canvas.height = Math.round(height * scale);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (!lit) return;
    const [x, y, w] = this.figure.room, unit = width * scale / w;  // pixels of a cell
    context.setTransform(unit, 0, 0, unit, -x * unit, -y * unit);
    context.fillStyle = '#' + this.figure.page[0];
    context.globalAlpha = kVeil;
    const all = lit.mates.concat(lit.same).map((at) => this.figure.box(at)), alone = page.hover && page.hover.figure === this.figure;
    if (all.length > 1 + (alone ? 1 : 0))  // what is pointed at is seen without
      this.figure.eachGrid((p, m, mark, grid) => context.fillRect(mark[1], mark[2], mark[3] * grid.cols, mark[4] * grid.rows));
    context.globalAlpha = 1;
    for (const [left, top, wide, high] of all) context.clearRect(left, top, wide, high);
    context.strokeStyle = '#' + this.figure.page[1];
    const isStroke = (at) => 'la'.includes(this.figure.mark(at)[0]);
    const outline = (all, line) => {
      const list = all.filter((at) => !isStroke(at));
      context.lineWidth = Math.max(line, 1.5 / unit);
      for (const at of all.filter(isStroke)) {  // lines and arrows have no room of their own: they are drawn again
        const [, x0, y0, x1, y1] = this.figure.mark(at);
        context.beginPath(), context.moveTo(x0, y0), context.lineTo(x1, y1), context.stroke();
      }
      if (list.length === 0) return;
      const [, , wide, high] = this.figure.box(list[0]);
      context.lineWidth = Math.min(Math.max(line, 1.5 / unit), 0.3 * Math.min(wide, high));  // of small cells something is left to see
      context.beginPath();
      for (const at of list) context.rect(...this.figure.box(at));
      context.stroke();
    };
    outline(lit.mates, 0.045);
    outline(lit.same, 0.11);
  }
}

// ---- what is pointed at --------------------------------------------------------------------------------------------------

const samePlace = (a, b) => (!a && !b) || (a && b && a.figure === b.figure && a.at.panel === b.at.panel && a.at.mark === b.at.mark &&
    a.at.cell === b.at.cell);

let painting = false;
function paintSoon() {
  if (painting) return;
  painting = true;
  requestAnimationFrame(() => {
    painting = false;
    for (const view of page.views) view.paint();
  });
}

function say(words) {
  if (words === page.said) return;
  page.said = words;
  document.getElementById('said').textContent = words;
}

function hoverAt(place) {
  if (samePlace(place, page.hover)) return;
  page.hover = place;
  const shown = place || page.pin;
  say(shown ? shown.figure.words(shown.at) : '');
  paintSoon();
}

function pinAt(place) {
  page.pin = samePlace(place, page.pin) ? null : place;
  page.hover = page.pin || page.hover;
  showExplanation();
  reveal(page.pin);
  if (page.pin) say('pinned: ' + page.pin.figure.words(page.pin.at));
  paintSoon();
}

// Scrolls as far as it takes to see the cell above the dock.
function reveal(place) {
  if (!place) return;
  const view = page.views[place.figure.index], plate = view.plate.getBoundingClientRect(), box = place.figure.box(place.at);
  const [, y, , h] = place.figure.room, kRoom = 24;  // pixels
  const top = plate.top + (box[1] - y) / h * plate.height, bottom = top + box[3] / h * plate.height;
  const last = window.innerHeight - document.getElementById('dock').offsetHeight - kRoom;
  if (bottom > last) window.scrollBy(0, bottom - last);
  else if (top < kRoom) window.scrollBy(0, top - kRoom);
}

function showExplanation() {
  const area = document.getElementById('explanation'), pin = page.pin, cell = pin && explainAt(pin.figure, pin.at);
  area.hidden = !pin;
  if (!pin) return;
  const words = pin.figure.words(pin.at), named = words.startsWith(pin.figure.name + ' ') ? words : `${pin.figure.name}: ${words}`;
  let out = `<h2>${escapeText(named)}</h2>`;
  if (cell) {
    out += `<p>${escapeText(cell.of)} at ${escapeText(cell.coordinate)}</p><table><thead><tr><th>step<th>from<th>to<th>because</thead><tbody>`;
    for (const step of cell.steps) {
      out += `<tr><th scope="row">${escapeText(step.name)}<td>${escapeText(step.from)}<td>${escapeText(step.to)}<td>${escapeText(step.rule)}` +
          (step.bits ? `<pre>${escapeText(step.bits.join('\n'))}</pre>` : '');
    }
    out += '</tbody></table>' + cell.notes.map((note) => `<p>${escapeText(note)}</p>`).join('');
  }
  area.innerHTML = out;
}

// ---- the keyboard --------------------------------------------------------------------------------------------------------

function viewOf(element) {
  const focused = element.closest && element.closest('figure');
  const figure = page.hover ? page.hover.figure : page.pin && page.pin.figure;
  return page.views.find((view) => view.element === focused) || page.views.find((view) => view.figure === figure) ||
      page.views.find((view) => view.figure.steps.length > 0);
}

function move(view, right, down) {
  const at = page.hover && page.hover.figure === view.figure ? page.hover.at : null;
  const next = at && view.figure.beside(at, right, down);
  if (!next) return;
  hoverAt({figure: view.figure, at: next});
  const panel = view.plate.querySelector(`.panel[data-panel="${next.panel}"]`);
  if (panel && panel !== document.activeElement) panel.focus({preventScroll: true});
  reveal(page.hover);
}

function toggleHelp(show) {
  const help = document.getElementById('help'), was = help.hidden;
  help.hidden = show === undefined ? !help.hidden : !show;
  if (was && !help.hidden) {
    page.before = document.activeElement;
    help.focus();
  } else if (!was && help.hidden && page.before) {
    page.before.focus();
  }
}

const kArrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches && event.target.matches('input, textarea')) return;  // somebody writes
  const view = viewOf(event.target), onPanel = event.target.classList && event.target.classList.contains('panel');
  if (event.key === '?') {
    toggleHelp();
  } else if (event.key === 'Escape') {
    toggleHelp(false);
    page.hover = null;
    page.pin = null;
    showExplanation();
    for (const each of page.views) if (each.step > 0) each.go(0);
    say('');
    paintSoon();
  } else if ((event.key === '[' || event.key === ']') && view) {
    view.go(view.step + (event.key === ']' ? 1 : -1));
  } else if (onPanel && kArrows[event.key]) {
    move(view, ...kArrows[event.key]);
  } else if (onPanel && (event.key === 'Enter' || event.key === ' ')) {
    if (page.hover) pinAt(page.hover);
  } else {
    return;
  }
  event.preventDefault();
}

// ---- the start -----------------------------------------------------------------------------------------------------------

function start() {
  const main = document.querySelector('main');
  page.figures = JSON.parse(document.getElementById('figures').textContent).map((data, index) => new Figure(data, index));
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const view = page.views.find((each) => each.plate === entry.target);
      view.seen = entry.isIntersecting;
      if (view.seen && view.stale) view.paint();
    }
  }, {rootMargin: '200px'});
  for (const figure of page.figures) {
    const view = new FigureView(figure, document.querySelector(`[data-figure="${figure.index}"]`) || main);
    page.views.push(view);
    watch.observe(view.plate);
  }
  document.addEventListener('keydown', pressed);
  const soon = window.requestIdleCallback || window.setTimeout;  // so that the first cell lights up as fast as the next ones
  for (const figure of page.figures) soon(() => linksOf(figure));
  window.addEventListener('resize', paintSoon);
  const redraw = (onPaper) => { for (const view of page.views) view.redraw(onPaper); };
  kDark.addEventListener('change', () => redraw(false));
  window.addEventListener('beforeprint', () => redraw(true));
  window.addEventListener('afterprint', () => redraw(false));
}

start();
