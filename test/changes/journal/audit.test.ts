/** The chain of records by which an auditor tells whether a change was altered, removed or put elsewhere. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAuditChain } from '../../../src/changes/journal/audit-chain.ts';
import { type AuditHead, auditLine, headText, NO_RECORDS, readHead } from '../../../src/changes/journal/audit-record.ts';
import { verifyAudit } from '../../../src/changes/journal/audit-verify.ts';
import { auditedJournal } from '../../../src/changes/journal/audited-journal.ts';
import type { NewIntent } from '../../../src/changes/journal/format.ts';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import { digestOfIds } from '../../../src/changes/plan/id-files.ts';
import { freshHome } from '../../harness/cleanup.ts';
import { copyIntent, moveIntent } from '../support/intents.ts';
import { abandon } from '../support/journal-files.ts';

const VIDEOS = ['v1', 'v2'];
const move = (changeId: string): NewIntent => ({
  ...moveIntent(changeId),
  kind: 'move_videos',
  facts: { move: { digest: digestOfIds(VIDEOS), targetProjects: [], fromProjects: [] } },
});

function withJournal(home = freshHome()) {
  const [folder, changes] = [join(home, 'audit'), join(home, 'changes')];
  const told: string[] = [];
  const chain = createAuditChain(folder, changes, (message) => told.push(message));
  const journal = auditedJournal(createJournal(changes), chain);
  const lines = () =>
    readFileSync(join(folder, 'chain.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  /** Changes of two videos each, one after another. */
  async function make(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const changeId = await journal.newChangeId();
      const writer = await journal.begin(move(changeId), VIDEOS);
      // Its beginning is recorded while it goes on.
      await chain.catchUp();
      await writer.sendingRange(0, 2, false);
      await writer.recordRange(0, 2, 'done');
      await writer.end('applied', {});
      ids.push(changeId);
    }
    await chain.head();
    return ids;
  }
  return {
    ...{ home, folder, changes, chain, journal, lines, make, told },
    file: (changeId: string, ending = 'jsonl') => join(changes, `${changeId}.${ending}`),
    chainFile: join(folder, 'chain.jsonl'),
    verify: (noted?: AuditHead) => verifyAudit(folder, changes, noted),
  };
}

const edit = (file: string, from: string | RegExp, to: string): void => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));

test('each change is recorded when it begins and when it is over, and nothing is altered', async () => {
  const { make, verify, lines } = withJournal();
  const [one, other] = await make(2);
  const records = lines().map((line) => JSON.parse(line));
  expect(records.map(({ n, change, event }) => [n, change, event])).toEqual([
    [1, one, 'opened'],
    [2, one, 'closed'],
    [3, other, 'opened'],
    [4, other, 'closed'],
  ]);
  expect(records[0]).toMatchObject({ prev: '0'.repeat(64) });
  expect(records[1].prev).toBe(records[0].hash);
  expect(await verify()).toEqual({ head: { n: 4, hash: records[3].hash }, changes: 2, notes: [] });
});

type Attack = readonly [string, (kept: ReturnType<typeof withJournal>, ids: readonly string[]) => void, number, string];

function pipeInPlaceOf(file: string): void {
  rmSync(file, { force: true });
  execFileSync('mkfifo', [file]);
}

const PIPES: readonly Attack[] = [
  ['a pipe is in the place of the records', ({ chainFile }) => pipeInPlaceOf(chainFile), 1, 'what lies in their place is no file'],
  [
    'a pipe is in the place of a change',
    ({ file }, [, two]) => pipeInPlaceOf(file(`${two}`)),
    3,
    'was removed. Record 3 is the first of it.',
  ],
  ['a pipe is in the place of a list of ids', ({ file }, [, two]) => pipeInPlaceOf(file(`${two}`, 'ids')), 3, 'The list of'],
];

