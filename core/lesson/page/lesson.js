// SPDX-License-Identifier: BSD-3-Clause
// The page of a lesson: one screen at a time, gates, questions, sliders, and the worklog. All words of the lesson get in as text, never as HTML.
'use strict';

(() => {
  const lesson = JSON.parse(document.getElementById('lesson').textContent);
  const kGates = lesson.asks.filter((ask) => ask.gates).map((ask) => ask.id);
  const kKey = `tessera lesson ${lesson.number} ${lesson.title}`, kLogFile = `lesson_${lesson.number}_worklog.jsonl`;

  // What is kept: every answer, which questions are done, which seed each shows, and the screen. Without storage it lasts as long as the page.
  const kept = {log: [], done: {}, seed: {}, screen: 0, start: null};
  try {
    const before = JSON.parse(localStorage.getItem(kKey));
    const isKept = before && Array.isArray(before.log) && before.log.every((each) => each && typeof each === 'object') &&
        [before.done, before.seed].every((each) => each && typeof each === 'object') && Number.isInteger(before.screen);
    if (isKept) Object.assign(kept, before);
  } catch { /* no storage, or not ours */ }
  // Each reader begins with a draw of their own; `#seed=3` in the address, or the page's own seed, fixes it for a class.
  const inAddress = /^#seed=(\d{1,15})$/.exec(window.location.hash);
  const fixed = inAddress ? Number(inAddress[1]) : lesson.seed;
  const kMostSeeds = Math.max(1, ...lesson.asks.map((ask) => ask.seeds.length));
  if (fixed !== null && kept.start !== fixed) {
    kept.start = fixed;
    for (const id of Object.keys(kept.seed)) if (!kept.done[id]) delete kept.seed[id];
  } else if (!Number.isSafeInteger(kept.start) || kept.start < 0) {
    kept.start = Math.floor(Math.random() * kMostSeeds);
  }
  function firstOf(ask) {
    const at = ask.seeds.findIndex((each) => each.seed === kept.start);
    return at >= 0 ? at : kept.start % ask.seeds.length;
  }
  const seedOf = (ask) => ask.seeds[kept.seed[ask.id]] || ask.seeds[firstOf(ask)];

  function keep() {
    try { localStorage.setItem(kKey, JSON.stringify(kept)); } catch { /* no storage */ }
    showKept();
  }
  function write(entry) {
    kept.log.push({lesson: lesson.number, ...entry, at: new Date().toISOString()});  // as core/lesson/worklog.hpp reads it
    keep();
  }

  function make(tag, attributes = {}, ...inside) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, '');
      else if (value !== false && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...inside);
    return element;
  }
  // `code` between backticks; everything else is text.
  const worded = (text) => text.split('`').map((part, i) => i % 2 ? make('code', {}, part) : part);

  // ---- screens and gates ------------------------------------------------------------------------------------------------

  const screens = [...document.querySelectorAll('.screen')];
  const walk = document.getElementById('walk');

  function opened() {
    const closed = kGates.findIndex((id) => !kept.done[id]);
    return closed < 0 ? kGates.length : closed;
  }
  const closedOn = (screen) => screen.querySelector('.block[hidden]') ||
      [...screen.querySelectorAll('.ask')].some((each) => kGates.includes(each.dataset.ask) && !kept.done[each.dataset.ask]);

  function showGates() {
    const open = opened();
    for (const block of document.querySelectorAll('.block')) block.hidden = Number(block.dataset.needs) > open;
    let last = screens.findIndex(closedOn);
    if (last < 0) last = screens.length - 1;
    kept.screen = Math.max(0, Math.min(kept.screen, last));
    screens.forEach((screen, i) => { screen.hidden = i !== kept.screen; });
    walk.querySelector('output').textContent = `${kept.screen + 1} of ${screens.length}`;
    walk.querySelector('progress').value = kept.screen + 1;
    const [back, next] = walk.querySelectorAll('button');
    back.setAttribute('aria-disabled', String(kept.screen === 0));
    next.setAttribute('aria-disabled', String(kept.screen >= last));
    next.hidden = kept.screen === screens.length - 1;
    walk.querySelector('.why').textContent = kept.screen >= last && kept.screen < screens.length - 1 ? 'What follows comes after the answer.' : '';
  }

  function go(to) {
    if (to < 0 || to >= screens.length) return;
    if (to > kept.screen && closedOn(screens[kept.screen])) {
      const open = [...screens[kept.screen].querySelectorAll('.ask')].find((each) => !kept.done[each.dataset.ask]);
      const field = open && open.querySelector('input, textarea, .cells button, button');
      if (field) field.focus();
      return;
    }
    kept.screen = to;
    showGates();
    keep();
    window.scrollTo(0, 0);
    screens[to].focus({preventScroll: true});
  }

  walk.append(make('button', {type: 'button', onclick: () => go(kept.screen - 1)}, 'Back'),
              make('progress', {max: screens.length, 'aria-label': 'Screens read'}), make('output'),
              make('button', {type: 'button', class: 'main', onclick: () => go(kept.screen + 1)}, 'Next'), make('span', {class: 'why', role: 'status'}));

  function finish(id, how) {
    if (!kept.done[id]) kept.done[id] = how;
    showGates();
    keep();
  }

  // ---- ways to answer; each is {element, text(), set(text)} ---------------------------------------------------------------

  // The form alone: an example could be the answer.
  const kForms = {integer: 'a number', integers: 'numbers, one behind the other', coordinate: '(.., ..)', 'thread and value': 'T.. V..',
                  layout: 'shape:stride', cells: '(.., ..) (.., ..)', order: 'the first one first'};

  function written(kind, label, submit) {
    const field = make('input', {type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-label': label,
                                 placeholder: kForms[kind] || '',
                                 onkeydown: (event) => { if (event.key === 'Enter') submit(); }});
    return {element: field, field, text: () => field.value, set: (text) => { field.value = text; }};
  }

  function chosen(name, question) {
    const options = question.options || ['yes', 'no'];
    const value = (i) => question.options ? String.fromCharCode(97 + i) : options[i];
    const element = make('fieldset', {}, make('legend', {class: 'unseen'}, 'Options'));
    const radios = options.map((words, i) => {
      const radio = make('input', {type: 'radio', name, value: value(i)});
      element.append(make('label', {class: 'option'}, radio, make('span', {}, ...worded(words))));
      return radio;
    });
    return {element, text: () => (radios.find((each) => each.checked) || {value: ''}).value,
            set: (text) => { for (const each of radios) each.checked = each.value === text.trim(); }};
  }

  // Rows that are dragged by mouse, pen or finger, or moved by their buttons. A finger takes the grip: elsewhere it moves the page.
  function ordered(question) {
    const list = make('ol', {class: 'order'});
    const at = (row) => [...list.children].indexOf(row);
    let dragged = null;
    function move(row, by) {
      const to = at(row) + by;
      if (to < 0 || to >= list.children.length) return;
      list.insertBefore(row, by < 0 ? list.children[to] : list.children[to].nextSibling);
      row.querySelector(by < 0 ? '.up' : '.down').focus();
    }
    question.options.forEach((words, i) => {
      const letter = String.fromCharCode(97 + i);  // what is said of a row names it
      const row = make('li', {'data-letter': letter}, make('i', {class: 'grip', 'aria-hidden': 'true'}, '\u22ee\u22ee'),
                       make('b', {}, `${letter})`), make('span', {}, ...worded(words)));
      row.append(make('button', {type: 'button', class: 'up', 'aria-label': `${words}: up`, onclick: () => move(row, -1)}, '\u2191'),
                 make('button', {type: 'button', class: 'down', 'aria-label': `${words}: down`, onclick: () => move(row, 1)}, '\u2193'));
      list.append(row);
    });
    list.addEventListener('pointerdown', (event) => {
      const row = event.target.closest('li');
      if (!row || event.button !== 0 || event.target.closest('button') || (event.pointerType === 'touch' && !event.target.closest('.grip'))) return;
      dragged = row;
      row.classList.add('dragged');
      list.setPointerCapture(event.pointerId);  // of the list, which stays where it is
      event.preventDefault();
    });
    list.addEventListener('pointermove', (event) => {
      if (!dragged) return;
      for (const row of list.children) {  // past the middle of another one it goes there
        const box = row.getBoundingClientRect(), middle = box.top + box.height / 2, down = at(dragged) < at(row);
        if (row !== dragged && (down ? event.clientY > middle : event.clientY < middle)) {
          list.insertBefore(dragged, down ? row.nextSibling : row);
          if (!down) break;
        }
      }
    });
    const drop = () => { if (dragged) dragged.classList.remove('dragged'); dragged = null; };
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) list.addEventListener(end, drop);
    return {element: list, text: () => [...list.children].map((row) => row.dataset.letter).join(' '),
            set: (text) => { for (const c of text.match(/[a-z]/g) || []) { const row = list.querySelector(`[data-letter="${c}"]`); if (row) list.append(row); } }};
  }

  // A grid whose cells are painted, beside the field that says the same.
  function painted(question, label, submit) {
    const [rows, columns] = question.shape, way = written('cells', label, submit);
    const grid = make('div', {class: 'cells', role: 'group', 'aria-label': `${rows} rows, ${columns} columns. Arrows move, Space paints`, style: `--columns:${columns}`});
    const buttons = [];
    let paint = null;  // while the mouse is down: whether cells are painted or cleared
    const isOn = (button) => button.getAttribute('aria-pressed') === 'true';
    const turn = (button, on) => {
      button.setAttribute('aria-pressed', String(on));
      way.field.value = buttons.filter(isOn).map((each) => each.dataset.cell).join(' ');
    };
    const show = () => {
      const cells = lessonGrade.cells(question, way.field.value).map((cell) => `(${cell})`);
      for (const each of buttons) each.setAttribute('aria-pressed', String(cells.includes(each.dataset.cell)));
    };
    const kSteps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
    for (let r = 0; r < rows; ++r) {
      for (let c = 0; c < columns; ++c) {
        const button = make('button', {type: 'button', 'aria-pressed': 'false', 'aria-label': `row ${r}, column ${c}`, 'data-cell': `(${r},${c})`,
                                       tabindex: r + c === 0 ? '0' : '-1'}, `${r},${c}`);
        button.addEventListener('pointerdown', (event) => {
          if (event.button !== 0) return;
          paint = !isOn(button);
          if (event.pointerId !== undefined && button.hasPointerCapture(event.pointerId)) button.releasePointerCapture(event.pointerId);
          turn(button, paint);
        });
        button.addEventListener('pointerenter', () => { if (paint !== null) turn(button, paint); });
        button.addEventListener('click', (event) => { if (event.detail === 0) turn(button, !isOn(button)); });  // of the keyboard
        button.addEventListener('keydown', (event) => {
          const step = kSteps[event.key], to = step && [r + step[0], c + step[1]];
          if (!to || to[0] < 0 || to[0] >= rows || to[1] < 0 || to[1] >= columns) return;
          event.preventDefault();
          button.tabIndex = -1;
          const next = buttons[to[0] * columns + to[1]];
          next.tabIndex = 0;
          next.focus();
        });
        buttons.push(button);
        grid.append(button);
      }
    }
    window.addEventListener('pointerup', () => { paint = null; });
    window.addEventListener('pointercancel', () => { paint = null; });
    way.field.addEventListener('input', show);
    return {element: make('div', {}, make('div', {class: 'wide'}, grid), way.element), text: way.text, set: (text) => { way.set(text); show(); }};
  }

  const kMostPainted = 512;
  function wayOf(ask, question, label, submit) {
    if (ask.kind === 'binding' || ask.kind === 'plan') {
      const lines = (question.given || '').split('\n').length + (ask.kind === 'plan' ? 5 : 2);  // with those that are put in
      const area = make('textarea', {rows: lines, wrap: ask.kind === 'plan' ? 'off' : 'soft', spellcheck: 'false', 'aria-label': label});
      area.value = question.given || '';
      return {element: area, text: () => area.value, set: (text) => { area.value = text; }};
    }
    if (ask.kind === 'choice') return chosen(ask.id, question);
    if (ask.kind === 'order' && question.options) return ordered(question);
    const isGrid = ask.kind === 'cells' && Array.isArray(question.shape) && question.shape.length === 2 && question.shape.every(Number.isInteger);
    if (isGrid && question.shape[0] * question.shape[1] <= kMostPainted) return painted(question, label, submit);
    return written(ask.kind, label, submit);
  }

  // What takes the language, or the machine of plans.
  const kUngraded = {binding: 'lines of definitions', plan: 'a plan'};

  // ---- a question ---------------------------------------------------------------------------------------------------------

  function showAsk(place, ask) {
    const said = make('p', {class: 'said', role: 'status'});
    const prompt = make('p', {class: 'prompt'}), field = make('div', {class: 'field'});
    let question, way;
    const log = (entry) => write({question: ask.id, hash: ask.hash, seed: question.seed, ...entry});
    const tell = (words, how) => { said.className = 'said ' + how; said.replaceChildren(...worded(words)); };

    function submit() {
      const answer = way.text();
      if (!ask.graded) return compare(answer);
      const grade = lessonGrade(ask.kind, question, answer);
      log({answer, right: grade.right, ...(grade.wrong ? {wrong: grade.wrong} : {})});
      if (grade.right) {
        tell('Right.', 'right');
        finish(ask.id, 'right');
      } else {
        const words = `${grade.read ? 'Not yet' : 'This cannot be read'}: ${grade.difference}.`;
        tell(grade.hint ? `${words} ${grade.hint}` : words, 'not');
      }
    }
    // One right answer behind some words; lines stand as lines, below what differs from those that were given.
    function sayAnswer(words) {
      said.className = 'said shown';
      const lines = question.answer.includes('\n');
      said.replaceChildren(words, ...(question.told ? [...worded(`the one with ${question.told}:`)] : []),
                           lines ? make('span', {class: 'lines'}, question.answer) : make('code', {}, question.answer), lines ? '' : '.');
    }
    // What the page cannot evaluate: one right answer beside the person's own.
    function sayCompared() {
      sayAnswer('Kept in your worklog, and not graded here. Compare yours with a right one, of maybe several: ');
    }
    function compare(answer) {
      if (!answer.trim() || answer.trim() === (question.given || '').trim()) return tell('There is no answer yet.', 'not');
      log({answer, right: null});
      sayCompared();
      finish(ask.id, 'compared');
    }
    function giveUp() {
      log({answer: '', right: false, given_up: true});
      sayAnswer('It is ');
      finish(ask.id, 'given up');
    }
    function show() {
      question = seedOf(ask);
      prompt.replaceChildren(...worded(question.prompt));
      way = wayOf(ask, question, `Answer to: ${question.prompt}`, submit);
      field.replaceChildren(way.element);
      tell('', '');
      const last = kept.log.filter((each) => each.question === ask.id && each.seed === question.seed).pop();
      if (!last || !kept.done[ask.id]) return;
      if (typeof last.answer === 'string') way.set(last.answer);
      if (last.given_up) sayAnswer('It is ');
      else if (last.right === null) sayCompared();
      else if (last.right) tell('Right.', 'right');
    }
    const buttons = make('div', {class: 'buttons'}, make('button', {type: 'button', class: 'main answer', onclick: submit}, ask.graded ? 'Answer' : 'Compare'),
                         make('button', {type: 'button', class: 'give-up', onclick: giveUp}, 'Show me'));
    if (ask.seeds.length > 1)
      buttons.append(make('button', {type: 'button', class: 'again', onclick: () => { kept.seed[ask.id] = (ask.seeds.indexOf(question) + 1) % ask.seeds.length; keep(); show(); }}, 'Another one'));
    place.append(prompt, field, buttons, said);
    if (!ask.graded) {
      place.append(make('p', {class: 'note'}, `This page cannot grade ${kUngraded[ask.kind] || 'an answer of which many are right'}: that takes Tessera itself. ` +
                            'Write yours and press Compare. It is kept in your worklog, and you see a right one. Then download the worklog below and hand it in, or run ',
                        make('code', {}, `tessera lesson regrade ${lesson.file} ${kLogFile}`), ', which says whether yours is right.'));
    }
    show();
  }

  // ---- a slider -----------------------------------------------------------------------------------------------------------

  function showVary(place, vary, number) {
    const slots = [...place.querySelectorAll('.slot')], output = make('output', {class: 'value'}), prompt = make('p', {class: 'prompt'});
    const slider = make('input', {type: 'range', min: 0, max: vary.values.length - 1, step: 1, 'aria-label': vary.name});
    function show() {
      const at = Number(slider.value);
      output.textContent = vary.values[at];
      slider.setAttribute('aria-valuetext', `${vary.name} = ${vary.values[at]}`);
      slots.forEach((slot, i) => { slot.hidden = i !== at; });
      if (vary.prompts.length > 0) prompt.replaceChildren(...worded(vary.prompts[at]));
    }
    slider.value = vary.first;
    slider.addEventListener('input', show);
    const parts = [prompt, make('label', {class: 'slider'}, make('code', {}, `${vary.name} =`), output, slider)];
    if (vary.holds.length > 0) {
      const boxes = vary.values.map((value) => make('input', {type: 'checkbox', value}));
      const said = make('p', {class: 'said', role: 'status'});
      const textOf = (which) => vary.values.filter((_, i) => which[i]).join(', ') || 'none';
      const check = (shown) => {
        const given = boxes.map((each) => each.checked), holding = textOf(vary.holds);
        const first = given.findIndex((each, i) => each !== vary.holds[i]), right = first < 0;
        write({vary: number, hash: vary.hash, seed: 0, ...(shown ? {answer: '', right: false, given_up: true} : {answer: textOf(given), right})});
        said.className = 'said ' + (shown ? 'shown' : right ? 'right' : 'not');
        said.textContent = shown ? `It holds for ${holding}.` : right ? `Right: it holds for ${holding}.` :
            `Not yet: look at ${vary.name} = ${vary.values[first]}.`;
      };
      parts.push(make('fieldset', {class: 'holds'}, make('legend', {}, `For which ${vary.name} does it hold?`),
                      ...boxes.map((box) => make('label', {class: 'option'}, box, make('span', {}, box.value)))),
                 make('div', {class: 'buttons'}, make('button', {type: 'button', class: 'main answer', onclick: () => check(false)}, 'Answer'),
                      make('button', {type: 'button', class: 'give-up', onclick: () => check(true)}, 'Show me')), said);
      const last = kept.log.filter((each) => each.vary === number && each.hash === vary.hash).pop();
      if (last && typeof last.answer === 'string') boxes.forEach((box, i) => { box.checked = last.answer.split(/, (?![^(]*\))/).includes(vary.values[i]); });
    }
    place.prepend(...parts);
    show();
  }

  // ---- the worklog --------------------------------------------------------------------------------------------------------

  const foot = document.getElementById('kept'), count = make('span');
  function download() {
    const lines = kept.log.map((each) => JSON.stringify(each) + '\n').join('');
    const link = make('a', {href: URL.createObjectURL(new Blob([lines], {type: 'application/jsonl'})), download: kLogFile});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  function begin() {
    if (!window.confirm('Begin again? Your answers are removed from this browser.')) return;
    try { localStorage.removeItem(kKey); } catch { /* no storage */ }
    window.location.reload();
  }
  function showKept() {
    count.textContent = kept.log.length === 1 ? '1 answer is kept in this browser.' : `${kept.log.length} answers are kept in this browser.`;
  }
  foot.append(count, ' ', make('button', {type: 'button', id: 'download', onclick: download}, 'Download the worklog'), ' ',
              make('button', {type: 'button', onclick: begin}, 'Begin again'));

  for (const place of document.querySelectorAll('.ask')) showAsk(place, lesson.asks.find((ask) => ask.id === place.dataset.ask));
  document.querySelectorAll('.vary').forEach((place, i) => showVary(place, lesson.varies[i], i + 1));
  keep();  // with the draw that was begun with
  showGates();
  document.getElementById('unread').remove();
})();
