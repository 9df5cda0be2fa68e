const Real = Date;
let holders = 0;

/**
 * Lets the calendar of this process show an account's present, until the returned function is called: what a server
 * answers must not depend on the day on which it is asked. All accounts have the same present.
 */
export function showPresent(now: number): () => void {
  if (holders === 0) {
    const aheadMs = now - Real.now();
    globalThis.Date = class extends Real {
      constructor(...parts: [] | ConstructorParameters<DateConstructor>) {
        // The real one takes any of them.
        super(...((parts.length === 0 ? [Real.now() + aheadMs] : parts) as [number]));
      }
      static override now(): number {
        return Real.now() + aheadMs;
      }
    } as DateConstructor;
  }
  holders += 1;
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    holders -= 1;
    if (holders === 0) globalThis.Date = Real;
  };
}

/** The real day, whatever the calendar shows. */
export function today(): string {
  return new Real().toISOString().slice(0, 10);
}