const ATTACKS: readonly Attack[] = [
  [
    'a change is altered',
    ({ file }, [, two]) => edit(file(`${two}`), '"outcome":"done"', '"outcome":"failed"'),
    4,
    'was altered: it is not as record 4 tells',
  ],
  [
    'the intent of a change is altered',
    ({ file }, [, two]) => edit(file(`${two}`), 'Any.', 'All.'),
    3,
    'was altered: it is not as record 3 tells',
  ],
  ['a change is removed', ({ file }, [, two]) => rmSync(file(`${two}`)), 3, 'was removed. Record 3 is the first of it.'],
  [
    'the end of a change is cut off',
    ({ file }, [, two]) => edit(file(`${two}`), /\{"type":"end".*\n$/, ''),
    4,
    'was cut or altered: record 4 tells of more than is there',
  ],
  [
    'something is added to a change that is over',
    ({ file }, [one]) => appendFileSync(file(`${one}`), '{"type":"end"}\n'),
    2,
    'after record 2, with which it was over',
  ],
  ['a list of ids is altered', ({ file }, [, , three]) => edit(file(`${three}`, 'ids'), 'v2', 'v3'), 5, 'The list of'],
  ['a list of ids is removed', ({ file }, [one]) => rmSync(file(`${one}`, 'ids')), 1, 'The list of'],
  ['a change stands in the place of another', ({ file }, [one, two]) => cpSync(file(`${one}`), file(`${two}`)), 3, 'not as record 3 tells'],
  ['a record is altered', ({ chainFile }) => edit(chainFile, '"n":3,"at":"20', '"n":3,"at":"19'), 3, 'Record 3 was altered.'],
  [
    'a record is removed',
    ({ chainFile, lines }) => writeFileSync(chainFile, lines().toSpliced(2, 1).join('\n')),
    3,
    'Record 3 is not where it was: record 4 stands in its place.',
  ],
  [
    'records are put in another order',
    ({ chainFile, lines }) => {
      const [one = '', two = '', three = '', ...rest] = lines();
      writeFileSync(chainFile, [one, three, two, ...rest, ''].join('\n'));
    },
    2,
    'Record 2 is not where it was: record 3 stands in its place.',
  ],
  ...(process.platform === 'win32' ? [] : PIPES),
  ['all records are removed', ({ folder }) => rmSync(folder, { recursive: true }), 1, 'There are changes, and no record of any.'],
];

test.each(ATTACKS)('%s: the first record that is not as it was is told', async (_, attack, n, what) => {
  const kept = withJournal();
  const ids = await kept.make(3);
  attack(kept, ids);
  const { altered } = await kept.verify();
  expect(altered).toMatchObject({ n, what: expect.stringContaining(what) });
});

test('by a record that was noted elsewhere it is told that the last ones were removed, or all made anew', async () => {
  const kept = withJournal();
  await kept.make(1);
  const early = await kept.chain.head();
  await kept.make(2);
  const late = await kept.chain.head();
  expect([(await kept.verify(early)).altered, (await kept.verify(late)).altered]).toEqual([undefined, undefined]);
  // With its records, whoever may write there can remove a change.
  const [, , , , last] = kept.lines();
  rmSync(kept.file(JSON.parse(`${last}`).change));
  writeFileSync(kept.chainFile, `${kept.lines().slice(0, 4).join('\n')}\n`);
  expect((await kept.verify()).altered).toBeUndefined();
  expect((await kept.verify(late)).altered).toEqual({
    n: 5,
    what: expect.stringContaining('Record 5 and all after it were removed: the one that was noted is 6.'),
  });
  // And make a chain of what is left.
  rmSync(kept.folder, { recursive: true });
  await createAuditChain(kept.folder, kept.changes).head();
  expect((await kept.verify()).altered).toBeUndefined();
  expect((await kept.verify(early)).altered).toEqual({ n: 2, what: expect.stringContaining('Record 2 is not the one that was noted') });
});

test('what can’t be read now is not told as removed', async () => {
  const kept = withJournal();
  const [changeId] = await kept.make(1);
  const tooLong = join(kept.changes, 'x'.repeat(300));
  rmSync(kept.file(`${changeId}`));
  // What names a name that is too long can’t be opened, whoever runs this.
  symlinkSync(tooLong, kept.file(`${changeId}`));
  await expect(kept.verify()).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
});

test('a record that was noted is told with its time, and proves nothing of those after it', async () => {
  const kept = withJournal();
  await kept.make(1);
  const noted = await kept.chain.head();
  expect((await kept.verify(noted)).proven).toEqual({ n: 2, at: JSON.parse(kept.lines()[1] ?? '').at });
  await kept.make(1);
  expect(await kept.verify(noted)).toMatchObject({ proven: { n: 2 }, head: { n: 4 } });
  expect((await kept.verify()).proven).toBeUndefined();
});

test('changes from before there were records are recorded by the next process, and told as not recorded until then', async () => {
  const home = freshHome();
  const journal = createJournal(join(home, 'changes'));
  const changeId = await journal.newChangeId();
  await (await journal.begin(copyIntent(changeId), ['v1'])).end('applied', {});
  const { chain, verify, lines, make, file } = withJournal(home);
  expect((await verify()).altered).toMatchObject({ n: 1, what: expect.stringContaining('made before changes were recorded') });
  await chain.catchUp();
  expect(lines().map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ n: 1, change: changeId, event: 'noted' })]);
  await chain.catchUp();
  await make(1);
  expect([lines().length, (await verify()).altered]).toEqual([3, undefined]);
  edit(file(changeId), 'Any.', 'All.');
  expect((await verify()).altered?.n).toBe(1);
});

