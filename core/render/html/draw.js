// SPDX-License-Identifier: BSD-3-Clause
// A figure as SVG: the marks of its panels in their order, labels of cells last. Lengths are in cells.
'use strict';

const kSans = "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";
const kMono = "'JetBrains Mono', Menlo, 'DejaVu Sans Mono', monospace";
const kLinePitch = 1.16, kSecondLine = 0.94;           // of a label's two lines, in type sizes
const kSharedCorner = 0.12, kCornerInset = 0.04, kSampleCorner = 0.5;
const kMostRuns = 20000;                               // of one colour beside each other; beyond it a grid is an image

function escapeText(text) {
  return String(text).replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]);
}

function num(v) { return String(Math.round(v * 1000) / 1000); }

// Rectangles of one colour: runs of a row, and rows that are the same as the one above.
function fillRuns(grid) {
  const runs = [], at = (r, c) => grid.fill[r * grid.cols + c];
  for (let r = 0; r < grid.rows;) {
    let below = r + 1;
    const same = (row) => {
      for (let c = 0; c < grid.cols; ++c) if (at(row, c) !== at(r, c)) return false;
      return true;
    };
    while (below < grid.rows && same(below)) ++below;
    for (let c = 0; c < grid.cols;) {
      let right = c + 1;
      while (right < grid.cols && at(r, right) === at(r, c)) ++right;
      if (at(r, c) >= 0) runs.push([r, c, below - r, right - c, at(r, c)]);
      c = right;
    }
    r = below;
  }
  return runs;
}

// A pixel a cell.
function imageOf(figure, grid) {
  const canvas = document.createElement('canvas');
  canvas.width = grid.cols, canvas.height = grid.rows;
  const context = canvas.getContext('2d'), pixels = context.createImageData(grid.cols, grid.rows);
  for (let i = 0; i < grid.size; ++i) {
    if (grid.fill[i] < 0) continue;
    const color = parseInt(figure.palette[grid.fill[i]], 16);
    pixels.data.set([color >> 16, (color >> 8) & 255, color & 255, 255], 4 * i);
  }
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}

function gridFills(figure, mark, grid) {
  if (!grid.fill) return '';
  const [, x, y, w, h] = mark, runs = fillRuns(grid);
  if (runs.length > kMostRuns) {
    return `<image x="${num(x)}" y="${num(y)}" width="${num(w * grid.cols)}" height="${num(h * grid.rows)}" ` +
        `preserveAspectRatio="none" style="image-rendering:pixelated" href="${imageOf(figure, grid)}"/>`;
  }
  const paths = {};
  for (const [r, c, rows, cols, fill] of runs) paths[fill] = (paths[fill] || '') + `M${c} ${r}h${cols}v${rows}H${c}z`;
  let out = `<g shape-rendering="crispEdges" transform="matrix(${num(w)} 0 0 ${num(h)} ${num(x)} ${num(y)})">`;
  for (const fill of Object.keys(paths)) out += `<path fill="#${figure.palette[fill]}" d="${paths[fill]}"/>`;
  let corners = '';
  for (let i = 0; grid.other && !grid.unmarked && i < grid.size; ++i) {
    if (grid.others[grid.other[i]].length === 0) continue;
    const cx = i % grid.cols + 1 - kCornerInset - kSharedCorner, cy = Math.floor(i / grid.cols) + kCornerInset;
    corners += `M${num(cx)} ${num(cy)}h${kSharedCorner}v${kSharedCorner}z`;
  }
  if (corners) out += `<path fill="#${figure.page[1]}" shape-rendering="auto" d="${corners}"/>`;
  return out + '</g>';
}

// The lines of a label in the middle of a cell; `type` is the panel's size of type.
function labelText(label, box, type, color) {
  if (!label) return '';
  const lines = label.split('\n').slice(0, 2), x = num(box[0] + box[2] / 2);
  return lines.map((line, k) => {
    const two = lines.length === 2, size = type * (k === 1 ? kSecondLine : 1);
    const y = box[1] + box[3] / 2 + (two ? type * kLinePitch * (k - 0.5) : 0);
    const more = (two && k === 0 ? ' font-weight="600"' : '') + (k === 1 ? ` font-size="${num(size)}"` : '');
    return `<text x="${x}" y="${num(y + 0.36 * size)}"${more} fill="#${color}">${escapeText(line)}</text>`;
  }).join('');
}

