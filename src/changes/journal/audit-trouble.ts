import { diskReason } from '../../errors/disk-error.ts';
import { VideoHostingError } from '../../errors.ts';
import { ownCommand } from '../../text/own-command.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';

/** What a process saw of the chain that is not as it should be. */
export interface ChainTrouble {
  /** Nothing can be noted now: why. */
  readonly failing?: Sentence;
  /** Records are missing, or were replaced. */
  readonly altered?: Sentence;
}

export type TroubleTeller = ReturnType<typeof createChainTrouble>;

/** `log` is told of trouble at once, and of its end. */
export function createChainTrouble(log: (message: string) => void) {
  let trouble: ChainTrouble = {};
  return {
    now: (): ChainTrouble => trouble,
    tellAltered(altered: Sentence): void {
      log(sentence`${altered} ${afterThat()}`);
      trouble = { ...trouble, altered };
    },
    tellFailing(error: unknown): void {
      const cause = error instanceof VideoHostingError ? error.cause : error;
      const failing =
        cause === undefined && error instanceof VideoHostingError ? error.reason : sentence`The disk refused it (${diskReason(cause)}).`;
      if (trouble.failing === undefined)
        log(sentence`What happens to changes can’t be recorded for audit now. ${failing} Changes go on, and it is tried again.`);
      trouble = { ...trouble, failing };
    },
    tellWorking(): void {
      const { failing, ...rest } = trouble;
      if (failing !== undefined) log('What happens to changes is recorded for audit again.');
      trouble = rest;
    },
  };
}

const afterThat = (): Sentence =>
  sentence`What happens from now on is recorded after what is there. ${ownCommand('audit verify --head')} LINE, with a line that was noted before, tells what is missing.`;
