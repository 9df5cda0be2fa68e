import { sentence } from '../../text/sentence.ts';
import type { Kind } from './kind.ts';

// Of what changes nothing in the account.

export const REST_OF_LOCAL: ReturnType<Kind['rest']> = { never: sentence`It is done at once or not at all.` };

export const RETRY_OF_LOCAL: Kind['retry'] = {
  no: sentence`Nothing of it is sent to the service.`,
  hint: sentence`Call the same tool anew.`,
};
