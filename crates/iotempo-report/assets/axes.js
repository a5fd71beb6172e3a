"use strict";
// Numbers with their units, and axes with round numbers on them.

// At most so many decimals, and no zeros at the end.
function trimmed(value, decimals) {
  const text = value.toFixed(Math.max(0, Math.min(decimals, 12)));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

// Decimals that tell apart what lies `step` apart.
const decimalsOf = (step) => Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));

// A number to so many digits.
function digits(value, most) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e7) return value.toExponential(most - 1);
  return trimmed(value, most - 1 - Math.floor(Math.log10(size)));
}

// A length of time for people, with some four digits.
function duration(seconds) {
  const size = Math.abs(seconds);
  if (size === 0) return "0 s";
  if (size < 1e-3) return `${digits(seconds * 1e6, 4)} µs`;
  if (size < 1) return `${digits(seconds * 1e3, 4)} ms`;
  if (size < 120) return `${digits(seconds, 4)} s`;
  if (size < 7200) return `${digits(seconds / 60, 4)} min`;
  return size < 172800 ? `${digits(seconds / 3600, 4)} h` : `${digits(seconds / 86400, 4)} d`;
}

// A point in time that is counted from 1970.
const dated = (seconds) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");

// ---- Axes: where labels go, what they say, and in which unit -----------------------------------

// Round numbers between two ends, at most `most` of them.
function roundNumbers(from, to, most) {
  const rough = (to - from) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((digit) => digit * power >= rough * (1 - 1e-9)) * power;
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  // A single label says nothing about distances.
  if (last <= first && most < 40) return roundNumbers(from, to, 2 * most);
  const places = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return places.map((at) => ({ at, text: trimmed(at, decimalsOf(step)) }));
}

function scaledAxis(title, unitOf) {
  return {
    log: false,
    title(from, to) {
      return `${title} (${unitOf(from, to).unit})`;
    },
    ticks(from, to, most) {
      const { size } = unitOf(from, to);
      const round = roundNumbers(from / size, to / size, most);
      return round.map(({ at, text }) => ({ at: at * size, text }));
    },
  };
}

const TIMES = [
  [1e-3, "µs", 1e-6], [1, "ms", 1e-3], [1200, "s", 1],
  [10800, "min", 60], [259200, "h", 3600], [Infinity, "d", 86400],
];

function timeUnit(from, to) {
  const [, unit, size] = TIMES.find(([longest]) => to - from < longest);
  return { unit, size };
}

function rateUnit(bytes, from, to) {
  let [size, index] = [1, 0];
  while (to >= size * bytes.base && index + 1 < bytes.names.length) {
    size *= bytes.base;
    index += 1;
  }
  return { unit: `${bytes.names[index]}/s`, size };
}

function rate(bytes, value) {
  const { unit, size } = rateUnit(bytes, 0, value);
  return `${digits(value / size, 4)} ${unit}`;
}

const plainAxis = (title) => ({ log: false, title: () => title, ticks: roundNumbers });

// Of `places`, those between two ends, thinned to at most `most`.
function thinned(places, from, to, most) {
  const inside = places.filter((at) => at >= from * (1 - 1e-9) && at <= to * (1 + 1e-9));
  const every = Math.ceil(inside.length / Math.max(1, most));
  return inside.filter((_, index) => index % every === 0);
}

const POWERS = Array.from({ length: 25 }, (_, index) => 10 ** (index - 12));

const frequencyAxis = {
  log: true,
  title: () => "frequency (Hz)",
  ticks(from, to, most) {
    const fine = POWERS.flatMap((power) => [1, 2, 5].map((digit) => digit * power));
    const few = to / from < 1e3;
    const places = thinned(few ? fine : POWERS, from, to, most);
    if (places.length < 2) return roundNumbers(from, to, most);
    return places.map((at) => ({ at, text: digits(at, 1) }));
  },
};

const ROUND_PERIODS = [
  ...POWERS.slice(3, 12).flatMap((power) => [1, 2, 5].map((digit) => digit * power)),
  ...[1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 18000, 43200],
  ...[1, 2, 5, 10, 30, 100, 365].map((days) => days * 86400),
];

function roundPeriod(seconds) {
  const [, unit, size] =
    [[1e-3, "µs", 1e-6], [1, "ms", 1e-3], [60, "s", 1], [3600, "min", 60], [86400, "h", 3600]]
      .find(([longest]) => seconds < longest * (1 - 1e-9)) || [0, "d", 86400];
  return `${digits(seconds / size, 3)} ${unit}`;
}

const periodAxis = {
  log: true,
  title: () => "period",
  ticks(from, to, most) {
    const places = thinned(ROUND_PERIODS, from, to, most);
    const round = places.length > 1 ? places : roundNumbers(from, to, most).map(({ at }) => at);
    return round.map((at) => ({ at, text: roundPeriod(at) }));
  },
};