test('two processes that record at once make one chain', async () => {
  const home = freshHome();
  const [one, other] = [withJournal(home), withJournal(home)];
  await Promise.all([one.make(8), other.make(8)]);
  expect(await one.verify()).toMatchObject({ changes: 16, notes: [] });
  expect((await one.verify()).altered).toBeUndefined();
});

test('a change whose process was killed may still be added to, and is over once it was carried on', async () => {
  const { journal, chain, verify, file, lines, chainFile, home } = withJournal();
  const changeId = await journal.newChangeId();
  const writer = await journal.begin(moveIntent(changeId), ['v1', 'v2']);
  await writer.sendingRange(0, 1, true);
  await chain.head();
  expect(await verify()).toMatchObject({ notes: [expect.stringContaining('1 change may still be added to')] });
  // Its process is killed in the middle of a line.
  abandon(file(changeId));
  const line = lines()[0] ?? '';
  // The same with the record, which would tell of the file as it was before that.
  rmSync(chainFile);
  const again = withJournal(home);
  appendFileSync(file(changeId), '{"type":"range","ep');
  expect(line).toContain('opened');
  await again.chain.catchUp();
  expect((await again.verify()).altered).toBeUndefined();
  const resumed = await again.journal.resume(changeId);
  await resumed?.writer.end('stopped', {});
  await again.chain.head();
  expect(await again.verify()).toMatchObject({ changes: 1, notes: [] });
  appendFileSync(file(changeId), '{"type":"end"}\n');
  expect((await again.verify()).altered?.what).toContain('Something was added');
});

test('a line of the chain that a kill cut is told as that, and nothing is missing for it', async () => {
  const home = freshHome();
  const first = withJournal(home);
  await first.make(2);
  const { length } = readFileSync(first.chainFile);
  // The last record was about to be written.
  truncateSync(first.chainFile, length - 20);
  expect((await first.verify()).altered).toBeUndefined();
  const next = withJournal(home);
  await next.make(1);
  const { altered, notes } = await next.verify();
  expect(altered).toBeUndefined();
  expect(notes).toEqual([
    expect.stringContaining('1 line of the chain ends in the middle: a process was killed, or the disk was full,'),
    expect.stringContaining('may still be added to'),
  ]);
});

test('a record that a newer version wrote is in its place, is told as that, and the next one follows on it', async () => {
  const { make, verify, chain, chainFile, folder, changes, file, lines } = withJournal();
  const [one = ''] = await make(1);
  const head = await chain.head();
  // An event that is none here, with which something was added to the change.
  const { line } = auditLine({ change: one, event: 'paused' as 'closed' }, head, new Date().toISOString());
  appendFileSync(file(one), '{"type":"paused"}\n');
  appendFileSync(chainFile, line);
  const told: string[] = [];
  const other = createAuditChain(folder, changes, (message) => told.push(message));
  const journal = auditedJournal(createJournal(changes), other);
  const next = await journal.newChangeId();
  await (await journal.begin(move(next), VIDEOS)).end('applied', {});
  await other.head();
  expect(lines().map((text) => JSON.parse(text).n)).toEqual(lines().map((_, index) => index + 1));
  expect(lines().filter((text) => JSON.parse(text).change === one)).toHaveLength(3);
  expect(told).toEqual([]);
  const { altered, notes } = await verify();
  expect([altered, notes]).toEqual([
    undefined,
    [
      '1 record was written by a newer version of this program: each is in its place, and with what it tells no change was compared. Verify with that version.',
    ],
  ]);
  edit(chainFile, '"event":"paused"', '"event":"parked"');
  expect((await verify()).altered).toBeDefined();
});

test('what is carried on is recorded before anything is added to it', async () => {
  const { journal, chain, lines, file } = withJournal();
  const changeId = await journal.newChangeId();
  await (await journal.begin(moveIntent(changeId), ['v1', 'v2'])).end('stopped', {});
  await chain.head();
  const size = readFileSync(file(changeId)).length;
  const resumed = await journal.resume(changeId);
  const records = lines().map((line) => JSON.parse(line));
  expect(records.at(-1)).toMatchObject({ n: 3, event: 'opened', bytes: size });
  expect(resumed).toBeDefined();
});

test('records that were cut or removed while a process runs are told at once, and what happens next is recorded', async () => {
  const { make, told, lines, chainFile, chain, verify } = withJournal();
  await make(3);
  const [head, before] = [await chain.head(), lines()];
  expect(told).toEqual([]);
  writeFileSync(chainFile, `${before.slice(0, 2).join('\n')}\n`);
  const [changeId] = await make(1);
  const cut =
    /^The records of changes were cut or replaced while this process ran: it had read them up to record 6, .* audit verify --head/;
  expect(told).toEqual([expect.stringMatching(cut)]);
  expect(await chain.trouble()).toEqual({ altered: expect.stringContaining('cut or replaced') });
  expect(lines().slice(2).join('\n')).toContain(`"change":"${changeId}","event":"closed"`);
  expect(await verify(head)).toMatchObject({ altered: expect.anything() });
  rmSync(chainFile);
  await make(1);
  expect(told).toHaveLength(2);
  expect(await verify()).toMatchObject({ changes: 5, notes: [] });
});

