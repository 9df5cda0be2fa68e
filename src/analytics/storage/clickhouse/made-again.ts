import { ownCommand, toReaders } from '../../../text/own-command.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';

/** How the tables of the store are made. */
export const madeAgain = (): Sentence =>
  toReaders(() => sentence`run \`${ownCommand('store init')}\` again`, sentence`have its tables made again`);
