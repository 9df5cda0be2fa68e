import { checkAccount } from '../../app/setup/check-account.ts';
import { joined } from '../../text/sentence.ts';
import { withApp } from '../doctor/examine.ts';
import { findingLines } from '../doctor/report.ts';
import type { Surroundings } from '../surroundings.ts';
import { type EntryConfig, elsewhereText } from './entry-config.ts';

/**
 * Sends one request to each API with the settings of entries, those that are alike once, and says what came of it. Returns whether
 * nothing is wrong. What a client keeps itself can’t be tried, which is said.
 */
export async function tryAccounts(configs: readonly EntryConfig[], surroundings: Surroundings): Promise<boolean> {
  let isFine = true;
  for (const found of distinct(configs)) isFine = (await tryAccount(found, surroundings)) && isFine;
  return isFine;
}

/** Those with which something else would be tried. */
export function distinct<T extends EntryConfig>(configs: readonly T[]): T[] {
  const texts = configs.map(({ config, elsewhere }) => JSON.stringify([config.settings, config.problems, elsewhere]));
  return configs.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
}

async function tryAccount({ config, elsewhere }: EntryConfig, surroundings: Surroundings): Promise<boolean> {
  const { print, signal } = surroundings;
  if (config.settings.demo) return true;
  if (elsewhere.length > 0 && config.problems.length === 0) {
    print(`Not tried: ${joined(elsewhere.map(elsewhereText))}\n\n`);
    return true;
  }
  const { problems, mainApi, analyticsApi, catalogue, moving } = await withApp(config, surroundings, (app) => checkAccount(app, signal));
  signal.throwIfAborted();
  const findings = [...problems, mainApi, analyticsApi, ...(catalogue === undefined ? [] : [catalogue])];
  print(`${findingLines([...findings, ...(moving === undefined ? [] : [moving])]).join('\n')}\n\n`);
  return findings.every(({ level }) => level !== 'wrong');
}
