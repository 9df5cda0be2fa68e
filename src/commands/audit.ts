import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { notedFolders } from '../app/account-folder.ts';
import { type AuditEntry, auditEntries, unbegunIn } from '../app/audit.ts';
import { accountsIn, auditIn, changesIn, keptIn } from '../app/folders.ts';
import { createAuditChain } from '../changes/journal/audit-chain.ts';
import { type AuditHead, headText, NO_RECORDS, readHead } from '../changes/journal/audit-record.ts';
import { verifyAudit } from '../changes/journal/audit-verify.ts';
import { createJournal } from '../changes/journal/journal.ts';
import type { Decided } from '../changes/plan/asked-and-decided.ts';
import { CONFIRMED_BY } from '../changes/plan/confirmed-by.ts';
import type { Unbegun } from '../changes/proposals/unbegun-change.ts';
import { askedBy, toldDecided } from '../changes/tell/agreement.ts';
import { missingSettings } from '../config/settings.ts';
import { invalidArguments } from '../errors/field-problems.ts';
import { counted } from '../text/counted.ts';
import { ownCommand } from '../text/own-command.ts';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import { timeText } from '../text/time-text.ts';
import { assertNoDemo, EXIT, type ExitCode, notSet, type Surroundings, TELLS_ACCOUNT } from './surroundings.ts';

/** `audit`: who asked for each change, who decided and what came of it, and whether any of that was altered since. Nothing is asked of the service. */
export async function audit(surroundings: Surroundings): Promise<ExitCode> {
  const { settings, options } = surroundings.config;
  assertNoDemo(settings);
  const { baseUrl, apiKey } = settings;
  if (baseUrl === undefined || apiKey === undefined) throw notSet(missingSettings(settings), TELLS_ACCOUNT);
  const { path, isUnknown } = await notedFolders({ ...settings, baseUrl, apiKey });
  if (isUnknown) return ofNothing(surroundings);
  const [folder, changes] = [auditIn(path), changesIn(path)];
  if (options.action === 'verify') return verify(folder, changes, surroundings);
  const waited = await unbegunIn(keptIn(path), basename(path), createJournal(changes));
  return options.action === 'head' ? printHead(folder, changes, waited, surroundings) : list(folder, changes, waited, surroundings);
}

/** Nothing is known of the key here. That accuses nobody: a renewed one is known once a server has begun with it. */
async function ofNothing({ config: { settings, options }, print, log }: Surroundings): Promise<ExitCode> {
  const others = (await readdir(accountsIn(settings.dataDir)).catch(() => [])).length;
  const noted = headGiven(options.head);
  if (others === 0 && (noted === undefined || noted.n === 0)) {
    if (options.action === 'head') print(`${headText(NO_RECORDS)}\n`);
    else if (options.action === 'verify') print('Nothing is recorded: no change of this account is in the journal.\n');
    else log('No change of this account is in the journal.');
    return EXIT.done;
  }
  log(
    sentence`Nothing is known here of this key at this address, so nothing can be told of its changes.${others === 0 ? '' : sentence` What is kept in this data folder is of ${counted(others, 'other key')}.`} Where the key was renewed, start the server with it once, and it finds its history. Else give the key, address and data folder that the server has. If these are its own, all that was kept was removed, and the records with it.`,
  );
  return EXIT.usage;
}

async function list(folder: string, changes: string, waited: readonly Unbegun[], { config, print, log }: Surroundings): Promise<ExitCode> {
  const entries = auditEntries(createJournal(changes), folder, waited);
  if (config.options.json === true) {
    for await (const entry of entries) print(`${JSON.stringify(entry)}\n`);
    return EXIT.done;
  }
  let count = 0;
  for await (const entry of entries) {
    if (count === 0) print(rowOf(HEADINGS));
    count += 1;
    print(rowOf(cellsOf(entry)));
  }
  log(
    count === 0
      ? 'No change of this account is in the journal.'
      : `${counted(count, 'change')}. ${ownCommand('audit verify')} tells whether any was altered since.`,
  );
  return EXIT.done;
}

type Cells = readonly [records: string, begun: string, status: string, asked: string, decided: string, what: string];

const HEADINGS: Cells = ['RECORDS', 'BEGUN', 'STATUS', 'ASKED', 'DECIDED', 'CHANGE'];
const WIDTHS = [9, 22, 14, 30, 40] as const;

