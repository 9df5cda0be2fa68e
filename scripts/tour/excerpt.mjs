import { join } from 'node:path';

const HOUR_MS = 3_600_000;

/** Makes texts that differ in nothing from run to run: not in ids, tokens, the time of day, nor where files are. */
export function createTidy({ folder, now }) {
  const changeNumber = createNumbers();
  const reportNumber = createNumbers();
  const changes = (id) => `chg-${String(changeNumber(id)).padStart(9, '0')}-demo`;
  const reports = (_, before, id) => `${before}report-${String(reportNumber(id)).padStart(5, '0')}`;
  const atOnce = (time) => (Math.abs(Date.parse(time) - Date.parse(now)) < HOUR_MS ? now : time);
  const accounts = join(folder, 'data', 'accounts');
  return (text) =>
    text
      .split(accounts)
      .map((part, index) => (index === 0 ? part : `…${part.replace(/^.[0-9a-z]+/, '')}`))
      .join('')
      .replaceAll(folder, '…')
      .replace(/chg-[0-9a-z]{9}-[0-9a-z]{4}/g, changes)
      .replace(/(reports\/)([\w-]{12})(?![\w-])/g, reports)
      .replace(/(confirmationToken[": ]+)[\w-]{16}/g, '$1one-time-token-1')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, atOnce);
}

/** Numbers ids in the order in which they first come. */
function createNumbers() {
  const numbers = new Map();
  return (id) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return numbers.get(id);
  };
}
