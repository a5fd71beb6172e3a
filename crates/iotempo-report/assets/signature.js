// The pictures of a signature.

// What is drawn; numbers were shortened by a unit of their own.
const data = JSON.parse(document.getElementById("data").textContent);
for (const { signal } of [data.signature, ...data.rows].filter(Boolean)) {
  signal.high = signal.high.map((value) => value * signal.unit);
  signal.low = signal.low ? signal.low.map((value) => value * signal.unit) : signal.high;
}

// A point in time: seconds, as in the tables, and what that is in larger units.
function moment(at) {
  const seconds = `${trimmed(at, 1)} s`;
  return at < 120 ? seconds : `${seconds} (${duration(at)})`;
}

// ---- The signature -------------------------------------------------------------------------------

function course({ signal, bursts, runs }) {
  const step = signal.step * signal.together;
  return {
    height: 290,
    // So that both pictures over time stand below each other.
    left: roomFor(data.rows),
    y: {
      axis: scaledAxis("bandwidth", (from, to) => rateUnit(data, from, to)),
      // Room for the numbers of bursts.
      ends: (view) => heights(0, step, signal.high)(view).map((end) => 1.1 * end),
    },
    layers: [{
      name: "phases",
      label: bursts.length ? "bursts" : null,
      draw(plot, group) {
        const inside = bursts.filter((ends) => seen(plot.group, ends));
        element("path", { d: inside.map(([from, to]) => upright(plot, from, to)).join("") }, group);
      },
    }, {
      name: "rate",
      label: "bandwidth",
      draw(plot, group) {
        element("path", { class: "high", d: steps(plot, 0, step, signal.high, Math.max) }, group);
        if (signal.together > 1) element("path", { class: "low", d: steps(plot, 0, step, signal.low, Math.min) }, group);
      },
    }, {
      name: "numbers",
      draw(plot, group) {
        bursts.forEach((ends, index) => {
          if (seen(plot.group, ends)) numbered(plot, group, ends, String(index + 1));
        });
      },
    }],
    read(at) {
      const index = Math.floor(at / step);
      if (index < 0 || index >= signal.high.length) return { lines: [moment(at)] };
      const [low, high] = [signal.low[index], signal.high[index]];
      const lines = [moment(at), low === high ? rate(data, high) : `${rate(data, low)} to ${rate(data, high)}`];
      const number = bursts.findIndex(([from, to]) => at >= from && at <= to);
      if (number >= 0) lines.push(`burst ${number + 1} of ${bursts.length}, in ${bursts[number][2]} of ${runs} runs`);
      return { lines, y: high };
    },
  };
}

// The number of a burst above it, where no other is in the way.
function numbered(plot, group, [from, to], text) {
  const { left, right, top } = plot.inner;
  const [first, last] = [Math.max(plot.x(from), left), Math.min(plot.x(to), right)];
  const half = 4 + 3.3 * text.length;
  // Beside the edge of a narrow picture there is no room for half of it.
  const middle = Math.min((first + last) / 2, right - half);
  if (plot.labels.some((other) => middle - half < other.to && other.from < middle + half)) return;
  element("text", { x: pixel(middle), y: top + 13, "text-anchor": "middle" }, group, text);
  plot.labels.push({ from: middle - half, to: middle + half });
}

// ---- By hour of the day --------------------------------------------------------------------------

const hourAxis = {
  log: false,
  title: () => "hour in which it starts (UTC)",
  ticks(from, to, most) {
    // Hours are short words: there is room for twice as many.
    const apart = [1, 2, 3, 6, 12, 24].find((hours) => (to - from) / hours <= 2 * most) || 24;
    const places = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => hour % apart === 0);
    return places.filter((at) => at >= from && at <= to).map((at) => ({ at, text: `${at} h` }));
  },
};

const mostMet = Math.max(0, ...data.compared.flatMap(({ met }) => met.filter((value) => value !== null))) || 1;

function hours({ met, starts, best, worst }) {
  const name = (hour) => (hour === best ? "best" : hour === worst ? "worst" : "");
  return {
    height: 210,
    y: {
      axis: scaledAxis("meets", (from, to) => rateUnit(data, from, to)),
      ends: () => [0, 1.2 * mostMet],
    },
    layers: [{
      name: "hours",
      draw(plot, group) {
        met.forEach((value, hour) => {
          if (value === null) return;
          const [left, right] = [plot.x(hour + 0.08), plot.x(hour + 0.92)].map(pixel);
          const [top, bottom] = [plot.y(value), plot.y(0)].map(pixel);
          const bar = { x: left, y: top, width: Math.max(1, right - left), height: Math.max(0, bottom - top) };
          element("rect", { class: name(hour), ...bar }, group);
          if (!name(hour)) return;
          // Beside the axis there is no room for half of the word.
          const [anchor, x] = hour < 2 ? ["start", left] : hour > 21 ? ["end", right] : ["middle", (left + right) / 2];
          element("text", { x: pixel(x), y: pixel(top - 5), "text-anchor": anchor }, group, name(hour));
        });
      },
    }],
    read(at) {
      const hour = Math.min(Math.max(Math.floor(at), 0), 23);
      if (met[hour] === null) return { lines: [`${hour} h UTC`, "no start was tried"] };
      return { lines: [`${hour} h UTC`, `meets ${rate(data, met[hour])}`, `${starts[hour]} starts`] };
    },
  };
}

// ---- All pictures --------------------------------------------------------------------------------

const lengths = [data.signature, ...data.rows].filter(Boolean).map(({ length }) => length);
const time = new Group(scaledAxis("time since the job started", timeUnit), [0, Math.max(0, ...lengths) || 1]);

const PICTURES = {
  signature: (figure) => new Plot(figure, time, course(data.signature)),
  runs: (figure) => new Rows(figure, time, stacked(data.rows, data.highest)),
  hours: (figure) => new Plot(figure, new Group(hourAxis, [0, 24]), hours(data.compared[Number(figure.dataset.part)])),
};

for (const figure of document.querySelectorAll("figure[data-picture]")) {
  PICTURES[figure.dataset.picture](figure).draw();
}
