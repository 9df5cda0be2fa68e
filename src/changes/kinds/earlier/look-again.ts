import type { ChangeRecord } from '../../journal/change-record.ts';
import { kindOf } from '../index.ts';
import type { LookDeps } from '../kind.ts';
import { findUnknown } from './find-unknown.ts';

/** Looks in the account for what is not known of a change that is over. Changes of many ids are left alone: nothing shows where a video is. */
export const lookAgain = (record: ChangeRecord, deps: LookDeps, signal: AbortSignal): Promise<ChangeRecord> =>
  findUnknown(record, kindOf(record.intent.kind).lookAgain, deps, signal);
