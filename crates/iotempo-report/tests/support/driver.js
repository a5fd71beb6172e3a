// What tests of pages use to look at them and to work them, as a person would.
const drawn = () => new Promise((done) => setTimeout(done, 50));
const figure = (name, index = 0) => document.querySelectorAll(`figure[data-picture="${name}"]`)[index];
const svg = (name, index = 0) => figure(name, index).querySelector("svg");
const path = (name, selector) => svg(name).querySelector(selector).getAttribute("d");
const texts = (name, selector) => [...svg(name).querySelectorAll(selector)].map((text) => text.textContent);
const readout = (name) => {
  const box = figure(name).querySelector(".readout");
  return box.hidden ? [] : [...box.children].map((line) => line.textContent);
};

// The labels under a picture, from left to right.
function ticks(name, index = 0) {
  const ground = svg(name, index).querySelector(".ground").getBBox();
  const below = [...svg(name, index).querySelectorAll("text:not(.title)")]
    .filter((text) => Math.abs(Number(text.getAttribute("y")) - (ground.y + ground.height + 17)) < 1);
  return below.map((text) => text.textContent);
}

// An event at a share of the picture's width, half way up.
function pointer(name, kind, share, more = {}) {
  const target = svg(name);
  const box = target.getBoundingClientRect();
  const ground = target.querySelector(".ground").getBBox();
  const clientX = box.left + ground.x + share * ground.width;
  const clientY = box.top + ground.y + ground.height / 2;
  const Kind = kind === "wheel" ? WheelEvent : PointerEvent;
  target.dispatchEvent(new Kind(kind, { clientX, clientY, bubbles: true, cancelable: true, ...more }));
}

async function pointed(name, share) {
  pointer(name, "pointermove", share);
  await drawn();
}

async function dragged(name, from, to) {
  const target = svg(name);
  target.setPointerCapture = () => {};
  pointer(name, "pointerdown", from);
  pointer(name, "pointermove", (from + to) / 2);
  pointer(name, "pointermove", to);
  pointer(name, "pointerup", to);
  await drawn();
}

async function wheeled(name, deltaY) {
  pointer(name, "wheel", 0.5, { deltaY, ctrlKey: true });
  await drawn();
}

async function keyed(name, key) {
  svg(name).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await drawn();
}

// The size of an image, and how many colours it has.
async function colours(href) {
  const image = new Image();
  image.src = href;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: image.width, height: image.height });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4) seen.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
  return { width: image.width, height: image.height, colours: seen.size };
}

// The contrast of text on the page, as WCAG 2.2 defines it.
function contrast(element) {
  const channels = (text) => text.match(/[\d.]+/g).slice(0, 3).map(Number);
  const light = (text) => {
    const [r, g, b] = channels(text)
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(element);
  const ink = light(element.closest("svg") ? style.fill : style.color);
  const ground = light(getComputedStyle(document.body).backgroundColor);
  return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
}
