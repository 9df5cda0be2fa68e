import type { ChangeRecord } from '../../journal/change-record.ts';
import { kindOf } from '../index.ts';
import type { LookDeps } from '../kind.ts';
import { findUnknown } from './find-unknown.ts';

/** Looks in the account for what is not known of a change that is over, where its kind can. */
export const lookAgain = (record: ChangeRecord, deps: LookDeps, signal: AbortSignal): Promise<ChangeRecord> =>
  findUnknown(record, kindOf(record.intent.kind).lookAgain, deps, signal);
