import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BY_NEWER } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { codeOf, readRegular } from '../../platform/files.ts';
import { counted } from '../../text/counted.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { idListIn } from '../plan/facts.ts';
import { digestOfIds, digestOfRows, readIdList, rowsFrom } from '../plan/id-files.ts';
import { chainFileIn } from './audit-files.ts';
import {
  type AuditHead,
  type AuditLink,
  type AuditRecord,
  eachAuditLine,
  type FileRecord,
  isOfFile,
  NO_RECORDS,
  readAuditLine,
} from './audit-record.ts';
import { idsIn } from './file-names.ts';
import { parseLine } from './format.ts';

/** What is not as it was, by the first record that says so. */
export interface Altered {
  readonly n: number;
  readonly change?: string;
  readonly what: Sentence;
}

export interface Verified {
  /** Undefined where all is as it was. */
  readonly altered?: Altered;
  /** The record that was noted, where it is the one that is there: nothing up to it can have become another. */
  readonly proven?: Pick<AuditRecord, 'n' | 'at'>;
  /** The last record. */
  readonly head: AuditHead;
  readonly changes: number;
  /** What looks odd and is nothing that anybody altered. */
  readonly notes: readonly Sentence[];
}

/** Compares each record with the one before it and with the change that it tells of. `noted`: a head that somebody noted elsewhere. Writes nothing. */
export async function verifyAudit(folder: string, changes: string, noted?: AuditHead): Promise<Verified> {
  const { links, records, newer, torn, broken } = await readChain(chainFileIn(folder));
  const { n, hash } = links.at(-1) ?? NO_RECORDS;
  const ofChange = new Map<string, FileRecord[]>();
  for (const record of records.filter(isOfFile)) ofChange.set(record.change, [...(ofChange.get(record.change) ?? []), record]);
  const found: Altered[] = broken === undefined ? [] : [broken];
  let growing = 0;
  // With what only a newer version can read, nobody can tell here what a change’s file should be.
  const unread = new Set(newer.flatMap(({ change }) => change ?? []));
  for (const [change, told] of ofChange) {
    if (unread.has(change)) continue;
    const altered = await compare(changes, change, told);
    if (altered === 'growing') growing += 1;
    else if (altered !== undefined) found.push(altered);
  }
  found.push(...headProblems(links, noted, broken !== undefined));
  const there = idsIn(await readdir(changes).catch(noneIfLost));
  const unchained = there.filter((id) => !ofChange.has(id) && !unread.has(id));
  if (links.length === 0 && broken === undefined && there.length > 0) found.push(NOTHING_CHAINED);
  const [first] = found.toSorted((one, other) => one.n - other.n);
  return {
    ...(first === undefined ? {} : { altered: first }),
    ...definedFields({ proven: provenBy(links, noted) }),
    ...{ head: { n, hash }, changes: new Set(links.flatMap(({ change }) => change ?? [])).size },
    notes: [
      ...(torn === 0
        ? []
        : [
            sentence`${counted(torn, 'line')} of the chain ends in the middle: a process was killed, or the disk was full, while it wrote. Nothing is missing for it.`,
          ]),
      ...(newer.length === 0
        ? []
        : [
            sentence`${counted(newer.length, 'record')} ${newer.length === 1 ? 'was' : 'were'} ${BY_NEWER}: each is in its place, and with what ${newer.length === 1 ? 'it tells' : 'they tell'} no change was compared. Verify with that version.`,
          ]),
      ...(growing === 0
        ? []
        : [
            sentence`${counted(growing, 'change')} may still be added to: it runs, or its process was killed. What was recorded of it is as it was.`,
          ]),
      ...(unchained.length === 0 || links.length === 0
        ? []
        : [
            sentence`${counted(unchained.length, 'change')} ${unchained.length === 1 ? 'has' : 'have'} no record yet: the next change, and audit head, make it.`,
          ]),
    ],
  };
}

function provenBy(records: readonly AuditLink[], noted: AuditHead | undefined): Verified['proven'] {
  const record = noted && records[noted.n - 1];
  return record?.hash === noted?.hash && record !== undefined ? { n: record.n, at: record.at } : undefined;
}

/** For `catch`: what can’t be read now is not told as removed. */
function noneIfLost(error: unknown): [] {
  if (isGone(error)) return [];
  throw error;
}

/** Nothing, or something else, is in the place of a file. */
const isGone = (error: unknown): boolean => GONE.has(codeOf(error) ?? '');
const GONE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EFTYPE']);

const NOTHING_CHAINED: Altered = {
  n: 1,
  what: sentence`There are changes, and no record of any. Either they were made before changes were recorded, and audit head records them now, or the records were removed.`,
};

