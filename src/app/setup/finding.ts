import type { SETTINGS } from '../../config/settings.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Sentence } from '../../text/sentence.ts';

export type About =
  | 'Settings'
  | 'Client'
  | 'Node'
  | 'Proxy'
  | 'Account'
  | 'Main API'
  | 'Analytics API'
  | 'Analytics store'
  | 'SQL on the store'
  | 'Analytics engine'
  | 'Analytics engine (DuckDB)'
  | 'Charts'
  | 'Views'
  | 'Video catalogue'
  | 'Temporary files'
  | 'Clock'
  | 'Records for audit'
  | 'Waiting changes'
  | 'Address'
  | 'TLS'
  | 'Server'
  | 'Host'
  | 'Credential'
  | 'Moving videos'
  | (typeof SETTINGS)['dataDir' | 'filesDirs' | 'standingApprovals' | 'people' | 'publicUrl' | 'secondPerson' | 'clientToken']['title'];

/** The result of one check of the setup. */
export interface Finding {
  /** `note`: it works, or is not needed, but may not be intended. */
  readonly level: 'fine' | 'note' | 'wrong';
  /** What was checked. */
  readonly about: About;
  readonly detail: Sentence;
  /** What to do; undefined if it is fine. */
  readonly remedy?: Sentence;
  /** The error that it is the result of, if it is one. */
  readonly code?: ErrorCode;
}

export const fine = (about: About, detail: Sentence): Finding => ({ level: 'fine', about, detail });
export const note = (about: About, detail: Sentence, remedy: Sentence): Finding => ({ level: 'note', about, detail, remedy });
export const wrong = (about: About, detail: Sentence, remedy: Sentence, code?: ErrorCode): Finding =>
  definedFields({ level: 'wrong', about, detail, remedy, code } as const);
