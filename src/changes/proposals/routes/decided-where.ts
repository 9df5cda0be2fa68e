import { ownCommand, toReaders } from '../../../text/own-command.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';

const AT_TERMINAL = 'at a terminal, with';

/** Where a person decides on what waits on disk; without a full stop. */
export const decidedWhere = (): Sentence =>
  toReaders(
    () =>
      sentence`A person decides ${AT_TERMINAL}: ${ownCommand('waiting')}; or in a browser, with: ${ownCommand('page')}. Nobody is asked before that`,
    sentence`Whoever may decide does so on the page, once signed in. Nobody is asked before that`,
  );

/** Where else they do, of what they are asked about. */
export const decidedElsewhere = (): Sentence =>
  toReaders(
    () => sentence`or ${AT_TERMINAL}: ${ownCommand('waiting')}; or in a browser, with: ${ownCommand('page')}`,
    sentence`or whoever may decide does so on the page, once signed in`,
  );
