// The time that plots and animation share: play, speed, scrub, loop.
const clock = {
  time: span[0], playing: false, listeners: [],
  set(time) {
    this.time = Math.min(Math.max(time, span[0]), span[1]);
    for (const { part, listener } of this.listeners) parts.run(part, () => listener(this.time));
  },
  // Tells a part of the page the time whenever it changes.
  tell(part, listener) { this.listeners.push({ part, listener }); },
  // What happens when play begins, and when it comes to the end: the time from there on.
  begin() { if (this.time >= span[1]) this.set(span[0]); },
  end(time) {
    if (document.getElementById("loop").checked) return span[0];
    this.play(false);
    return time;
  },
  play(on) {
    if (on === this.playing) return;
    this.playing = on;
    const button = document.getElementById("play");
    button.textContent = on ? "Pause" : "Play";
    button.setAttribute("aria-label", button.textContent);
    if (!on) return;
    this.begin();
    let last = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      const speed = Number(document.getElementById("speed").value);
      let time = this.time + speed * Math.max(0, now - last) / 1000;
      last = now;
      if (time >= span[1]) time = this.end(time);
      this.set(time);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  },
};
