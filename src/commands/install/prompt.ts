import { VideoHostingError } from '../../errors.ts';
import { sentence } from '../../text/sentence.ts';
import type { Terminal } from '../surroundings.ts';

/** Questions to the person at the terminal. Ctrl+C, Ctrl+D and a signal that ends the process throw `cancelled`. */
export interface Prompt {
  line(question: string): Promise<string>;
  /** Nothing of the answer is shown, not even its length. */
  hidden(question: string): Promise<string>;
  confirm(question: string): Promise<boolean>;
  /** The same after such, of which the last takes `all` too. */
  confirmLast(question: string): Promise<boolean>;
  /** The same where more questions of the kind follow; `all` is yes to them too. */
  confirmEach(question: string): Promise<'yes' | 'no' | 'all'>;
}

export function createPrompt(
  { input, output }: Terminal,
  signal: AbortSignal,
  ifCancelled = sentence`What was not written yet is unchanged.`,
): Prompt {
  const ask = async (question: string, silent = false): Promise<string> => {
    const { read } = await import('read');
    let onPause = (): void => {};
    let onAbort = (): void => {};
    const ended = new Promise<never>((_, reject) => {
      // `read` never settles when the input ends; the input is only paused then. An answer pauses it too, but has arrived by then.
      onPause = () => void setImmediate(() => reject(new Error('the input ended')));
      input.once('pause', onPause);
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
    try {
      return (await Promise.race([read({ prompt: question, silent, input, output }), ended])).trim();
    } catch (cause) {
      // The cursor is still behind the question.
      if (!silent) output.write('\n');
      throw new VideoHostingError('cancelled', sentence`Cancelled. ${ifCancelled}`, { cause });
    } finally {
      input.off('pause', onPause);
      signal.removeEventListener('abort', onAbort);
      if (silent) output.write('\n');
    }
  };
  return {
    line: (question) => ask(question),
    hidden: (question) => ask(question, true),
    confirm: async (question) => /^y(es)?$/i.test(await ask(`${question} [y/N]`)),
    confirmLast: async (question) => /^(?:y(?:es)?|a(?:ll)?)$/i.test(await ask(`${question} [y/N]`)),
    confirmEach: async (question) => {
      const answer = await ask(`${question} [y/N/all]`);
      if (/^a(ll)?$/i.test(answer)) return 'all';
      return /^y(es)?$/i.test(answer) ? 'yes' : 'no';
    },
  };
}