async function readChain(file: string) {
  const links: AuditLink[] = [];
  const newer: AuditLink[] = [];
  const records: AuditRecord[] = [];
  let head: AuditHead = NO_RECORDS;
  let torn = 0;
  try {
    for await (const line of eachAuditLine(file)) {
      const found = line === '' ? undefined : readAuditLine(line);
      if (found === undefined) {
        if (line !== '') torn += 1;
        continue;
      }
      const broken = brokenBy(found, head);
      if (broken !== undefined) return { links, records, newer, torn, broken };
      links.push(found.link);
      if (found.record === undefined) newer.push(found.link);
      else records.push(found.record);
      head = found.link;
    }
  } catch (error) {
    if (codeOf(error) !== 'EFTYPE') throw error;
    return {
      links,
      records,
      newer,
      torn,
      broken: { n: 1, what: sentence`The records were removed: what lies in their place is no file.` },
    };
  }
  return { links, records, newer, torn };
}

function brokenBy({ link: record, isWhole }: NonNullable<ReturnType<typeof readAuditLine>>, before: AuditHead): Altered | undefined {
  const { change } = record;
  if (record.n !== before.n + 1)
    return { n: before.n + 1, what: sentence`Record ${before.n + 1} is not where it was: record ${record.n} stands in its place.` };
  if (!isWhole) return { n: record.n, ...definedFields({ change }), what: sentence`Record ${record.n} was altered.` };
  if (record.prev !== before.hash)
    return {
      n: record.n,
      ...definedFields({ change }),
      what: sentence`Record ${record.n} does not follow on record ${before.n} as it is: one of them was replaced.`,
    };
  return undefined;
}

function headProblems(records: readonly AuditLink[], noted: AuditHead | undefined, isBroken: boolean): Altered[] {
  if (noted === undefined || noted.n === 0) return [];
  const record = records[noted.n - 1];
  if (record?.hash === noted.hash) return [];
  if (record !== undefined)
    return [
      {
        n: noted.n,
        what: sentence`Record ${noted.n} is not the one that was noted: it, or one before it, was replaced, and all after that made anew.`,
      },
    ];
  if (isBroken) return [];
  return [
    {
      n: records.length + 1,
      what: sentence`Record ${records.length + 1} and all after it were removed: the one that was noted is ${noted.n}.`,
    },
  ];
}

function undefinedIfGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}

/** Of the records of one change, the first with which its files don’t agree; `growing` where they do, and somebody may still add to them. */
async function compare(changes: string, change: string, records: readonly FileRecord[]): Promise<Altered | 'growing' | undefined> {
  const [first] = records;
  if (first === undefined) return undefined;
  const bytes = await readRegular(join(changes, `${change}.jsonl`)).catch(undefinedIfGone);
  if (bytes === undefined)
    return { n: first.n, change, what: sentence`${word(change)} was removed. Record ${first.n} is the first of it.` };
  const hash = createHash('sha256');
  let hashed = 0;
  for (const { n, bytes: length, sha256 } of records.toSorted((one, other) => one.bytes - other.bytes || one.n - other.n)) {
    hash.update(bytes.subarray(hashed, length));
    hashed = length;
    if (length > bytes.length)
      return { n, change, what: sentence`${word(change)} was cut or altered: record ${n} tells of more than is there.` };
    if (hash.copy().digest('hex') !== sha256)
      return { n, change, what: sentence`${word(change)} was altered: it is not as record ${n} tells.` };
  }
  if (!(await areListsWhole(changes, change, bytes.toString())))
    return {
      n: first.n,
      change,
      what: sentence`The list of ${word(change)} was altered or removed: it is not the one of which record ${first.n} tells.`,
    };
  const writers = new Set<string>();
  for (const { event, writer = '' } of records) if (event !== 'noted') event === 'opened' ? writers.add(writer) : writers.delete(writer);
  if (writers.size > 0) return 'growing';
  if (bytes.length === hashed) return undefined;
  const { n } = records.at(-1) ?? first;
  return { n, change, what: sentence`Something was added to ${word(change)} after record ${n}, with which it was over.` };
}

/** Whether the lists of a change are those whose digests stand in its intent. */
async function areListsWhole(changes: string, change: string, text: string): Promise<boolean> {
  const intent = parseLine(text.slice(0, text.indexOf('\n')));
  const list = intent?.type === 'intent' ? idListIn(intent.facts) : undefined;
  // A journal of an earlier version may have none.
  if (list === undefined || list.digest === '') return true;
  try {
    const ids = await readIdList(join(changes, `${change}.ids`));
    const rows = list.rows === undefined ? undefined : rowsFrom(await readRegular(join(changes, `${change}.rows`)), ids.length);
    return digestOfIds(ids) === list.digest && (list.rows === undefined || (rows !== undefined && digestOfRows(rows) === list.rows));
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
