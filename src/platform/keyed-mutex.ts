/** Makes a mutex per key, within this process: for one key, one `act` runs at a time, in the order of the calls. */
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
