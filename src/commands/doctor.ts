import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { confirmationOut, credentialsOut, hiddenOut, notSetOut, settingsOut } from '../app/setup/describe.ts';
import { type Finding, fine, note, wrong } from '../app/setup/finding.ts';
import { joined, MAX_PATH, pathInQuotes, sentence, word } from '../text/sentence.ts';
import { entryOfClient } from './client-settings.ts';
import { type Examined, examine } from './doctor/examine.ts';
import { examineRemote, examineRemoteEntry } from './doctor/examine-remote.ts';
import { serverText, toText, wantsColours } from './doctor/report.ts';
import { settingsForSeveral } from './doctor/server-settings.ts';
import type { ServerEntry } from './install/document.ts';
import { elsewhereText, entryConfig } from './install/entry-config.ts';
import { remoteIn, shownAddress } from './install/remote-entry.ts';
import { EXIT, type ExitCode, type Surroundings } from './surroundings.ts';

/** The findings of `check_setup`, as text for people: each with its remedy. Fails where anything is wrong. */
export async function doctor(surroundings: Surroundings): Promise<ExitCode> {
  const { config, version, print, isTerminal, machine } = surroundings;
  const remote = await ofServer(surroundings);
  if (remote !== undefined) return tell(remote, surroundings);
  const { findings, settings, shared, unusable, serviceNowMs } = await (config.options.clients === undefined
    ? ofEnvironment(surroundings)
    : ofClient(surroundings));
  const wrongs = findings.filter(({ level }) => level === 'wrong').length;
  const report = {
    ok: wrongs === 0,
    version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    findings,
    ...credentialsOut(settings, serviceNowMs),
    confirmation: confirmationOut(settings, shared),
    hidden: hiddenOut(shared ?? settings),
    notSet: notSetOut(shared ?? settings),
    settings: { demo: config.settings.demo, ...settingsOut(settings, unusable) },
  };
  if (config.options.json === true) print(`${JSON.stringify(report, null, 2)}\n`);
  else print(toText(report, wantsColours(machine.env, isTerminal)));
  return report.ok ? EXIT.done : EXIT.failed;
}

interface Remote {
  readonly url: string | undefined;
  readonly findings: readonly Finding[];
}

/** Where a server for several people is meant: one that was named, or that the entry of a client leads to. */
async function ofServer(surroundings: Surroundings): Promise<Remote | undefined> {
  const { url, clients } = surroundings.config.options;
  if (url !== undefined) return { url, findings: await examineRemote(url, surroundings) };
  if (clients === undefined) return undefined;
  const entry = await entryOfClient(surroundings);
  const remote = remoteIn(entry.entry);
  return remote && { url: shownAddress(remote), findings: await examineRemoteEntry(entry, remote, surroundings) };
}

function tell({ url, findings }: Remote, { config, version, print, isTerminal, machine }: Surroundings): ExitCode {
  const report = {
    ok: findings.every(({ level }) => level !== 'wrong'),
    ...{ version, node: process.versions.node, platform: `${process.platform} ${process.arch}`, url, findings },
  };
  if (config.options.json === true) print(`${JSON.stringify(report, null, 2)}\n`);
  else print(serverText(report, wantsColours(machine.env, isTerminal)));
  return report.ok ? EXIT.done : EXIT.failed;
}

async function ofEnvironment(surroundings: Surroundings): Promise<Examined> {
  const where = sentence`in the environment of this command, which reads what a client has only with --client NAME`;
  return examine(surroundings.config, surroundings, where, await settingsForSeveral(surroundings.config));
}

/** The same with the settings of a client’s entry. */
async function ofClient(surroundings: Surroundings): Promise<Examined> {
  const { config, machine } = surroundings;
  const { client, entry, missing, again, ...chosen } = await entryOfClient(surroundings);
  const { title } = client;
  const file = pathInQuotes(chosen.file);
  if (entry === undefined) return { findings: [wrong('Client', missing.what, missing.remedy)], settings: config.settings, unusable: [] };
  const found = entryConfig(client, entry, { given: config.given, machine });
  const examined = await examine(found.config, surroundings, sentence`in that entry`);
  const words = [entry.command, ...(Array.isArray(entry.args) ? entry.args : [])].map((text) => word(String(text), MAX_PATH));
  const gone = missingFile(entry);
  const started =
    gone === undefined
      ? fine('Client', sentence`${title} starts ${joined(words)}, as ${file} says.`)
      : wrong('Client', sentence`${title} starts ${pathInQuotes(gone)}, which is not there (${file}).`, again);
  const remedy = sentence`Set it in the environment of this command too, to have it tried.`;
  return {
    ...examined,
    unusable: examined.unusable.filter((variable) => !found.elsewhere.some((one) => one.variable === variable)),
    findings: [started, ...found.elsewhere.map((one) => note('Client', elsewhereText(one), remedy)), ...examined.findings],
  };
}

/** What an entry names by an absolute path to start, and is not there. */
const missingFile = ({ command, args }: ServerEntry): string | undefined =>
  [command, ...(Array.isArray(args) ? args : [])]
    .map(String)
    .find((text, index) => isAbsolute(text) && (index === 0 || /[\\/]main\.cjs$/.test(text)) && !existsSync(text));
