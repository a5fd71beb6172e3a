// Plots in SVG: axes, zoom, and a readout. Colours are those of the style sheet.

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, parent = null, text = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function html(name, className, parent = null, text = null) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== null) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

// A tenth of a pixel is enough, and keeps paths short.
const pixel = (value) => Math.round(value * 10) / 10;

// ---- Plots that share an axis zoom together ----------------------------------------------------

class Group {
  constructor(axis, full) {
    this.axis = axis;
    this.full = full;
    this.view = full;
    this.plots = [];
    this.cursor = null;
  }

  // On a logarithmic axis, equal ratios are equally far apart.
  place(value) {
    return this.axis.log ? Math.log(value) : value;
  }

  value(place) {
    return this.axis.log ? Math.exp(place) : place;
  }

  show(from, to) {
    const [first, last] = this.full.map((end) => this.place(end));
    const least = (last - first) * 1e-5;
    const width = Math.min(Math.max(this.place(to) - this.place(from), least), last - first);
    const start = Math.min(Math.max(this.place(from), first), last - width);
    this.view = [this.value(start), this.value(start + width)];
    if (width >= last - first) this.view = this.full;
    this.plots.forEach((plot) => plot.schedule());
  }

  // Zooms by a factor; what is at `around` stays there.
  zoom(factor, around = this.cursor) {
    const [from, to] = this.view.map((end) => this.place(end));
    const inside = around !== null && around >= this.view[0] && around <= this.view[1];
    const fixed = inside ? this.place(around) : (from + to) / 2;
    this.show(this.value(fixed + (from - fixed) * factor), this.value(fixed + (to - fixed) * factor));
  }

  pan(share) {
    const [from, to] = this.view.map((end) => this.place(end));
    const by = (to - from) * share;
    this.show(this.value(from + by), this.value(to + by));
  }

  point(at) {
    this.cursor = at;
    this.plots.forEach((plot) => plot.drawCursor());
  }

  step(share) {
    const [from, to] = this.view.map((end) => this.place(end));
    const start = this.cursor === null ? (from + to) / 2 : this.place(this.cursor);
    const at = Math.min(Math.max(start + (to - from) * share, from), to);
    this.point(this.value(at));
  }
}

// ---- One plot ----------------------------------------------------------------------------------

let plots = 0;

class Plot {
  // `picture` says what to draw: height, y (an axis with its ends), layers, and what to read where.
  constructor(figure, group, picture) {
    Object.assign(this, { figure, group, picture, at: null, drag: null, scheduled: false });
    this.number = plots++;
    this.box = figure.querySelector(".plot");
    this.svg = element("svg", { tabindex: 0, role: "img", "aria-label": figure.dataset.alt }, this.box);
    this.readout = html("div", "readout", this.box);
    this.readout.hidden = true;
    this.status = html("span", "unseen", this.box);
    this.status.setAttribute("role", "status");
    this.hidden = new Set();
    this.addTools();
    this.listen();
    group.plots.push(this);
    new ResizeObserver(() => this.schedule()).observe(this.box);
  }

  addTools() {
    const tools = this.figure.querySelector(".tools");
    const shown = this.picture.layers.filter((layer) => layer.label);
    for (const layer of shown) {
      const key = html("button", "key", tools);
      html("i", `swatch ${layer.name}`, key);
      key.append(layer.label);
      key.type = "button";
      key.setAttribute("aria-pressed", "true");
      key.title = "show or hide";
      key.addEventListener("click", () => this.toggle(layer.name, key));
    }
    const zoom = html("span", "zoom", tools);
    const actions = [["−", "zoom out", () => this.group.zoom(2)],
      ["+", "zoom in", () => this.group.zoom(0.5)],
      ["reset", "show everything", () => this.group.show(...this.group.full)]];
    for (const [text, title, act] of actions) {
      const button = html("button", "", zoom, text);
      Object.assign(button, { type: "button", title, ariaLabel: title });
      button.addEventListener("click", act);
    }
  }

  toggle(name, key) {
    const hide = !this.hidden.has(name);
    if (hide) this.hidden.add(name);
    else this.hidden.delete(name);
    key.setAttribute("aria-pressed", String(!hide));
    this.schedule();
  }

