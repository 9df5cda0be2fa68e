const HOUR_MS = 3_600_000;

/** A transcript without what differs from run to run: ids of changes, tokens, and the time of day. Nothing changes its length. */
export function sameEveryTime(text) {
  const ids = new Map();
  const idOf = (id) => {
    if (!ids.has(id)) ids.set(id, `chg-${String(ids.size + 1).padStart(9, '0')}-demo`);
    return ids.get(id);
  };
  return text
    .replace(/chg-[0-9a-z]{9}-[0-9a-z]{4}/g, idOf)
    .replace(/(confirmationToken[": ]+)[\w-]{16}/g, '$1one-time-token-1')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) =>
      Math.abs(Date.parse(time) - Date.now()) < HOUR_MS ? '2026-11-01T09:00:00.000Z' : time,
    );
}
