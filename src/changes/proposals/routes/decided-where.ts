import { ownCommand } from '../../../text/own-command.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';

/** Where a person decides on what waits on disk; without a full stop. */
export const decidedWhere = (): Sentence =>
  sentence`A person decides at a terminal, with: ${ownCommand('waiting')}; or in a browser, with: ${ownCommand('page')}. Nobody is asked before that`;