test('records that were replaced by others, as long or longer, while a process runs are told', async () => {
  const [kept, other] = [withJournal(), withJournal()];
  await kept.make(2);
  await other.make(4);
  cpSync(other.chainFile, kept.chainFile);
  await kept.make(1);
  expect(kept.told).toEqual([expect.stringContaining('cut or replaced while this process ran')]);
  expect(await kept.verify()).toMatchObject({ head: { n: expect.any(Number) }, altered: { what: expect.stringContaining('was removed') } });
});

test('that a record does not follow on the one before it is told once by whoever reads it', async () => {
  const kept = withJournal();
  await kept.make(3);
  writeFileSync(kept.chainFile, `${kept.lines().toSpliced(2, 1).join('\n')}\n`);
  const next = withJournal(kept.home);
  await next.make(1);
  expect(next.told).toEqual([expect.stringContaining('record 4 does not follow on record 2')]);
});

test('records that were removed before a process began are not made anew by that, and are told', async () => {
  const kept = withJournal();
  await kept.make(2);
  rmSync(kept.chainFile);
  const next = withJournal(kept.home);
  await next.chain.catchUpAtStart();
  expect(existsSync(kept.chainFile)).toBe(false);
  expect(next.told).toEqual([expect.stringContaining('no record of any: the records were removed, or')]);
  await next.make(1);
  expect(await next.verify()).toMatchObject({ changes: 3, notes: [] });
});

test.each([
  ['a file in the place of their folder', ({ folder }: ReturnType<typeof withJournal>) => writeFileSync(folder, '')],
  ['a folder in their place', ({ chainFile }: ReturnType<typeof withJournal>) => mkdirSync(chainFile, { recursive: true })],
  ...(process.platform === 'win32'
    ? []
    : [
        [
          'a pipe in their place',
          ({ folder, chainFile }: ReturnType<typeof withJournal>) => {
            mkdirSync(folder);
            execFileSync('mkfifo', [chainFile]);
          },
        ] as const,
      ]),
] as const)('%s is told once, and what happened is recorded by the same process once it is gone', async (_, obstruct) => {
  const kept = withJournal();
  const { journal, chain, told, folder, verify } = kept;
  obstruct(kept);
  const changeId = await journal.newChangeId();
  await (await journal.begin(moveIntent(changeId), ['v1'])).end('applied', {});
  await chain.noted();
  await chain.noted();
  expect(told).toEqual([expect.stringMatching(/^What happens to changes can’t be recorded for audit now\. The disk refused it \(E/)]);
  expect(await chain.trouble()).toEqual({ failing: expect.stringContaining('The disk refused it') });
  rmSync(folder, { recursive: true });
  expect(await chain.trouble()).toEqual({});
  expect(told.slice(1)).toEqual(['What happens to changes is recorded for audit again.']);
  // Nothing may be added to it unseen, although no other change began.
  expect(await verify()).toMatchObject({ changes: 1, notes: [] });
});

test('where nothing can be recorded, a change goes on, and is recorded later', async () => {
  const { journal, chain, folder, verify } = withJournal();
  writeFileSync(folder, '');
  const changeId = await journal.newChangeId();
  const writer = await journal.begin(moveIntent(changeId), ['v1']);
  await writer.end('applied', {});
  await chain.end();
  rmSync(folder);
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder);
  await createAuditChain(folder, join(folder, '..', 'changes')).head();
  expect(await verify()).toMatchObject({ changes: 1, notes: [] });
});

test('what is looked for while the account is closed is written neither then nor later', async () => {
  const { journal, chain, folder } = withJournal();
  const changeId = await journal.newChangeId();
  await (await journal.begin(moveIntent(changeId), ['v1'])).end('applied', {});
  await chain.noted();
  const late = createAuditChain(folder, join(folder, '..', 'changes'));
  const lookedFor = late.catchUp();
  await late.end();
  await chain.end();
  rmSync(folder, { recursive: true });
  await lookedFor;
  expect(existsSync(folder)).toBe(false);
});

test('a head is read as it was printed, and nothing else is', () => {
  const hash = 'a'.repeat(64);
  expect(readHead(` 12-${hash}\n`)).toEqual({ n: 12, hash });
  expect(readHead(headText(NO_RECORDS))).toEqual(NO_RECORDS);
  for (const text of ['', '12', hash, `12-${hash}0`, `-1-${hash}`, `12-${hash.toUpperCase()}`, `0-${hash}`, `012-${hash}`])
    expect([text, readHead(text)]).toEqual([text, undefined]);
});
