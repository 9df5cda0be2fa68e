'use strict';
// Loaded before the server, so that its calendar shows the made-up account's day: else an answer that depends on what
// day it is would change from one day to the next.
const offsetMs = Number(process.env.TOUR_CLOCK_OFFSET_MS);
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...parts) {
    super(...(parts.length === 0 ? [Real.now() + offsetMs] : parts));
  }
  static now() {
    return Real.now() + offsetMs;
  }
};
