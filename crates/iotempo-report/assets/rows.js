// Runs, a row each, the first on top: small areas on one scale, with marks under their bursts.

// Room for a label to the left of the rows, and the width of a letter.
const [BESIDE, LETTER] = [32, 6.6];

// Numbers of jobs differ at their ends.
const shortened = (text, most) => (text.length > most ? `…${text.slice(text.length - most + 1)}` : text);

class Rows extends Plot {
  // Lines between rows, and jobs beside them, in place of round numbers.
  grid() {
    const { svg, inner, group, picture } = this;
    const count = picture.rows.length;
    this.columns = group.axis.ticks(...group.view, Math.max(2, Math.floor(inner.width / 80)));
    const most = Math.round((inner.left - BESIDE) / LETTER);
    this.rows = picture.rows.map(({ job }, index) => ({ at: count - index - 0.5, text: shortened(job, most) }));
    const lines = [
      ...this.columns.map(({ at }) => `M${pixel(this.x(at))} ${inner.top}V${inner.bottom}`),
      ...picture.rows.map((_, index) => `M${inner.left} ${pixel(this.y(index))}H${inner.right}`),
    ];
    element("path", { class: "grid", d: lines.join("") }, svg);
  }

  // Up and down lead to the next run.
  pressed(event) {
    const down = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!down || !this.inner || event.altKey || event.ctrlKey || event.metaKey) return super.pressed(event);
    const { top, bottom, height } = this.inner;
    const row = height / this.picture.rows.length;
    const next = this.at === null ? top + row / 2 : this.at + down * row;
    this.at = Math.min(Math.max(next, top + row / 2), bottom - row / 2);
    const [from, to] = this.group.view;
    this.group.point(this.group.cursor === null ? (from + to) / 2 : this.group.cursor);
    event.preventDefault();
  }
}

// The area of a row, from its base upwards; what is higher than a row is cut off.
function rowArea(plot, { base, height, highest }, step, values, pick) {
  let path = "";
  for (const { at, end, left, right } of stretches(plot, 0, step, values)) {
    const share = Math.min(1, Math.max(0, picked(values, at, end, pick) / highest));
    path += path ? "" : `M${left} ${pixel(base)}`;
    path += `V${pixel(base - share * height)}H${right}`;
  }
  return path && `${path}V${pixel(base)}Z`;
}

// A bar under a burst.
function underline(plot, base, [from, to]) {
  const [left, right] = [plot.x(from), plot.x(to)].map(pixel);
  return `M${left} ${pixel(base + 1)}H${Math.max(right, left + 2)}v3H${left}Z`;
}

// How much room jobs take to the left of a picture, at least that of numbers.
function roomFor(rows) {
  const longest = Math.max(0, ...rows.map(({ job }) => job.length));
  return (narrow) => Math.max(narrow ? 58 : 72, BESIDE + LETTER * Math.min(longest, narrow ? 7 : 18));
}

function stacked(rows, highest) {
  const count = rows.length;
  const tall = count > 24 ? 22 : 30;
  // Where an area stands: marks are below it, and air above.
  const placed = (plot) => rows.map((row, index) => {
    const base = plot.y(count - index - 1) - 5;
    return { row, place: { base, height: base - plot.y(count - index) - 2, highest: highest || 1 } };
  });
  const marks = (name, label, chosen) => ({
    name,
    label: rows.some(({ bursts }) => bursts.some(chosen)) ? label : null,
    draw(plot, group) {
      for (const { row, place } of placed(plot)) {
        const inside = row.bursts.filter(chosen).filter((ends) => seen(plot.group, ends));
        const path = inside.map((ends) => underline(plot, place.base, ends)).join("");
        if (path) element("path", { d: path }, group);
      }
    },
  });
  return {
    rows,
    height: 52 + count * tall,
    left: roomFor(rows),
    y: { axis: { log: false, title: () => "job", ticks: () => [] }, ends: () => [0, count] },
    layers: [{
      name: "moved",
      label: "moved by all",
      draw(plot, group) {
        for (const { row, place } of placed(plot)) {
          const step = row.signal.step * row.signal.together;
          const own = element("g", { class: row.why === null ? "used" : "left-out" }, group);
          const { high, low, together } = row.signal;
          element("path", { class: "high", d: rowArea(plot, place, step, high, Math.max) }, own);
          if (together > 1) element("path", { class: "low", d: rowArea(plot, place, step, low, Math.min) }, own);
        }
      },
    },
    marks("common", "common burst", ([, , number]) => number !== null),
    marks("other", "other burst", ([, , number]) => number === null),
    {
      name: "reasons",
      draw(plot, group) {
        for (const { row, place } of placed(plot)) {
          if (row.why === null) continue;
          const most = Math.floor(plot.inner.width / LETTER) - 4;
          // A reason that would cover the run is told by the table of runs alone.
          const text = `left out: ${row.why}`;
          const said = text.length > most ? "left out" : text;
          element("text", { x: plot.inner.left + 6, y: pixel(place.base - place.height / 2 + 4) }, group, said);
        }
      },
    }],
    read(at, y) {
      if (y === null) return { lines: [] };
      const row = rows[Math.min(Math.max(count - 1 - Math.floor(y), 0), count - 1)];
      const lines = [`job ${shortened(row.job, 32)}${row.date ? `, ${row.date}` : ""}`];
      return { lines: [...lines, ...readRow(row, at)] };
    },
  };
}

// What a run did at a time.
function readRow({ signal, length, bursts, why }, at) {
  const step = signal.step * signal.together;
  const index = Math.floor(at / step);
  if (at > length || index >= signal.high.length) return [`${moment(at)}: it had ended`];
  const [low, high] = [signal.low[index], signal.high[index]];
  const lines = [moment(at), low === high ? rate(data, high) : `${rate(data, low)} to ${rate(data, high)}`];
  const burst = bursts.find(([from, to]) => at >= from && at <= to);
  if (burst) lines.push(burst[2] === null ? "a burst that others do not have" : `common burst ${burst[2]}`);
  if (why !== null) lines.push("left out");
  return lines;
}
