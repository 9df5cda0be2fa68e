/** Limits how many tasks run at once. Waiting tasks start in the order of their rank. */
export function createSlots(count: number) {
  const waiting: { readonly rank: number; readonly start: () => void }[] = [];
  let free = count;

  async function enter(rank: number): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((start) => waiting.push({ rank, start }));
  }

  function leave(): void {
    waiting.sort((a, b) => a.rank - b.rank);
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next.start();
  }

  return {
    get waiting(): number {
      return waiting.length;
    },
    async run<T>(rank: number, task: () => Promise<T>): Promise<T> {
      await enter(rank);
      return task().finally(leave);
    },
  };
}
