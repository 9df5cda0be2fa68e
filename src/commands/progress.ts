import type { Surroundings } from './surroundings.ts';

const REDRAW_MS = 100;
/** Between two lines, where the output is no terminal. */
const LINE_MS = 5_000;

/** Shows the progress of a sync or an import: one line that changes in a terminal, a line every few seconds elsewhere. */
export function createProgress({ write, columns }: Surroundings['status']) {
  const beganMs = Date.now();
  const everyMs = columns === undefined ? LINE_MS : REDRAW_MS;
  let shownMs = columns === undefined ? beganMs : 0;
  let drawn = false;
  return {
    show(done: number, total?: number, message = ''): void {
      const now = Date.now();
      if (now - shownMs < everyMs) return;
      shownMs = now;
      const perSecond = Math.round(done / Math.max(0.001, (now - beganMs) / 1_000));
      const words = `${number(done)}${total === undefined ? '' : ` of ${number(total)}`}, ${number(perSecond)}/s`;
      if (columns === undefined) {
        write(`${message}: ${words}\n`);
        return;
      }
      drawn = true;
      write(`\r${`${message}: ${words}`.slice(0, Math.max(1, columns - 1))}\u001B[K`);
    },
    end(): void {
      if (drawn) write('\r\u001B[K');
      drawn = false;
    },
  };
}

const number = (value: number): string => value.toLocaleString('en');
