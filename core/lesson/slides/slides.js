// SPDX-License-Identifier: BSD-3-Clause
// Slides, one at a time: a key, a click beside a figure or a swipe turns to the next one, and what follows a question is seen no sooner.
'use strict';

(() => {
  const slides = [...document.querySelectorAll('.slide')];
  let at = 0;

  function show(to) {
    at = Math.max(0, Math.min(slides.length - 1, to));
    slides.forEach((slide, i) => { slide.hidden = i !== at; });
    document.title = document.title.replace(/^(\d+ \/ \d+  )?/, at > 0 ? `${at + 1} / ${slides.length}  ` : '');
    if (window.location.hash !== `#${at + 1}`) window.history.replaceState(null, '', `#${at + 1}`);
    window.dispatchEvent(new Event('resize'));  // what is lit is painted at the size that is seen now
  }
  const fromAddress = () => show((Number(window.location.hash.slice(1)) || 1) - 1);

  const kSteps = {ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, Enter: 1, n: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Backspace: -1, p: -1};
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !document.getElementById('help').hidden) return;
    if (event.target.classList && event.target.classList.contains('panel')) {
      if (event.key.startsWith('Arrow') || event.key === 'Enter' || event.key === ' ') return;  // they move in the figure
    }
    if (event.key === 'Home') show(0);
    else if (event.key === 'End') show(slides.length - 1);
    else if (event.key === 'f' && document.documentElement.requestFullscreen) document.documentElement.requestFullscreen();
    else if (kSteps[event.key]) show(at + kSteps[event.key]);
    else return;
    event.preventDefault();
  });
  // The left third of the window turns back.
  document.querySelector('main').addEventListener('click', (event) => {
    if (event.target.closest('.plate, #dock') || String(window.getSelection())) return;
    show(at + (event.clientX < window.innerWidth / 3 ? -1 : 1));
  });
  let began = null;
  document.addEventListener('touchstart', (event) => { began = event.touches.length === 1 ? event.touches[0].clientX : null; }, {passive: true});
  document.addEventListener('touchend', (event) => {
    const kLeast = 50, by = began === null ? 0 : event.changedTouches[0].clientX - began;  // pixels
    began = null;
    if (Math.abs(by) >= kLeast) show(at + (by < 0 ? 1 : -1));
  });
  window.addEventListener('hashchange', fromAddress);
  fromAddress();
})();
