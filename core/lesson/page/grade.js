// SPDX-License-Identifier: BSD-3-Clause
// An answer read and graded in the page, as core/lesson/answers.cpp and kinds.cpp do it: a test gives both the same answers.
//
//   lessonGrade(kind, question, text) = {right, read, difference, hint, wrong}
//
// `question` is one seed of a question's data (question_data.cpp). An answer is numbers with any separators, letters of options, T4 V3, 7%, a
// layout shape:stride, or an expression of numbers with + - * / %. What the engine reads besides, functions of the language, is refused.
'use strict';

const lessonGrade = (() => {
  class Unread extends Error {}
  const unread = (words) => { throw new Unread(words); };
  const whole = (number) => Number.isSafeInteger(number) ? number : unread('this number is too large for the page');

  const kLabels = {
    'thread and value': new Map(Object.entries({t: 0, thr: 0, thread: 0, lane: 0, v: 1, val: 1, value: 1})),
    thread: new Map(Object.entries({t: 0, thr: 0, thread: 0, lane: 0})),
    coordinate: new Map(Object.entries({row: 0, r: 0, column: 1, col: 1, c: 1})),
  };
  const kFillers = new Set(['and', 'of', 'in', 'its', 'holds', 'it', 'is']);
  const kPlaces = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
  const placeWord = (i) => kPlaces[i] || `${i + 1}th`;

  // The numbers of a text of nothing but numbers and separators; null for any other. A label gives the number behind it a place.
  function plainNumbers(text, labels) {
    const found = [];
    let place = null;
    for (let rest = text.replace(/\.$/, ''); rest;) {  // the stop of a sentence
      let token;
      if ((token = /^[\s,;()[\]{}<>=]+/.exec(rest) || (labels && /^:/.exec(rest)))) {
        // between numbers
      } else if ((token = /^[A-Za-z][A-Za-z_]*/.exec(rest))) {
        const word = token[0].toLowerCase();
        if (labels && labels.has(word)) place = labels.get(word);
        else if (!labels || !kFillers.has(word)) return null;
      } else if ((token = /^_?(-?\d+)/.exec(rest))) {
        const next = rest[token[0].length] || ' ';
        if (!/[\s,;()[\]{}<>=]/.test(next) && !(labels && /[A-Za-z_]/.test(next))) return null;
        found.push([place, whole(Number(token[1]))]);
        place = null;
      } else {
        return null;
      }
      rest = rest.slice(token[0].length);
    }
    if (found.length === 0) return null;
    if (found.every((each) => each[0] !== null)) found.sort((a, b) => a[0] - b[0]);
    return found.map((each) => each[1]);
  }

  // "T4", "lane 4" and "7%" are one number. A sign of percent with a number behind it is the remainder.
  function oneNumber(text) {
    const numbers = plainNumbers(text.replace(/\.$/, '').trim().replace(/%$/, '').trim(), kLabels.thread);
    return numbers && numbers.length === 1 ? numbers[0] : null;
  }

  // Numbers, tuples, + - * / % and brackets. A tuple is a list. parse() gives one expression, or {shape, stride}.
  class Expression {
    constructor(text) { this.tokens = text.match(/_?\d+|\S/g) || [], this.at = 0, this.depth = 0; }
    peek() { return this.tokens[this.at]; }
    take(sign) { return this.peek() === sign && ++this.at > 0; }

    parse() {
      const first = this.sum();
      const stride = this.take(':') ? this.sum() : null;
      while (this.take(';')) {}
      if (this.at < this.tokens.length) unread(`"${this.peek()}" is not understood here`);
      return stride === null ? first : {shape: first, stride};
    }
    sum() {
      let left = this.product();
      for (let sign; (sign = this.peek()) === '+' || sign === '-';) {
        ++this.at;
        const right = this.product();
        left = this.compute(left, right, (a, b) => sign === '+' ? a + b : a - b);
      }
      return left;
    }
    product() {
      let left = this.unary();
      for (let sign; (sign = this.peek()) === '*' || sign === '/' || sign === '%';) {
        ++this.at;
        const right = this.unary();
        left = this.compute(left, right, (a, b) => {
          if (sign === '*') return a * b;
          if (b === 0 || ((a < 0 || b < 0) && sign === '%')) unread('this cannot be divided');
          return sign === '/' ? Math.trunc(a / b) : a % b;
        });
      }
      return left;
    }
    compute(a, b, how) { return Array.isArray(a) || Array.isArray(b) ? unread('tuples are not computed with here') : whole(how(a, b)); }
    unary() {
      if (this.take('-')) return this.compute(0, this.unary(), (a, b) => a - b);
      if (this.take('+')) return this.unary();
      return this.one();
    }
    one() {
      if (++this.depth > 64) unread('these brackets are too deep');
      if (!this.take('(')) {
        const token = this.peek();
        if (token === undefined || !/^_?\d+$/.test(token)) unread(token === undefined ? 'something is missing at the end' : `"${token}" is not understood`);
        ++this.at;
        --this.depth;
        return whole(Number(token.replace('_', '')));
      }
      const list = [this.sum()];
      let comma = false;
      while (this.take(',')) {
        comma = true;
        if (this.peek() !== ')') list.push(this.sum());
      }
      if (!this.take(')')) unread("a ')' is missing");
      --this.depth;
      return list.length > 1 || comma ? list : list[0];
    }
  }

  const isTuple = Array.isArray;
  const leaves = (of) => isTuple(of) ? of.flatMap(leaves) : [of];
  const sizeOf = (shape) => isTuple(shape) ? shape.reduce((all, each) => all * sizeOf(each), 1) : shape;
  const congruent = (a, b) => isTuple(a) ? isTuple(b) && a.length === b.length && a.every((each, i) => congruent(each, b[i])) : !isTuple(b);
  const tupleText = (of) => isTuple(of) ? `(${of.map(tupleText).join(',')})` : String(of);
  // Numbers in the places of a shape: [1,2,3] of (4,(2,4)) is (1,(2,3)).
  function inProfile(numbers, shape, next = {i: 0}) {
    return isTuple(shape) ? shape.map((each) => inProfile(numbers, each, next)) : numbers[next.i++];
  }

  // What a layout gives at number n of a mode: colexicographic, as CuTe counts.
  function at(shape, stride, n) {
    if (!isTuple(shape)) return n * stride;
    let sum = 0;
    for (let i = 0; i < shape.length; ++i) {
      const size = sizeOf(shape[i]), last = i === shape.length - 1;
      sum += at(shape[i], stride[i], last ? n : n % size);
      n = Math.floor(n / size);
    }
    return sum;
  }

  const kLargestImage = 1 << 16;
  const placeOf = (n, sizes) => sizes.map((size) => { const c = n % size; n = Math.floor(n / size); return c; });

  // {sizes, image} of shape:stride, as question_data.cpp bakes them.
  function imageOf({shape, stride}) {
    if (!congruent(shape, stride)) unread('shape and stride are nested differently');
    if (leaves(shape).some((each) => each < 1)) unread('an extent is at least 1');
    const shapes = isTuple(shape) ? shape : [shape], strides = isTuple(shape) ? stride : [stride], sizes = shapes.map(sizeOf);
    const total = sizes.reduce((all, each) => all * each, 1), image = [];
    if (total > kLargestImage) unread('this layout is too large for the page');
    for (let n = 0; n < total; ++n)
      image.push(whole(placeOf(n, sizes).reduce((sum, c, i) => sum + at(shapes[i], strides[i], c), 0)));
    return {sizes, image};
  }

  function layoutDifference(question, given, wanted) {
    const modes = question.modes || [];
    if (given.sizes.length !== wanted.sizes.length) {
      return `it has ${given.sizes.length} ${given.sizes.length === 1 ? 'mode' : 'modes'}; ${wanted.sizes.length} are wanted${
          modes.length ? `: (${modes.join(', ')})` : ''}`;
    }
    const mode = given.sizes.findIndex((size, i) => size !== wanted.sizes[i]);
    if (mode >= 0) return `its ${modes[mode] || placeWord(mode)} mode has ${given.sizes[mode]} elements; ${wanted.sizes[mode]} are wanted`;
    const n = given.image.findIndex((value, i) => value !== wanted.image[i]);
    if (n < 0) return '';
    const place = placeOf(n, given.sizes);
    const where = place.length === modes.length ? place.map((c, i) => `${modes[i]} ${c}`).join(', ') : tupleText(place.length === 1 ? place[0] : place);
    return `at ${where} it gives ${given.image[n]}; ${wanted.image[n]} is wanted`;
  }

  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const letter = (number) => String.fromCharCode(96 + number);
  const inOrder = (a, b) => { const i = a.findIndex((each, k) => each !== b[k]); return i < 0 ? 0 : a[i] - b[i]; };

  function coordinateOf(numbers, shape) {
    const extents = leaves(shape);
    if (numbers.length !== extents.length)
      unread(`a coordinate of ${tupleText(shape)} has ${extents.length} ${extents.length === 1 ? 'number' : 'numbers'}, and this one ${numbers.length}`);
    if (numbers.some((each, i) => each < 0 || each >= extents[i])) unread(`${tupleText(inProfile(numbers, shape))} lies outside of ${tupleText(shape)}`);
    return numbers;
  }

  function numbersIn(text, labels) {
    const plain = plainNumbers(text, labels);
    if (plain) return plain;
    const made = new Expression(text).parse();
    return typeof made === 'object' && !isTuple(made) ? unread('numbers are wanted, and this is a layout') : leaves(made);
  }

  // One kind each: how an answer is read, and where it parts from what is wanted ('' where it does not).
  const kKinds = {
    integer: {
      read: (text) => {
        const plain = oneNumber(text);
        const made = plain !== null ? plain : new Expression(text).parse();
        return typeof made === 'number' ? [made] : unread('one number is wanted');
      },
      difference: (q, a, b) => same(a, b) ? '' : `${a[0]} is not it`,
    },
    integers: {read: (text) => numbersIn(text), difference: (q, a, b) => rowDifference(a, b, (i) => `the ${placeWord(i)} number is not ${a[i]}`)},
    coordinate: {
      read: (text, q) => coordinateOf(numbersIn(text, isTuple(q.shape) && q.shape.length === 2 ? kLabels.coordinate : null), q.shape),
      difference: (q, a, b) => same(a, b) ? '' : `${tupleText(inProfile(a, q.shape))} is not it`,
    },
    'thread and value': {
      read: (text) => {
        const made = numbersIn(text, kLabels['thread and value']);
        return made.length === 2 ? made : unread('a thread and a value is wanted; for example T4 V3');
      },
      difference: (q, a, b) => same(a, b) ? '' :
          `T${a[0]} V${a[1]} is not it${a[0] === b[0] ? ': the thread is right' : a[1] === b[1] ? ': the value is right' : ''}`,
    },
    layout: {
      read: (text) => {
        const made = new Expression(text).parse();
        return typeof made === 'object' && !isTuple(made) ? imageOf(made) : unread('a layout, shape:stride, is wanted; for example (4,8):(8,1)');
      },
      difference: layoutDifference,
    },
    cells: {
      read: (text, q) => {
        const numbers = numbersIn(text), rank = leaves(q.shape).length, cells = [];
        if (numbers.length % rank !== 0) unread(`cells of ${tupleText(q.shape)} have ${rank} numbers each, and these are ${numbers.length} numbers`);
        for (let i = 0; i < numbers.length; i += rank) {
          const cell = coordinateOf(numbers.slice(i, i + rank), q.shape);
          if (!cells.some((each) => same(each, cell))) cells.push(cell);
        }
        return cells.sort(inOrder);
      },
      difference: (q, a, b) => {
        const extra = a.find((each) => !b.some((other) => same(each, other))), missing = b.find((each) => !a.some((other) => same(each, other)));
        const shown = (cell) => tupleText(inProfile(cell, q.shape));
        return extra ? `${shown(extra)} is none of them` : missing ? `${shown(missing)} is missing` : '';
      },
    },
    order: {
      read: (text, q) => {
        const letters = q.options ? [...text].filter((c) => /[A-Za-z]/.test(c)).map((c) => c.toLowerCase().charCodeAt(0) - 96) : [];
        const made = letters.length > 0 ? letters : plainNumbers(text);
        if (!made) unread(`an order is wanted, the first one first; for example ${q.options ? 'b a c' : '17 18 16'}`);
        if (q.options && !same([...made].sort((a, b) => a - b), q.options.map((_, i) => i + 1)))
          unread(`an order has each of a to ${letter(q.options.length)} once`);
        return made;
      },
      difference: (q, a, b) => rowDifference(a, b, (i) => `${q.options ? letter(a[i]) : a[i]} is not in the ${placeWord(i)} place`),
    },
    choice: {
      read: (text, q) => {
        const small = text.replace(/[).]+$/, '').replace(/^\(/, '').trim().toLowerCase();
        if (!q.options) {
          if (['yes', 'y', 'true'].includes(small)) return [1];
          return ['no', 'n', 'false'].includes(small) ? [2] : unread('yes or no is wanted; for example yes');
        }
        let number = q.options.findIndex((each) => each.trim().toLowerCase() === small) + 1;
        if (number === 0 && /^[a-z]$/.test(small)) number = small.charCodeAt(0) - 96;
        if (number === 0 && /^-?\d+$/.test(small)) number = Number(small);
        else if (number === 0) unread('the letter of an option is wanted; for example a');
        return number >= 1 && number <= q.options.length ? [number] : unread(`there is no option ${number}: they are 1 to ${q.options.length}`);
      },
      difference: (q, a, b) => same(a, b) ? '' : 'that is not it',
    },
  };

  function rowDifference(a, b, words) {
    if (a.length !== b.length)
      return `${b.length} ${b.length === 1 ? 'number is' : 'numbers are'} wanted, and there ${a.length === 1 ? 'is' : 'are'} ${a.length}`;
    const i = a.findIndex((each, k) => each !== b[k]);
    return i < 0 ? '' : words(i);
  }

  const kLongestAnswer = 1 << 16;

  function grade(kind, question, text) {
    const {read, difference} = kKinds[kind];
    let given;
    try {
      text = text.trim();
      if (text.length > kLongestAnswer) unread(`an answer has at most ${kLongestAnswer} characters`);
      if (!text) unread('there is no answer');
      given = read(text, question);
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      return {right: false, read: false, difference: error.message, hint: '', wrong: 0};
    }
    const words = difference(question, given, question.want);
    const met = words ? question.wrong.find((each) => !difference(question, given, each.want)) : null;
    return {right: !words, read: true, difference: words, hint: met ? met.hint : '', wrong: met ? met.wrong : 0};
  }
  // For painted cells: which ones a text names; none where it cannot be read.
  grade.cells = (question, text) => { try { return kKinds.cells.read(text, question); } catch { return []; } };
  return grade;
})();

if (typeof module !== 'undefined') module.exports = lessonGrade;
