/** Makes a mutex per key, within this process: for one key, one `act` runs at a time, in the order of the calls. */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>();
  return async function withKey<T>(key: string, act: () => Promise<T>): Promise<T> {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(act);
    const finished = mine.catch(() => undefined);
    last.set(key, finished);
    try {
      return await mine;
    } finally {
      if (last.get(key) === finished) last.delete(key);
    }
  };
}

export type KeyedMutex = ReturnType<typeof createKeyedMutex>;