function textColor(figure, fill, faint) {
  const of = fill >= 0 ? fill : figure.palette.length;  // the last one is of the paper
  return faint ? figure.faints[of] : figure.texts[of];
}

const kDrawMark = {
  g: (figure, mark) => gridFills(figure, mark, figure.grid(mark)),
  c: (figure, mark, type) => {
    const [, x, y, w, h, fill, label, faint, subjects, sample] = mark;
    let out = `<rect x="${num(x)}" y="${num(y)}" width="${num(w)}" height="${num(h)}" fill="#${
        fill >= 0 ? figure.palette[fill] : figure.page[0]}"/>`;
    if (sample) {
      const size = kSampleCorner * h, inset = kCornerInset * h;
      out += `<path fill="#${figure.page[1]}" d="M${num(x + w - inset - size)} ${num(y + inset)}h${num(size)}v${num(size)}z"/>`;
    }
    return out + labelText(label, [x, y, w, h], type, textColor(figure, fill, faint));
  },
  o: (figure, mark) => {
    const [, x, y, w, h, role, stepX, stepY] = mark;
    let path = `M${num(x)} ${num(y)}h${num(w)}v${num(h)}h${num(-w)}z`;
    if (stepX) {
      const edge = figure.edge;
      path = '';
      for (let i = edge; i <= Math.round(w / stepX) - edge; ++i) path += `M${num(x + stepX * i)} ${num(y)}v${num(h)}`;
      for (let i = edge; i <= Math.round(h / stepY) - edge; ++i) path += `M${num(x)} ${num(y + stepY * i)}h${num(w)}`;
    }
    return stroke(figure, path, role, -1);
  },
  l: (figure, mark) => stroke(figure, `M${num(mark[1])} ${num(mark[2])}L${num(mark[3])} ${num(mark[4])}`, mark[5], mark[6]),
  a: (figure, mark) => {
    const [, x0, y0, x1, y1, role, color] = mark, angle = Math.atan2(y1 - y0, x1 - x0), head = 0.22;
    let path = `M${num(x0)} ${num(y0)}L${num(x1)} ${num(y1)}`;
    for (const turn of [0.45, -0.45])
      path += `M${num(x1 - head * Math.cos(angle + turn))} ${num(y1 - head * Math.sin(angle + turn))}L${num(x1)} ${num(y1)}`;
    return stroke(figure, path, role, color);
  },
  t: (figure, mark) => {
    const [, x, y, text, look, anchor, size] = mark, of = figure.labels[look];
    return `<text x="${num(x)}" y="${num(y + 0.36 * size)}" font-size="${num(size)}" fill="#${of.color}" text-anchor="${anchor}"` +
        (of.bold ? ' font-weight="600"' : '') + (of.mono ? ` font-family="${kMono}"` : '') + ` xml:space="preserve">${escapeText(text)}</text>`;
  },
};

function stroke(figure, path, role, color) {
  const look = figure.strokes[role];
  return `<path d="${path}" fill="none" stroke="#${color >= 0 ? figure.palette[color] : look[1]}" stroke-width="${
      num(look[0])}" stroke-linecap="square"/>`;
}

function svgOf(figure) {
  const [x, y, w, h] = figure.room;
  let out = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${num(x)} ${num(y)} ${num(w)} ${num(h)}" font-family="${kSans}" ` +
      `aria-hidden="true"><rect x="${num(x)}" y="${num(y)}" width="${num(w)}" height="${num(h)}" fill="#${figure.page[0]}"/>`;
  figure.panels.forEach((panel, p) => {
    out += `<g text-anchor="middle" font-size="${num(panel.type)}">`;
    panel.marks.forEach((mark, m) => {
      const drawn = kDrawMark[mark[0]](figure, mark, panel.type);
      out += panel.shown ? `<g data-mark="${p}-${m}">${drawn}</g>` : drawn;
    });
    for (const mark of panel.marks) {
      if (mark[0] !== 'g') continue;
      const grid = figure.grid(mark);
      if (!grid.template && !grid.word) continue;
      for (let i = 0; i < grid.size; ++i) {
        const box = [mark[1] + mark[3] * (i % grid.cols), mark[2] + mark[4] * Math.floor(i / grid.cols), mark[3], mark[4]];
        out += labelText(grid.label(i), box, panel.type, textColor(figure, grid.fill ? grid.fill[i] : -1, grid.faint && grid.faint[i]));
      }
    }
    out += '</g>';
  });
  return out + '</svg>';
}
