// What pictures are made of.

// The lowest or highest of some values.
const picked = (values, from, to, pick) => values.slice(from, to).reduce((a, b) => pick(a, b));

// Whether a stretch, or an instant, is in view.
const seen = (group, [from, to]) => to >= group.view[0] && from <= group.view[1];

// Equal stretches that are in view, some together where there are more of them than pixels.
function* stretches(plot, start, step, values) {
  const [from, to] = plot.group.view;
  const first = Math.max(0, Math.floor((from - start) / step));
  const last = Math.min(values.length, Math.ceil((to - start) / step));
  const together = Math.max(1, Math.floor((last - first) / plot.inner.width));
  for (let at = first - (first % together); at < last; at += together) {
    const end = Math.min(at + together, values.length);
    yield { at, end, left: pixel(plot.x(start + at * step)), right: pixel(plot.x(start + end * step)) };
  }
}

// From 0 to a little above the highest step in view; of all steps where none of those in view is above 0.
const heights = (start, step, values) => ([from, to]) => {
  const first = Math.max(0, Math.floor((from - start) / step));
  const inView = values.slice(first, Math.max(first + 1, Math.ceil((to - start) / step)));
  const highest = inView.reduce((a, b) => Math.max(a, b), 0);
  return [0, 1.06 * (highest || picked(values, 0, values.length, Math.max) || 1)];
};

// The area under steps.
function steps(plot, start, step, values, pick) {
  const base = pixel(plot.y(Math.max(0, plot.ends[0])));
  let path = "";
  for (const { at, end, left, right } of stretches(plot, start, step, values)) {
    path += path ? "" : `M${left} ${base}`;
    path += `V${pixel(plot.y(picked(values, at, end, pick)))}H${right}`;
  }
  return path && `${path}V${base}`;
}

// A line from lowest to highest value of every stretch.
function band(plot, step, low, high) {
  let path = "";
  for (const { at, end, left } of stretches(plot, -step / 2, step, high)) {
    const top = pixel(plot.y(picked(high, at, end, Math.max)));
    const bottom = pixel(plot.y(picked(low, at, end, Math.min)));
    path += `${path ? "L" : "M"}${left} ${top}`;
    if (bottom !== top) path += `V${bottom}`;
  }
  return path;
}

function upright(plot, from, to) {
  const [left, right] = [plot.x(from), plot.x(to)].map(pixel);
  return `M${left} ${plot.inner.top}H${Math.max(right, left + 1)}V${plot.inner.bottom}H${left}Z`;
}

// A line across the picture, with a label where none is in the way; else one row below that.
function flag(plot, group, x, label) {
  const at = pixel(plot.x(x));
  // Below the labels of all others.
  group.prepend(element("path", { d: `M${at} ${plot.inner.top}V${plot.inner.bottom}` }));
  if (!label) return;
  const left = at > plot.inner.right - 80;
  const text = element("text", { x: at + (left ? -6 : 6), "text-anchor": left ? "end" : "start" }, group, label);
  const width = text.getComputedTextLength();
  const from = left ? at - 6 - width : at + 6;
  const free = (row) => !plot.labels.some((other) => other.row === row && from < other.to && other.from < from + width);
  const row = [0, 1, 2, 3].find(free);
  if (row === undefined) return text.remove();
  text.setAttribute("y", plot.inner.top + 13 + 14 * row);
  plot.labels.push({ row, from: from - 8, to: from + width + 8 });
}
