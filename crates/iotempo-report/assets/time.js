// Pictures over time: bandwidth, periods, distances of phases.

// ---- Bandwidth ----------------------------------------------------------------------------------

function bandwidth(part) {
  const { start, signal } = part;
  const step = signal.step * signal.together;
  const { low } = signal;
  const layers = [{
    name: "phases",
    label: part.phases.length ? "phases" : null,
    draw(plot, group) {
      const inside = part.phases.map((ends) => ends.map((at) => at + start));
      const path = inside.filter((ends) => seen(plot.group, ends)).map((ends) => upright(plot, ...ends));
      element("path", { d: path.join("") }, group);
    },
  }, {
    name: "rate",
    label: "bandwidth",
    draw(plot, group) {
      element("path", { class: "high", d: steps(plot, start, step, signal.high, Math.max) }, group);
      if (signal.together > 1) element("path", { class: "low", d: steps(plot, start, step, low, Math.min) }, group);
    },
  }];
  if (part.wave) layers.push(waveLayer(part));
  if (part.next) layers.push(nextLayer(part));
  if (part.segments.length > 1) layers.push(segmentLayer(part));
  return {
    height: 300,
    y: { axis: scaledAxis("bandwidth", (from, to) => rateUnit(data, from, to)), ends: heights(start, step, signal.high) },
    layers,
    read(at) {
      const index = Math.floor((at - start) / step);
      if (index < 0 || index >= signal.high.length) return { lines: [moment(at)] };
      const high = signal.high[index];
      const value = low[index] === high ? rate(data, high) : `${rate(data, low[index])} to ${rate(data, high)}`;
      const number = part.phases.findIndex(([from, to]) => at >= from + start && at <= to + start);
      const lines = [moment(at), value];
      if (number >= 0) lines.push(`phase ${number + 1} of ${part.phases.length}`);
      return { lines, y: high };
    },
  };
}

// Short bursts hardly move the cosine: its height says nothing, where its crests lie does.
function waveLayer(part) {
  const [cosine, sine] = part.wave;
  const crest = Math.hypot(cosine, sine);
  const end = part.start + Math.max(part.length, part.next ? part.next[1] + part.next[3] : 0);
  return {
    name: "wave",
    label: `cosine of the ${part.guess ? "best guess" : "period"} (not to scale)`,
    draw(plot, group) {
      const { left, right, bottom, height } = plot.inner;
      let path = "";
      for (let x = left; x <= right; x += 2) {
        const at = plot.across.back(x);
        if (at < part.start || at > end) continue;
        const angle = (2 * Math.PI * (at - part.start)) / part.period;
        const value = (cosine * Math.cos(angle) + sine * Math.sin(angle)) / crest;
        path += `${path ? "L" : "M"}${pixel(x)} ${pixel(bottom - 0.15 * height * (1 + value))}`;
      }
      // More crests than pixels make a carpet, not a line.
      if ((plot.group.view[1] - plot.group.view[0]) / part.period < plot.inner.width / 6) {
        element("path", { d: path }, group);
      }
    },
  };
}

function nextLayer(part) {
  const [low, value, high, length] = part.next;
  return {
    name: "next",
    label: "next phase",
    draw(plot, group) {
      element("path", { class: "doubt", d: upright(plot, part.start + low, part.start + high) }, group);
      const ends = [part.start + value, part.start + value + length];
      element("path", { d: upright(plot, ...ends) }, group);
    },
  };
}

function segmentLayer(part) {
  return {
    name: "segments",
    label: "changes of behaviour",
    draw(plot, group) {
      part.segments.forEach(([from, to, period], index) => {
        const [left, right] = [from, to].map((at) => plot.x(at + part.start));
        if (index) element("path", { d: `M${pixel(left)} ${plot.inner.top}V${plot.inner.bottom}` }, group);
        const [first, last] = [Math.max(left, plot.inner.left), Math.min(right, plot.inner.right)];
        const text = period === null ? "no period" : `every ${duration(period)}`;
        if (last - first < 7 * text.length) return;
        const place = { x: pixel((first + last) / 2), y: plot.inner.top + 14, "text-anchor": "middle" };
        element("text", place, group, text);
      });
    },
  };
}

const resolution = Math.min(...data.parts.map((part) => part.signal.step));

// A point in time: seconds, as in the tables, and what that is in larger units.
function moment(at) {
  const origin = time ? time.axis.origin : 0;
  if (data.calendar) return `${dated(at)} (${duration(at - origin)} after the start)`;
  const seconds = `${trimmed(at - origin, decimalsOf(resolution) + 1)} s`;
  const after = origin ? " after the start" : "";
  return at - origin < 120 ? seconds + after : `${seconds}${after} (${duration(at - origin)})`;
}

// ---- Periods ------------------------------------------------------------------------------------