  schedule() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  // Where things lie: pixels of values, and back.
  lay(width) {
    const { picture, group } = this;
    const narrow = width < 560;
    const inner = {
      left: picture.left ? picture.left(narrow) : narrow ? 58 : 72,
      right: width - (narrow ? 10 : 18),
      top: picture.top ? 40 : 12,
      bottom: picture.height - 40,
    };
    inner.width = inner.right - inner.left;
    inner.height = inner.bottom - inner.top;
    this.inner = inner;
    const ends = picture.y.ends(group.view);
    const scale = (from, to, first, last, log) => {
      const place = (value) => (log ? Math.log(value) : value);
      const factor = (last - first) / (place(to) - place(from));
      return {
        to: (value) => first + (place(value) - place(from)) * factor,
        back: (at) => (log ? Math.exp : Number)(place(from) + (at - first) / factor),
      };
    };
    this.across = scale(...group.view, inner.left, inner.right, group.axis.log);
    this.up = scale(...ends, inner.bottom, inner.top, picture.y.axis.log);
    this.ends = ends;
    this.x = this.across.to;
    this.y = this.up.to;
  }

  draw() {
    const width = this.box.clientWidth;
    if (width < 120) return;
    this.lay(width);
    this.labels = [];
    const { svg, inner, picture } = this;
    svg.setAttribute("viewBox", `0 0 ${width} ${picture.height}`);
    svg.replaceChildren();
    const clip = element("clipPath", { id: `clip-${this.number}` }, svg);
    const area = { x: inner.left, y: inner.top, width: inner.width, height: inner.height };
    element("rect", area, clip);
    element("rect", { ...area, class: "ground" }, svg);
    this.grid();
    const inside = element("g", { "clip-path": `url(#clip-${this.number})` }, svg);
    for (const layer of picture.layers) {
      if (!this.hidden.has(layer.name)) {
        layer.draw(this, element("g", { class: `layer ${layer.name}` }, inside));
      }
    }
    this.axes();
    this.over = element("g", { class: "over" }, svg);
    this.drawCursor();
    this.figure.dataset.drawn = "yes";
  }

  grid() {
    const { svg, inner, group, picture } = this;
    this.columns = group.axis.ticks(...group.view, Math.max(2, Math.floor(inner.width / 80)));
    this.rows = picture.y.axis.ticks(...this.ends, Math.max(2, Math.floor(inner.height / 36)));
    const lines = [
      ...this.columns.map(({ at }) => `M${pixel(this.x(at))} ${inner.top}V${inner.bottom}`),
      ...this.rows.map(({ at }) => `M${inner.left} ${pixel(this.y(at))}H${inner.right}`),
    ];
    element("path", { class: "grid", d: lines.join("") }, svg);
  }

  axes() {
    const { svg, inner, group, picture } = this;
    const text = (x, y, anchor, said, more = {}) =>
      element("text", { x: pixel(x), y: pixel(y), "text-anchor": anchor, ...more }, svg, said);
    for (const { at, text: said } of this.columns) text(this.x(at), inner.bottom + 17, "middle", said);
    for (const { at, text: said } of this.rows) text(inner.left - 8, this.y(at) + 4, "end", said);
    const middle = (inner.top + inner.bottom) / 2;
    text((inner.left + inner.right) / 2, inner.bottom + 34, "middle", group.axis.title(...group.view),
      { class: "title" });
    text(0, 0, "middle", picture.y.axis.title(...this.ends),
      { class: "title", transform: `translate(13 ${middle}) rotate(-90)` });
    if (picture.top) this.topAxis(text);
    const frame = `M${inner.left} ${inner.top}V${inner.bottom}H${inner.right}`;
    element("path", { class: "frame", d: frame }, svg);
  }

  // The same axis in other words, such as periods over frequencies.
  topAxis(text) {
    const { inner, picture, group } = this;
    const { axis, of } = picture.top;
    const ends = group.view.map(of).sort((a, b) => a - b);
    for (const { at, text: said } of axis.ticks(...ends, Math.max(2, Math.floor(inner.width / 90)))) {
      const x = this.x(of(at));
      const last = x + 4 * said.length > inner.right + 8;
      text(last ? inner.right : x, inner.top - 7, last ? "end" : "middle", said);
      element("path", { class: "frame", d: `M${pixel(x)} ${inner.top}v-4` }, this.svg);
    }
    const title = axis.title(...ends);
    text((inner.left + inner.right) / 2, 12, "middle", title, { class: "title" });
  }

  // ---- The line that follows the pointer, and what is under it ----

