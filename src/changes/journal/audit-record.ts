import { createHash } from 'node:crypto';
import * as z from 'zod';
import { codeOf, openRegular } from '../../platform/files.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { AskedSchema, DecidedSchema } from '../plan/asked-and-decided.ts';
import { ours } from '../plan/notice.ts';
import { Time } from '../plan/records.ts';

const Count = z.int().min(0);

/**
 * What a record of the chain tells of a change’s file. `opened`: a writer may add to it from now on; `closed`: it adds nothing more; `noted`: it was
 * there, and no record told of it: it was made before changes were chained, or its process was killed first. `unbegun`: it waited for a person and
 * was never begun, so that it has no file, and the record has all that is kept of it.
 */
const EVENTS = ['opened', 'closed', 'noted', 'unbegun'] as const;

const UnbegunSchema = z
  .object({
    kind: z.string(),
    summary: ours,
    asked: AskedSchema,
    /** `withdrawn`: by whoever asked, unless the same was `answered` otherwise; `needless`: approved when nothing was left to be done. */
    status: z.enum(['declined', 'withdrawn', 'expired', 'needless']),
    endedAt: Time,
    /** Which person declined or approved it, and how. */
    decided: DecidedSchema.optional(),
    /** The same was begun or declined in another way, where it is known by which change. */
    answered: z.object({ by: z.string().optional() }).readonly().optional(),
    /** The digest of the plan that a person was shown, or would have been. */
    shown: z.string(),
    total: Count,
  })
  .readonly();
/** What is kept for auditors of a change that was never begun. */
export type UnbegunChange = z.output<typeof UnbegunSchema>;

/** Tells one from another that waited under the same id. */
export const unbegunKey = (changeId: string, { endedAt }: Pick<UnbegunChange, 'endedAt'>): string => `${changeId} ${endedAt}`;

const Hash = z.string().regex(/^[0-9a-f]{64}$/);

/** What a record of any version has: its place in the chain. */
const link = {
  /** From 1 on, without a gap. */
  n: Count,
  at: z.iso.datetime(),
  /** The hash of the record before it. */
  prev: Hash,
  /** Of all that stands before it in its line. */
  hash: Hash,
};
const LinkSchema = z.object({ ...link, change: z.string().optional().catch(undefined) });
export type AuditLink = Readonly<z.output<typeof LinkSchema>>;

const RecordSchema = z.strictObject({
  ...link,
  change: z.string(),
  event: z.enum(EVENTS),
  /** Whose writing begins or is over; of `noted`, nobody’s. */
  writer: z.string().optional(),
  /** How much of the change’s file is there, and the SHA-256 of that. More may be added to it, but none of this becomes another. */
  bytes: Count.optional(),
  sha256: Hash.optional(),
  unbegun: UnbegunSchema.optional(),
});
export type AuditRecord = Readonly<z.output<typeof RecordSchema>>;
/** One of a change that has a file. */
export type FileRecord = AuditRecord & { readonly bytes: number; readonly sha256: string };
export const isOfFile = (record: AuditRecord): record is FileRecord => record.bytes !== undefined && record.sha256 !== undefined;
export type NewAuditRecord = Omit<AuditRecord, 'n' | 'at' | 'prev' | 'hash'>;

/** Where a chain stands: by the number and the hash of its last record nothing before it can become another. */
export type AuditHead = Pick<AuditRecord, 'n' | 'hash'>;

const HASH_LENGTH = 64;
export const NO_RECORDS: AuditHead = { n: 0, hash: '0'.repeat(HASH_LENGTH) };

export const headText = ({ n, hash }: AuditHead): string => `${n}-${hash}`;

/** Undefined where it is no line that `headText` made. */
export function readHead(text: string): AuditHead | undefined {
  const [, n, hash] = /^(0|[1-9]\d{0,8})-([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  if (n === undefined || hash === undefined) return undefined;
  // One whose number lost its digits would prove nothing, and be said to agree.
  return n === '0' && hash !== NO_RECORDS.hash ? undefined : { n: Number(n), hash };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The line of the record that follows on another. */
export function auditLine(made: NewAuditRecord, before: AuditHead, at: string) {
  const linked = { n: before.n + 1, at, ...made, prev: before.hash };
  const content = JSON.stringify(linked);
  const record: AuditRecord = { ...linked, hash: hashOf(content) };
  return { record, line: `${content.slice(0, -1)},"hash":"${record.hash}"}\n`, head: { n: record.n, hash: record.hash } };
}

const LINE = /^(?<content>\{.*),"hash":"(?<hash>[0-9a-f]{64})"\}$/;

interface AuditLine {
  readonly link: AuditLink;
  /** Undefined where it is none that this version writes: a newer one did, or it is not whole. */
  readonly record: AuditRecord | undefined;
  /** It is as it was written. */
  readonly isWhole: boolean;
}

/** The record of a line; undefined where it is none at all, as what a kill leaves of one. */
export function readAuditLine(line: string): AuditLine | undefined {
  const { content, hash } = LINE.exec(line)?.groups ?? {};
  if (content === undefined) return undefined;
  const value = parseJsonOrUndefined(line);
  const record = RecordSchema.safeParse(value).data;
  const found = record ?? LinkSchema.safeParse(value).data;
  return found && { link: found, record, isWhole: hashOf(`${content}}`) === hash };
}

/** Longer than any record. */
const MAX_LINE = 1_000_000;

/** The whole lines of a chain. What stands after the end of the last one is none. Throws at once for what is no file. */
export async function* eachAuditLine(file: string): AsyncGenerator<string> {
  const handle = await openRegular(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return;
  let rest = '';
  try {
    for await (const chunk of handle.createReadStream({ encoding: 'utf8', autoClose: false })) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = (lines.pop() ?? '').slice(0, MAX_LINE);
      yield* lines;
    }
  } finally {
    await handle.close();
  }
}