// Dark to bright, equally far apart for the eye, also without colours.
const SHADES = ["#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58",
  "#b5de2b", "#fde725"].map((text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)));

function shade(share) {
  const place = share * (SHADES.length - 1);
  const index = Math.min(Math.floor(place), SHADES.length - 2);
  return SHADES[index].map((from, at) => from + (SHADES[index + 1][at] - from) * (place - index));
}

function painted(cells, { columns, rows }) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: columns, height: rows });
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  cells.forEach((cell, index) => {
    // The longest period on top.
    const [row, column] = [Math.floor(index / columns), index % columns];
    image.data.set([...shade(cell / 255), 255], 4 * ((rows - 1 - row) * columns + column));
  });
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

function scalogram(part) {
  const { start, scalogram: map } = part;
  const cells = Uint8Array.from(atob(map.cells), (letter) => letter.charCodeAt(0));
  const image = painted(cells, map);
  // Rows stand for the middle of their stretch of periods.
  const ratio = (map.longest / map.shortest) ** (1 / (map.rows - 1));
  const ends = [map.shortest / Math.sqrt(ratio), map.longest * Math.sqrt(ratio)];
  const length = map.column * map.columns;
  return {
    height: 270,
    y: { axis: periodAxis, ends: () => ends },
    layers: [{
      name: "map",
      draw(plot, group) {
        const [left, right] = [plot.x(start), plot.x(start + length)];
        const place = { x: left, y: plot.inner.top, width: right - left, height: plot.inner.height };
        element("image", { href: image, preserveAspectRatio: "none", ...place }, group);
      },
    }, {
      name: "edge",
      label: "too close to the ends to tell",
      draw(plot, group) {
        // Where the bell of the wavelet of that period reaches beyond the signal.
        const inwards = [];
        for (let share = 0; share <= 1; share += 1 / 200) {
          const period = ends[0] * (ends[1] / ends[0]) ** share;
          inwards.push([Math.min(map.margin * period, length / 2), pixel(plot.y(period))]);
        }
        const side = (place) => inwards.map(([by, y]) => `L${pixel(plot.x(place(by)))} ${y}`).join("");
        const { top, bottom } = plot.inner;
        const [left, right] = [plot.x(start), plot.x(start + length)].map(pixel);
        const both = `M${left} ${bottom}${side((by) => start + by)}V${top}H${left}Z`
          + `M${right} ${bottom}${side((by) => start + length - by)}V${top}H${right}Z`;
        element("path", { d: both }, group);
      },
    }, periodLayer(part)].filter(Boolean),
    read(at, period) {
      const column = Math.floor((at - start) / map.column);
      if (column < 0 || column >= map.columns || period === null) return null;
      const place = Math.log(period / map.shortest) / Math.log(ratio);
      const row = Math.min(Math.max(Math.round(place), 0), map.rows - 1);
      const value = (cells[row * map.columns + column] / 255) ** 2 * map.highest;
      return { lines: [moment(at), `period ${duration(period)}`, `amplitude ${rate(data, value)}`], y: period };
    },
  };
}

function periodLayer(part) {
  return part.period && {
    name: "period",
    label: `${part.guess ? "best guess" : "period"} of ${duration(part.period)}`,
    draw(plot, group) {
      const y = pixel(plot.y(part.period));
      element("path", { d: `M${plot.inner.left} ${y}H${plot.inner.right}` }, group);
    },
  };
}

// ---- From phase to phase ------------------------------------------------------------------------

function spacing(part) {
  const starts = part.phases.map(([from]) => from);
  const gaps = starts.slice(1).map((at, index) => [at + part.start, at - starts[index]]);
  const all = [...gaps.map(([, gap]) => gap), part.period];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = Math.max((most - least) * 0.15, most * 0.02);
  return {
    height: 200,
    y: { axis: scaledAxis("since the previous", (_, to) => timeUnit(0, to)), ends: () => [Math.max(0, least - room), most + room] },
    layers: [periodLayer(part), {
      name: "gaps",
      label: "time since the previous phase began",
      draw(plot, group) {
        const inside = gaps.filter(([at]) => seen(plot.group, [at, at]));
        const line = inside.map(([at, gap], index) => `${index ? "L" : "M"}${pixel(plot.x(at))} ${pixel(plot.y(gap))}`);
        element("path", { d: line.join("") }, group);
        const size = inside.length > 200 ? 1.5 : 3;
        for (const [at, gap] of inside) {
          element("circle", { cx: pixel(plot.x(at)), cy: pixel(plot.y(gap)), r: size }, group);
        }
      },
    }],
    read(at) {
      const distances = gaps.map(([when]) => Math.abs(when - at));
      const nearest = distances.indexOf(Math.min(...distances));
      const [when, gap] = gaps[nearest];
      return { lines: [`phase ${nearest + 2}`, `begins at ${moment(when)}`, `${duration(gap)} after the previous`] };
    },
  };
}
