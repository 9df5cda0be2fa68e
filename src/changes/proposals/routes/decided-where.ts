import { ownCommand } from '../../../text/own-command.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';

const AT_TERMINAL = 'at a terminal, with';

/** Where a person decides on what waits on disk; without a full stop. */
export const decidedWhere = (): Sentence =>
  sentence`A person decides ${AT_TERMINAL}: ${ownCommand('waiting')}; or in a browser, with: ${ownCommand('page')}. Nobody is asked before that`;

/** Where else they do, of what they are asked about. */
export const decidedElsewhere = (): Sentence =>
  sentence`or ${AT_TERMINAL}: ${ownCommand('waiting')}; or in a browser, with: ${ownCommand('page')}`;
