import { VideoHostingError } from '../../errors.ts';
import type { Terminal } from '../surroundings.ts';

/** Questions to the person at the terminal. Ctrl+C and Ctrl+D throw `cancelled`. */
export interface Asker {
  line(question: string): Promise<string>;
  /** Nothing of the answer is shown, not even its length. */
  hidden(question: string): Promise<string>;
  /** Only y and yes count as a yes. */
  confirm(question: string): Promise<boolean>;
}

export function createAsker({ input, output }: Terminal): Asker {
  const ask = async (question: string, silent: boolean): Promise<string> => {
    const { read } = await import('read');
    let gone = (): void => {};
    const cancelled = new Promise<never>((_, reject) => {
      // The end of the input only pauses it; an answer does too, but has come by then.
      gone = () => void setImmediate(() => reject(stopped()));
      input.once('pause', gone);
    });
    try {
      return await Promise.race([read({ prompt: question, silent, input, output }), cancelled]);
    } catch (error) {
      // The cursor still stands behind the question.
      if (!silent) output.write('\n');
      throw error instanceof VideoHostingError ? error : stopped(error);
    } finally {
      input.off('pause', gone);
      if (silent) output.write('\n');
    }
  };
  return {
    line: async (question) => (await ask(question, false)).trim(),
    hidden: async (question) => (await ask(question, true)).trim(),
    confirm: async (question) => /^y(es)?$/i.test((await ask(`${question} [y/N]`, false)).trim()),
  };
}

const stopped = (cause?: unknown): VideoHostingError =>
  new VideoHostingError('cancelled', 'Stopped without an answer. What was not written yet is as it was.', { cause });
