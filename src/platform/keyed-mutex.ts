/** Lets those that work on the same thing do it one after the other, within this process. */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>();
  return async function exclusive<T>(key: string, act: () => Promise<T>): Promise<T> {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(act);
    const settled = mine.catch(() => undefined);
    last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
