// Uses a report as a reader does; the test appends this script to the page, and reads its answer.

// The page unpacks its numbers before it is ready.
while (!globalThis.couplerReport) await new Promise((done) => setTimeout(done, 10));
const { couplerReport: page } = globalThis;
const find = (id) => document.getElementById(id);
const errors = globalThis.errorsOfThePage;
/** Lets the page draw. */
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const press = (key, target = document.body) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const answer = { errors };

/** The values of a signal at the times of rows of the table. */
answer.values = Object.fromEntries(expected.names.map((name) =>
  [name, expected.times.map((t) => page.signals.get(name).at(t))]));
answer.parameters = find("parameters").tBodies[0].rows.length;
answer.facts = find("facts").textContent;
answer.panels = page.panels.length;

await drawn();
// A click on the first plot moves the cursor to the time below it, and the caption follows.
const canvas = page.panels[0].canvas;
const box = canvas.getBoundingClientRect();
const middle = { clientX: box.left + page.panels[0].x((page.bounds[0] + page.bounds[1]) / 2), clientY: box.top + 50 };
canvas.setPointerCapture = () => {};
canvas.dispatchEvent(new PointerEvent("pointerdown", middle));
canvas.dispatchEvent(new PointerEvent("pointerup", middle));
await drawn();
answer.clicked = (page.time - page.bounds[0]) / (page.bounds[1] - page.bounds[0]);
answer.caption = Number(page.panels[0].values[0].textContent);
answer.captionWanted = page.panels[0].shown(page.panels[0].signals[0].at(page.time));
const span = () => page.range[1] - page.range[0];
const whole = span();
canvas.dispatchEvent(new WheelEvent("wheel", { ...middle, deltaY: -300, cancelable: true }));
answer.zoomed = span() / whole;
find("whole").click();
answer.whole = span() / whole;
press("+");
answer.zoomedByKey = span() / whole;
press("Home");
const before = page.time;
press("ArrowRight");
answer.stepped = (page.time - before) / whole;

// The list: search, switch on, switch off.
const wanted = [...page.signals.values()].find((s) => !s.shown)?.name;
if (wanted) {
  find("search").value = wanted;
  find("search").dispatchEvent(new Event("input"));
  const switched = () => page.plotted.some((s) => s.name === wanted);
  const item = () => [...find("signals").querySelectorAll("label")].find((l) => l.textContent.startsWith(wanted));
  item().querySelector("input").click();
  answer.on = switched();
  item().querySelector("input").click();
  answer.off = !switched();
}

// The list of events.
const button = find("events").querySelector("button");
if (button) {
  button.click();
  answer.atEvent = page.time === page.content.events[0][0] && button.getAttribute("aria-current") === "true";
}

// Scrub and play.
find("scrub").value = page.bounds[0] + whole / 4;
find("scrub").dispatchEvent(new Event("input"));
answer.scrubbed = (page.time - page.bounds[0]) / whole;
find("play").click();
const start = page.time;
for (let frame = 0; frame < 5; frame++) await drawn();
answer.played = page.time > start && find("play").textContent === "Pause";
press(" ");
answer.paused = !page.playing;

// Every control has a name for screen readers.
answer.nameless = [...document.querySelectorAll("button, input, select, canvas")]
  .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length)).map((e) => e.outerHTML);

/** The least contrast of texts to the background of the page. */
const luminance = (colour) => {
  const parts = colour.match(/[0-9.]+/g).slice(0, 3).map((v) => v / 255);
  const [r, g, b] = parts.map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const background = (e) => {
  for (let at = e; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (!colour.endsWith(", 0)")) return colour;
  }
  return "rgb(255, 255, 255)";
};
answer.contrast = Math.min(...[...document.querySelectorAll("h1, h2, p, td, th, label, button, output, span")]
  .filter((e) => e.textContent.trim() && e.offsetParent)
  .map((e) => [getComputedStyle(e).color, background(e)].map(luminance).sort((a, b) => b - a))
  .map(([light, dark]) => (light + 0.05) / (dark + 0.05)));

// The animation: the sphere of a body is where the table says, seen from the front.
if (page.stage) {
  const { stage } = page;
  const views = {};
  for (const name of ["iso", "side", "top", "front"]) {
    document.querySelector(`[data-view=${name}]`).click();
    views[name] = `${stage.camera.turn} ${stage.camera.lift}`;
  }
  answer.views = new Set(Object.values(views)).size;
  find("fit").click();
  answer.misses = [];
  for (const { time, place, colour } of expected.marks) {
    page.seek(time);
    await drawn();
    const { width, height } = stage.canvas;
    const { target, distance } = stage.camera;
    // In the front view the camera looks along -z, with x to the right and y upwards.
    const scale = height / 2 / Math.tan(0.3) / (distance - (place[2] - target[2]));
    const x = Math.round(width / 2 + scale * (place[0] - target[0]));
    const y = Math.round(height / 2 - scale * (place[1] - target[1]));
    const copy = document.createElement("canvas");
    Object.assign(copy, { width, height });
    const c = copy.getContext("2d");
    c.drawImage(stage.canvas, 0, 0);
    // The centre of the pixels near the place that have the colour, in any light.
    const [reach, hits] = [Math.ceil(scale * expected.radius * 1.3), []];
    const { data } = c.getImageData(x - reach, y - reach, 2 * reach + 1, 2 * reach + 1);
    for (let k = 0; k < data.length / 4; k++) {
      const seen = data.slice(4 * k, 4 * k + 3);
      const light = Math.max(...seen) / Math.max(...colour);
      if (data[4 * k + 3] < 255 || light < 0.4) continue;
      if (seen.every((v, i) => Math.abs(v - light * colour[i]) < 12))
        hits.push([k % (2 * reach + 1) - reach, Math.floor(k / (2 * reach + 1)) - reach]);
    }
    const middle = (values) => (Math.min(...values) + Math.max(...values)) / 2;
    answer.misses.push(hits.length < 20 ? 1e9
      : Math.hypot(middle(hits.map((h) => h[0])), middle(hits.map((h) => h[1]))));
  }
}
const text = document.createElement("pre");
text.id = "answer";
text.textContent = btoa(JSON.stringify(answer));
document.body.append(text);