  drawCursor() {
    if (!this.over) return;
    this.over.replaceChildren();
    const { inner, group } = this;
    if (this.drag && this.drag.to !== undefined) {
      const [left, right] = [this.drag.from, this.drag.to].sort((a, b) => a - b);
      const box = { x: left, y: inner.top, width: right - left, height: inner.height };
      element("rect", { class: "selection", ...box }, this.over);
    }
    const at = group.cursor;
    const visible = at !== null && at >= group.view[0] && at <= group.view[1];
    this.readout.hidden = !visible || this.at === null;
    if (!visible) return;
    const x = pixel(this.x(at));
    element("path", { class: "cursor", d: `M${x} ${inner.top}V${inner.bottom}` }, this.over);
    const read = this.picture.read(at, this.at === null ? null : this.up.back(this.at), this);
    if (!read) {
      this.readout.hidden = true;
      return;
    }
    if (read.y !== undefined && read.y >= this.ends[0] && read.y <= this.ends[1]) {
      element("circle", { class: "dot", cx: x, cy: pixel(this.y(read.y)), r: 4 }, this.over);
    }
    if (!this.readout.hidden) this.tell(read.lines, x);
  }

  tell(lines, x) {
    this.readout.replaceChildren(...lines.map((line) => html("div", "", null, line)));
    const width = this.readout.offsetWidth;
    const right = x + 12 + width < this.inner.right;
    this.readout.style.left = `${Math.max(0, right ? x + 12 : x - 12 - width)}px`;
    const top = Math.min(Math.max(this.at - 20, this.inner.top), this.inner.bottom - 40);
    this.readout.style.top = `${top}px`;
    if (document.activeElement === this.svg) this.status.textContent = lines.join(", ");
  }

  // ---- Pointer, wheel and keys ----

  place(event) {
    const box = this.svg.getBoundingClientRect();
    const x = Math.min(Math.max(event.clientX - box.left, this.inner.left), this.inner.right);
    const y = Math.min(Math.max(event.clientY - box.top, this.inner.top), this.inner.bottom);
    return { x, y };
  }

  listen() {
    const { svg, group } = this;
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerleave", () => {
      this.at = null;
      group.point(null);
    });
    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !this.inner) return;
      const { x } = this.place(event);
      this.drag = { from: x, pan: event.shiftKey, last: x };
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointerup", () => this.dropped());
    svg.addEventListener("pointercancel", () => {
      this.drag = null;
      this.drawCursor();
    });
    svg.addEventListener("dblclick", () => group.show(...group.full));
    svg.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    svg.addEventListener("keydown", (event) => this.pressed(event));
    svg.addEventListener("blur", () => {
      this.at = null;
      group.point(null);
    });
  }

  moved(event) {
    if (!this.inner) return;
    const { x, y } = this.place(event);
    this.at = y;
    if (this.drag && this.drag.pan) {
      this.group.pan((this.drag.last - x) / this.inner.width);
      this.drag.last = x;
    } else if (this.drag && Math.abs(x - this.drag.from) > 3) {
      this.drag.to = x;
    }
    this.group.point(this.across.back(x));
  }

  dropped() {
    const { drag } = this;
    this.drag = null;
    if (drag && drag.to !== undefined && Math.abs(drag.to - drag.from) > 3) {
      const ends = [drag.from, drag.to].sort((a, b) => a - b).map((at) => this.across.back(at));
      this.group.show(...ends);
    }
  }

  // A page that scrolls must not stop at every picture: the wheel zooms the one that was clicked.
  wheeled(event) {
    const meant = event.ctrlKey || event.metaKey || document.activeElement === this.svg;
    if (!meant || !this.inner) return;
    event.preventDefault();
    const { x } = this.place(event);
    this.group.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), this.across.back(x));
  }

  pressed(event) {
    const { group } = this;
    const arrow = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const actions = {
      "+": () => group.zoom(0.5),
      "=": () => group.zoom(0.5),
      "-": () => group.zoom(2),
      0: () => group.show(...group.full),
      Home: () => group.show(...group.full),
      Escape: () => this.svg.blur(),
    };
    if (!this.inner || event.altKey || event.ctrlKey || event.metaKey) return;
    if (arrow) {
      if (this.at === null) this.at = (this.inner.top + this.inner.bottom) / 2;
      if (event.shiftKey) group.pan(arrow * 0.1);
      else group.step(arrow * 0.02);
    } else if (actions[event.key]) {
      actions[event.key]();
    } else {
      return;
    }
    event.preventDefault();
  }
}
