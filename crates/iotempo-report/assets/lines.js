// Pictures of spectra and of autocorrelations.

function nearest(values, wanted) {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low > 0 && wanted / values[low - 1] < values[low] / wanted ? low - 1 : low;
}

function spectrum(part) {
  const { frequency, share, marks } = part.spectrum;
  const highest = Math.max(...share);
  const found = part.period ? [[1 / part.period, duration(part.period)]] : [];
  const flags = (name, label, all) => ({
    name,
    label: all.length ? label : null,
    draw(plot, group) {
      for (const [at, text] of all.filter(([at]) => seen(plot.group, [at, at]))) flag(plot, group, at, text);
    },
  });
  return {
    height: 280,
    y: { axis: plainAxis("share of the variation (%)"), ends: () => [0, 108 * highest] },
    top: { axis: periodAxis, of: (value) => 1 / value },
    layers: [{
      name: "lines",
      draw(plot, group) {
        const base = plot.inner.bottom;
        const points = frequency.map((x, index) => `L${pixel(plot.x(x))} ${pixel(plot.y(100 * share[index]))}`);
        const [first, last] = [frequency[0], frequency[frequency.length - 1]].map((x) => pixel(plot.x(x)));
        element("path", { d: `M${first} ${base}${points.join("")}V${base}H${last}` }, group);
      },
    }, flags("period", part.guess ? "best guess" : "found period", found), flags("marks", "candidates", marks)],
    read(at) {
      const index = nearest(frequency, at);
      const [x, y] = [frequency[index], 100 * share[index]];
      return { lines: [`${digits(x, 4)} Hz`, `period ${duration(1 / x)}`, `${digits(y, 3)} % of the variation`], y };
    },
  };
}

function autocorrelation(part) {
  const { step: sample, together, low, high, marks } = part.autocorrelation;
  const step = sample * together;
  const least = Math.min(...low);
  return {
    height: 280,
    y: { axis: plainAxis("coefficient"), ends: () => [1.1 * Math.min(least, -0.1), 1.05] },
    layers: [{
      name: "lines",
      draw(plot, group) {
        const zero = pixel(plot.y(0));
        element("path", { class: "zero", d: `M${plot.inner.left} ${zero}H${plot.inner.right}` }, group);
        element("path", { class: "line", d: band(plot, step, low, high) }, group);
      },
    }, {
      name: "marks",
      label: marks.length ? "peaks" : null,
      draw(plot, group) {
        for (const [at] of marks.filter(([at]) => seen(plot.group, [at, at]))) {
          const value = high[Math.min(Math.round(at / step), high.length - 1)];
          element("circle", { cx: pixel(plot.x(at)), cy: pixel(plot.y(value)), r: 3.5 }, group);
        }
      },
    }, {
      name: "multiples",
      label: part.period ? `${part.guess ? "best guess" : "found period"} and its multiples` : null,
      draw(plot, group) {
        if (!part.period) return;
        const [from, to] = plot.group.view;
        const [first, last] = [Math.max(1, Math.ceil(from / part.period)), Math.floor(to / part.period)];
        if (last - first > plot.inner.width / 6) return;
        for (let times = first; times <= last; times += 1) flag(plot, group, times * part.period, "");
      },
    }],
    read(at) {
      const index = Math.min(Math.round(at / step), high.length - 1);
      return { lines: [`lag ${duration(index * step)}`, `coefficient ${digits(high[index], 3)}`], y: high[index] };
    },
  };
}
