/** Often enough for a sign-in of half an hour. */
const EVERY_MS = 60_000;
const BY_A_PERSON = ['pointerdown', 'click', 'keydown', 'input', 'wheel', 'touchstart'] as const;

/** Tells that a person does something in this window, also where that asks for nothing, such as to read on or to write: at once, and then at most once a minute. */
export function onUse(tell: () => void): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  const look = ({ isTrusted }: Event): void => {
    if (!isTrusted || performance.now() - toldAt < EVERY_MS) return;
    toldAt = performance.now();
    tell();
  };
  for (const type of BY_A_PERSON) addEventListener(type, look, { capture: true, passive: true });
}
