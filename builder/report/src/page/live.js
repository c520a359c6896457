// The simulation behind a live page: controls, and the rows that the server adds while the clock
// plays.
const AHEAD = 0.1;
const live = {
  session: undefined, over: true, busy: false, pause: data.live.stop,
  // Values that are not those at first, and those that the server does not know yet.
  changed: new Map(), pending: new Map(), fields: new Map(),
  say(sentence) { document.getElementById("message").textContent = sentence; },
  async post(path, { values = new Map(), ...content }) {
    const common = { token: data.live.token, session: this.session, values: Object.fromEntries(values) };
    const body = JSON.stringify({ ...common, ...content });
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, { method: "POST", headers, body });
    const told = await answer.json();
    if (answer.ok) return told;
    throw Object.assign(new Error(told.error), { variable: told.variable });
  },
  // Sends a request, one at a time; problems are told in the page.
  async request(path, content) {
    this.busy = true;
    this.refused = undefined;
    try {
      const { session, chunk } = await this.post(path, content);
      this.session = session;
      for (const name of content.values.keys()) this.mark(name, false);
      if (content.values.size) this.say("");
      return chunk;
    } catch (problem) {
      clock.play(false);
      this.refused = problem.variable;
      if (problem.variable) this.mark(problem.variable, true);
      else this.over = true;
      this.say(problem instanceof TypeError ? "The server does not answer: fmu view has ended." : problem.message);
      return null;
    } finally {
      this.busy = false;
    }
  },
  mark(name, refused) {
    for (const field of this.fields.get(name) ?? []) field.setAttribute("aria-invalid", String(refused));
  },
  async restart() {
    clock.play(false);
    if (this.busy) { this.over = this.waiting = true; this.post("/end", {}).catch(() => {}); return; }
    this.waiting = false;
    const chunk = await this.request("/start", { values: new Map(this.changed) });
    if (this.waiting) { this.restart(); return; }
    if (!chunk) return;
    this.say("");
    this.pending = new Map();
    this.pause = data.live.stop;
    this.over = false;
    growing.clear();
    data.events = [];
    document.getElementById("events").tBodies[0].replaceChildren();
    plots.range = [data.live.start, data.live.stop];
    this.receive(chunk);
    clock.set(span[0]);
    if (data.scene && animation.renderer?.gl) parts.run("animation", () => { animation.fit(); animation.draw(); });
  },
  // Asks for rows up to a little later than the clock; without play only new values are sent.
  async ask() {
    const news = this.pending;
    const until = clock.playing ? Math.min(clock.time + AHEAD * speed(), this.pause) : span[0];
    if (this.busy || this.over || until <= span[1] && !news.size) return;
    this.pending = new Map();
    const chunk = await this.request("/advance", { until, values: news });
    if (this.waiting) { this.restart(); return; }
    if (chunk) this.receive(chunk);
    else if (this.refused) {
      // Of values that were sent together, none was set.
      news.delete(this.refused);
      this.pending = new Map([...news, ...this.pending]);
    }
    if (this.pending.size) this.ask();
  },
  receive({ time, rows, events, ended, failure }) {
    const followed = plots.range[0] <= span[0] && plots.range[1] >= span[1];
    growing.append(time, rows);
    if (followed) plots.range = [span[0], Math.max(span[1], data.live.stop)];
    const body = document.getElementById("events").tBodies[0];
    for (const event of events.slice(0, data.live.most_events - data.events.length)) {
      data.events.push(event);
      body.append(eventLine(event));
    }
    const scrub = document.getElementById("scrub");
    [scrub.min, scrub.max] = span;
    document.getElementById("rows").textContent = `${growing.rows} ${growing.rows === 1 ? "row" : "rows"} so far.` +
      (data.events.length < data.live.most_events ? "" : ` The list has the first ${data.live.most_events} events.`);
    if (failure || ended) { this.over = true; this.say(failure || ended); }
    if (!clock.playing) clock.set(clock.time);
  },
  change(name, value) {
    this.changed.set(name, value);
    this.pending.set(name, value);
    this.ask();
  },
};
const speed = () => Number(document.getElementById("speed").value);
// Play goes on at the end as far as there are rows, and pauses at the stop time once.
clock.begin = () => {};
clock.end = (time) => {
  if (live.over) clock.play(false);
  else if (span[1] >= live.pause) { live.pause = Infinity; clock.play(false); }
  return Math.min(time, span[1]);
};
clock.tell("simulation", () => { if (clock.playing) live.ask(); });
// A control: its name, a slider if it takes effect at once, a field and its unit.
function control({ name, unit, description, effect, entry, value }, index) {
  const made = element("div", undefined, { class: "control", title: description });
  const id = "control" + index, atOnce = effect === "atOnce";
  const { number, choice } = typeof entry === "string" ? {} : entry;
  let field;
  if (choice) {
    field = element("select", undefined, { id });
    fillWith(field, choice.map((item) => element("option", item)));
  } else {
    field = element("input", undefined, { id, type: number ? "number" : "text" });
    if (number) field.step = number.isWhole ? "1" : "any";
    for (const limit of ["min", "max"]) if (number && number[limit] !== null) field[limit] = number[limit];
  }
  field.value = value;
  const fields = [field];
  const change = (text) => {
    if (atOnce) live.change(name, text); else live.changed.set(name, text);
  };
  made.append(element("label", name, { for: id }));
  if (number && atOnce) {
    const label = unit ? `${name} in ${unit}` : name;
    const slider = element("input", undefined, { type: "range", "aria-label": label, min: number.low, max: number.high });
    slider.step = number.isWhole ? "1" : "any";
    slider.value = value;
    slider.addEventListener("input", () => { field.value = slider.value; change(slider.value); });
    field.addEventListener("change", () => { slider.value = field.value; });
    fields.push(slider);
    made.append(slider);
  }
  field.addEventListener("change", () => change(field.value));
  live.fields.set(name, fields);
  made.append(field, element("span", unit, { class: "unit" }));
  return made;
}
function liveSection() {
  const section = element("section", undefined, { id: "live", "aria-label": "Controls" });
  section.append(element("p", undefined, { id: "message", role: "alert" }));
  const made = data.live.controls.map((one, index) => [one, control(one, index)]);
  const [now, later] = ["atOnce", "atRestart"].map((effect) => made.filter(([one]) => one.effect === effect).map(([, box]) => box));
  if (now.length) {
    const list = element("div", undefined, { class: "scroll" });
    fillWith(list, now);
    section.append(element("h2", "Inputs and tunable parameters"), list);
  }
  if (later.length) {
    const rest = element("details");
    if (!now.length) rest.open = true;
    fillWith(rest, [element("summary", `Parameters that take effect at restart (${later.length})`), ...later]);
    section.append(rest);
  }
  const player = document.getElementById("player");
  const restart = element("button", "Restart", { id: "restart", title: "Start again with the values of all fields" });
  restart.addEventListener("click", () => live.restart());
  document.getElementById("play").after(restart);
  player.after(section);
  document.getElementById("loop").closest("label").hidden = true;
  document.getElementById("parameters").closest("section").hidden = true;
}
liveSection();
// Closing the page ends its session; a page that the browser keeps and shows again starts anew.
addEventListener("pagehide", () => {
  const content = JSON.stringify({ token: data.live.token, session: live.session });
  navigator.sendBeacon("/end", new Blob([content], { type: "application/json" }));
});
addEventListener("pageshow", (event) => { if (event.persisted) live.restart(); });
live.restart();
