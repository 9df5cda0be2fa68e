/** As `engines` in package.json. */
export const OLDEST_NODE = '20.18.1';

/** Whether this version of Node is older than that. An old Node reads it too. */
export function isTooOld(version: string): boolean {
  const [found, oldest] = [version, OLDEST_NODE].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)));
  const index = (oldest ?? []).findIndex((part, place) => part !== found?.[place]);
  return index >= 0 && Number(found?.[index]) < Number(oldest?.[index]);
}
