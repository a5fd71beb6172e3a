// All pictures of the page.

function timeGroup() {
  const last = (part) => part.start + Math.max(part.length, part.next ? part.next[1] + part.next[3] : 0);
  const full = [Math.min(...data.parts.map((part) => part.start)), Math.max(...data.parts.map(last))];
  // Seconds since 1970 would fill the axis: then time counts from the start.
  const far = data.calendar || Math.abs(full[0]) > 1e3 * (full[1] - full[0]);
  const origin = far ? full[0] : 0;
  const start = data.calendar ? dated(origin) : "the start";
  const axis = scaledAxis(far ? `time after ${start}` : "time", timeUnit);
  const { ticks } = axis;
  axis.origin = origin;
  axis.ticks = (from, to, most) =>
    ticks(from - origin, to - origin, most).map(({ at, text }) => ({ at: at + origin, text }));
  return new Group(axis, full);
}

const time = data.parts.length ? timeGroup() : null;

const PICTURES = {
  bandwidth: (part) => [time, bandwidth(part)],
  scalogram: (part) => [time, scalogram(part)],
  spacing: (part) => [time, spacing(part)],
  spectrum(part) {
    const { frequency } = part.spectrum;
    return [new Group(frequencyAxis, [frequency[0], frequency[frequency.length - 1]]), spectrum(part)];
  },
  autocorrelation(part) {
    const { step, together, high } = part.autocorrelation;
    return [new Group(scaledAxis("lag", timeUnit), [0, step * together * (high.length - 1)]), autocorrelation(part)];
  },
};

for (const figure of document.querySelectorAll("figure[data-picture]")) {
  const part = data.parts[Number(figure.dataset.part)];
  const [group, picture] = PICTURES[figure.dataset.picture](part);
  new Plot(figure, group, picture).draw();
}

for (const bar of document.querySelectorAll(".shades")) {
  const stops = SHADES.map((colour) => `rgb(${colour.join(" ")})`);
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
}
