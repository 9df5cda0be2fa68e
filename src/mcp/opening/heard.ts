import type { Answers } from './door.ts';

/** What a door answers: where every tool is offered, and where none that changes the account is. */
export interface Heard {
  readonly all: Answers;
  readonly readOnly: Answers;
}

const NONE: Answers = { initialize: {}, legacy: {}, modern: {} };

/** Nothing, so that the server answers everything itself. The build puts what `record.ts` heard in this module's place. */
export const heard = (): Heard => ({ all: NONE, readOnly: NONE });