/** What is wider than its column moves the others of its row, since nothing of it may be cut. */
const rowOf = (cells: Cells): string => `${cells.map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0)).join('  ')}\n`;

function cellsOf(entry: AuditEntry): Cells {
  const { change, records, begunAt, status, asked, summary, outcome } = entry;
  const { total, ...counts } = outcome;
  const came = Object.entries(counts).flatMap(([name, count]) =>
    count === 0 ? [] : [`${count} ${OUTCOMES[name as keyof typeof OUTCOMES]}`],
  );
  return [
    records === undefined ? 'none yet' : records.first === records.last ? String(records.first) : `${records.first} to ${records.last}`,
    timeText(Date.parse(begunAt)),
    status.replace('_', ' '),
    asked === undefined ? 'not known' : askedBy(asked) || 'by the user',
    decidedText(status, entry.decided, 'answered' in entry ? entry.answered : undefined),
    `${change}: ${summary}: ${came.join(', ')} of ${total}`,
  ];
}

/** Who decided, or how else its wait ended. `answered`: the same was begun or declined otherwise, where it is known by which change. */
function decidedText(status: string, decided: Decided | undefined, answered: { readonly by?: string | undefined } | undefined): Sentence {
  if (decided === undefined && answered !== undefined)
    return sentence`nobody: the same was answered by ${answered.by === undefined ? sentence`another` : word(answered.by)}`;
  if (decided === undefined) return status === 'expired' ? sentence`nobody, in its time` : sentence`nobody: whoever asked withdrew it`;
  if (status !== 'declined') return toldDecided(decided, 'assistant').words;
  const { by, how } = decided;
  return sentence`${by === undefined ? 'A person' : word(by.name)} declined ${CONFIRMED_BY[how].where ?? sentence``}`;
}

const OUTCOMES = { done: 'done', failed: 'failed', notKnown: 'not known', notDone: 'not done' } as const;

async function printHead(folder: string, changes: string, waited: readonly Unbegun[], { print, log }: Surroundings): Promise<ExitCode> {
  const chain = createAuditChain(folder, changes, log);
  for (const { changeId, endedAt, change } of waited) chain.unbegun(changeId, endedAt, change);
  const head = await chain.head();
  print(`${headText(head)}\n`);
  log(
    sentence`Note it where nobody who can write on this machine can. Later, ${ownCommand('audit verify --head')} LINE tells whether anything up to it was altered, removed or reordered. What comes after it takes a later line.`,
  );
  return EXIT.done;
}

async function verify(folder: string, changes: string, { config, print, log }: Surroundings): Promise<ExitCode> {
  const { altered, proven, head, changes: count, notes } = await verifyAudit(folder, changes, headGiven(config.options.head));
  for (const note of notes) log(note);
  if (altered !== undefined) {
    print(`${altered.what}\n`);
    return EXIT.failed;
  }
  const all = `${counted(head.n, 'record')} of ${counted(count, 'change')}. The last record is ${headText(head)}`;
  const since = proven && head.n - proven.n;
  if (proven === undefined) {
    print(`The records agree with each other and with the changes: ${all}\n`);
    log(
      `Whoever can write here could have made all records anew. Against that, note a line of ${ownCommand('audit head')} elsewhere, and give it with --head.`,
    );
    return EXIT.done;
  }
  const known = `Nothing was altered, removed or reordered up to record ${proven.n} (${timeText(Date.parse(proven.at))}), which was noted`;
  if (since === 0) {
    print(`${known}: ${all}\n`);
    return EXIT.done;
  }
  print(
    `${known}. ${since === 1 ? 'The 1 record' : `The ${since} records`} since ${since === 1 ? 'agrees' : 'agree'} with the others and with the changes: ${all}\n`,
  );
  log(
    `What came after record ${proven.n} is as whoever can write here left it: no line that was noted proves it. Note the last record elsewhere, and give that from now on.`,
  );
  return EXIT.done;
}

/** Throws `invalid_arguments`. */
function headGiven(text: string | undefined): AuditHead | undefined {
  if (text === undefined) return undefined;
  const head = readHead(text);
  if (head !== undefined) return head;
  throw invalidArguments([
    {
      field: sentence`head`,
      problem: sentence`this is no line of ${ownCommand('audit head')}: a number, a hyphen and 64 digits and letters.`,
    },
  ]);
}
