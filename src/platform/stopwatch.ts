/** Starts to measure; returns the milliseconds since then. The wall clock counts the sleep of the machine; the other one can’t be set back. */
export function startStopwatch(): () => number {
  const [wallMs, steadyMs] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wallMs, performance.now() - steadyMs);
}
