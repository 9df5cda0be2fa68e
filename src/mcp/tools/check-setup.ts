import * as z from 'zod';
import { isRendererInstalled } from '../../analytics/chart/installed.ts';
import { isDuckInstalled } from '../../analytics/engine/installed.ts';
import { type AccountCheck, checkAccount } from '../../app/setup/check-account.ts';
import { checkStore } from '../../app/setup/check-apis.ts';
import { auditFinding } from '../../app/setup/check-audit.ts';
import { keptFinding } from '../../app/setup/check-kept.ts';
import { keyFinding, othersFinding } from '../../app/setup/check-known.ts';
import { checkMachine } from '../../app/setup/check-machine.ts';
import { rolesFindings } from '../../app/setup/check-people.ts';
import { credentialsOut, hiddenOut, notSetOut, settingsList } from '../../app/setup/describe.ts';
import { type About, type Finding, note, wrong } from '../../app/setup/finding.ts';
import { selfConfirmedText } from '../../app/standing.ts';
import { missingSettings, type Settings } from '../../config/settings.ts';
import { ERRORS } from '../../errors/codes.ts';
import type { Person } from '../../people/people.ts';
import { toOperator, toTakeEffect } from '../../text/own-command.ts';
import { joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import { sentenceOut } from '../answer/answer-schema.ts';
import { defineSetupTool } from '../define-tool.ts';
import { confirmsItself, howConfirmed } from '../setup/how-confirmed.ts';

const ApiOut = z.looseObject({ ok: z.boolean(), detail: sentenceOut() });

export const checkSetup = defineSetupTool({
  name: 'check_setup',
  title: 'Check the setup',
  description:
    'Whether this server works: what does not and which setting it takes, the credential’s expiry, how changes are confirmed in this client, what is hidden and why. Call it when anything fails.',
  input: { details: z.boolean().optional().describe('Also lists all settings, their values and meaning') },
  output: {
    ok: z.boolean(),
    summary: sentenceOut(),
    person: z.looseObject({ name: z.string(), roles: z.array(z.string()) }).optional(),
    today: sentenceOut({ mark: 'Today: ' }),
    problems: z.array(sentenceOut({ mark: '- ' })).optional(),
    hint: sentenceOut({ mark: 'Next: ' }).optional(),
    mainApi: ApiOut,
    analyticsApi: ApiOut,
    proxy: z.string().optional(),
    credential: z.looseObject({ kind: z.string() }).optional(),
    confirmation: sentenceOut({ mark: 'Changes: ' }),
    hidden: z.array(sentenceOut({ mark: 'Hidden: ' })).optional(),
    standing: z.array(sentenceOut({ mark: 'Allowed in advance: ' })).optional(),
    notes: z.array(sentenceOut()).optional(),
    settings: z.array(z.looseObject({ setting: z.string(), value: z.string() })).optional(),
  },
  run: async ({ details = false }, { app, call, signal }) => {
    const { config, version } = app;
    const [account, folders, store] = await Promise.all([
      checkAccount(app, signal),
      checkMachine(config.settings),
      checkStore(config.settings, signal, app.log),
    ]);
    const { settings, usable, mainApi, analyticsApi, clock, credential, moving, proxy, catalogue, unread } = account;
    const selfConfirmed = (await confirmsItself(settings, call)) ? selfConfirmedText(settings) : undefined;
    const audit = account.workspace && (await auditFinding(account.workspace));
    const kept = account.workspace && (await keptFinding(account.workspace));
    const others = [
      ...(clock === undefined ? [] : [clock]),
      ...(credential === undefined ? [] : [credential]),
      ...(selfConfirmed === undefined ? [] : [note('Standing approvals', ...selfConfirmed)]),
      ...(catalogue === undefined ? [] : [catalogue]),
      ...(unread === undefined ? [] : [unread]),
      ...(audit === undefined ? [] : [audit]),
      ...(kept === undefined ? [] : [kept]),
      ...(config.settings.sharedAt === undefined ? [] : rolesFindings(config.settings)),
      ...store,
      ...folders,
      ...missingParts(),
    ];
    const problems = [
      ...account.problems.map(({ detail }) => detail),
      ...others.filter(({ level }) => level !== 'fine').map((finding) => sentence`${finding.about}: ${textOf(finding)}`),
    ];
    const hidden = hiddenOut(settings);
    const catalogueNotes = catalogue?.level === 'fine' ? [sentence`${catalogue.about}: ${catalogue.detail}`] : [];
    const key = account.workspace && (await keyFinding(account.workspace));
    const ofOthers = account.workspace && (await othersFinding(account.workspace));
    const ofSetup = [key, ofOthers, account.otherAddress, account.whoseViews, moving].flatMap((finding) =>
      finding === undefined ? [] : [sentence`${finding.about}: ${textOf(finding)}`],
    );
    const notes = usable ? [...catalogueNotes, ...ofSetup, ...notSetOut(settings)] : [];
    const findings = [...account.problems, mainApi, analyticsApi, ...others];
    return {
      ok: findings.every(({ level }) => level !== 'wrong') && mainApi.level === 'fine',
      summary: summaryOf(account, config.settings, findings),
      ...personOut(call.person),
      today: todayText(),
      problems: problems.length === 0 ? undefined : problems,
      hint: hintOf(account, missingSettings(config.settings)),
      mainApi: apiOut(mainApi),
      analyticsApi: apiOut(analyticsApi),
      proxy: proxy?.detail,
      ...credentialsOut(settings, account.serviceNowMs),
      confirmation: await howConfirmed(settings, call),
      standing: account.standing,
      hidden: hidden.length === 0 ? undefined : hidden,
      notes: notes.length === 0 ? undefined : notes,
      settings: details ? [...machineOut(version), ...settingsList(settings, config.malformed)] : undefined,
    };
  },
});

/** In the zone of questions that name none. Assistants are not told the date otherwise. */
function todayText(): Sentence {
  const now = new Date();
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
  return sentence`${word(now.toISOString().slice(0, 10))}, ${word(weekday.format(now))} (UTC)`;
}

const CHANGES = sentence`changing them`;
const QUESTIONS = sentence`questions about views`;
/** What each thing that can be done needs, besides the main API. */
const NEEDS: readonly { readonly what: Sentence; readonly of: readonly About[] }[] = [
  { what: CHANGES, of: ['Data folder'] },
  { what: QUESTIONS, of: ['Analytics API', 'Analytics store', 'Analytics engine (DuckDB)', 'Data folder'] },
  { what: sentence`SQL about views`, of: ['SQL on the store'] },
  { what: sentence`pictures of charts`, of: ['Charts'] },
  { what: sentence`files`, of: ['Files folder'] },
  { what: sentence`titles of videos`, of: ['Video catalogue'] },
];

/** On a server for several people: whose token it was asked with. */
const personOut = (person: Person | undefined) => (person === undefined ? {} : { person: { name: person.name, roles: [...person.roles] } });

/** What can be done as things are. */
function summaryOf({ usable, mainApi, analyticsApi }: AccountCheck, { demo, readOnly }: Settings, findings: readonly Finding[]): Sentence {
  if (!usable) return sentence`Not set up: nothing of the account can be read or changed.`;
  if (mainApi.level !== 'fine') return sentence`The main API does not work, so nothing of the account can be read or changed.`;
  const isWrong = (about: About): boolean => findings.some((finding) => finding.about === about && finding.level === 'wrong');
  const failing = NEEDS.filter(({ of }) => of.some(isWrong)).map(({ what }) => what);
  const canChange = !readOnly && !failing.includes(CHANGES);
  const canAnalyse = analyticsApi.level === 'fine' && !failing.includes(QUESTIONS);
  const works = sentence`reading ${canChange ? 'and changing ' : ''}channels and projects${canAnalyse ? ', and questions about views' : ''}`;
  const not = [...(analyticsApi.level === 'note' ? [QUESTIONS] : []), ...failing.filter((what) => !(readOnly && what === CHANGES))];
  const others = not.length === 0 ? sentence`` : sentence` What does not: ${joined(not, ', ')}.`;
  return sentence`${demo ? 'This is a made-up account (--demo). ' : ''}What works: ${works}.${others}`;
}

/** What to do about wrong and missing settings, once for all. */
function hintOf({ problems }: AccountCheck, missing: readonly string[]): Sentence | undefined {
  if (problems.length === 0) return undefined;
  if (missing.length < problems.length) return joined([...new Set(problems.flatMap(({ remedy }) => remedy ?? []))]);
  return sentence`Set ${wordList(missing, ' and ')} in the client’s configuration of this server and ${toTakeEffect()}, or start it with --demo to try a made-up account.`;
}

const machineOut = (version: string) => [
  { setting: 'version', value: version, meaning: 'Of this server.' },
  { setting: 'node', value: process.versions.node, meaning: 'The version of Node that runs it.' },
];

const textOf = ({ detail, remedy }: Finding): Sentence => (remedy === undefined ? detail : sentence`${detail} ${toOperator(remedy)}`);

function apiOut(finding: Finding): z.input<typeof ApiOut> {
  return { ok: finding.level === 'fine', detail: textOf(finding) };
}

/** Optional packages that are missing. The packages themselves are not loaded, because they are large. */
function missingParts(): Finding[] {
  const missing = sentence`is not installed for this server’s machine.`;
  return [
    ...(isDuckInstalled() ? [] : [wrong('Analytics engine (DuckDB)', missing, sentence`${ERRORS.analytics_unavailable.hint}`)]),
    ...(isRendererInstalled() ? [] : [wrong('Charts', sentence`the renderer ${missing}`, sentence`${ERRORS.chart_unavailable.hint}`)]),
  ];
}
