import { notedFolders } from '../../app/account-folder.ts';
import { checkAccount } from '../../app/setup/check-account.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { withApp } from '../doctor/examine.ts';
import { findingLines } from '../doctor/report.ts';
import type { Surroundings } from '../surroundings.ts';
import type { AddressName } from './ask-setting.ts';
import { type EntryConfig, elsewhereText, neededOf } from './entry-config.ts';

/** What came of trying the account of an entry. */
export interface Tried {
  readonly isFine: boolean;
  /** Whether an API refused the key. */
  readonly isKeyRefused: boolean;
  /** Whether each address answers as that of the other API. */
  readonly areSwapped: boolean;
  /** The addresses at which no API answered as one. */
  readonly wrongAddresses: readonly AddressName[];
  /** The same, for people. */
  readonly text: string;
}

/**
 * Sends one request to each API with the settings of entries, those that are alike once. What a client keeps itself can’t be tried, which
 * is said.
 */
export async function tryAccounts(configs: readonly EntryConfig[], surroundings: Surroundings): Promise<Tried[]> {
  const known = new Map<string, Tried>();
  const results: Tried[] = [];
  for (const found of configs) {
    const tried = known.get(identityOf(found)) ?? (await tryAccount(found, surroundings));
    known.set(identityOf(found), tried);
    results.push(tried);
  }
  return results;
}

const identityOf = ({ config, elsewhere }: EntryConfig): string => JSON.stringify([config.settings, config.problems, elsewhere]);

/** Those with which something else would be tried. */
export function distinct<T extends EntryConfig>(configs: readonly T[]): T[] {
  const texts = configs.map(identityOf);
  return configs.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
}

const UNTRIED: Tried = { isFine: true, isKeyRefused: false, areSwapped: false, wrongAddresses: [], text: '' };

/** What comes of an address that is not the API’s. */
const NO_API: readonly (string | undefined)[] = [
  'unreachable',
  'service_not_found',
  'redirect_refused',
  'unexpected_body',
  'unexpected_status',
];

async function tryAccount({ config, elsewhere }: EntryConfig, surroundings: Surroundings): Promise<Tried> {
  const { signal } = surroundings;
  if (config.settings.demo) return UNTRIED;
  const needed = neededOf(elsewhere);
  if (needed.length > 0 && config.problems.length === 0) return { ...UNTRIED, text: `Not tried: ${joined(needed.map(elsewhereText))}\n\n` };
  const { problems, mainApi, analyticsApi, catalogue, clock, moving, otherAddress } = await withApp(config, surroundings, (app) =>
    checkAccount(app, signal),
  );
  signal.throwIfAborted();
  const findings = [...problems, mainApi, analyticsApi, ...(catalogue === undefined ? [] : [catalogue])];
  return {
    isFine: findings.every(({ level }) => level !== 'wrong'),
    isKeyRefused: [mainApi, analyticsApi].some(({ code }) => code === 'unauthorized'),
    // A proxy that wants another password is the only other answer with this code.
    areSwapped: config.settings.proxy === undefined && mainApi.code === 'settings_invalid',
    wrongAddresses: (['baseUrl', 'statsUrl'] as const).filter((name) =>
      NO_API.includes((name === 'baseUrl' ? mainApi : analyticsApi).code),
    ),
    text: `${findingLines([...findings, ...[clock, otherAddress, moving].flatMap((finding) => finding ?? [])]).join('\n')}\n\n`,
  };
}

const OTHER_ACCOUNT = sentence`This is another account than that of the entry before. A renewed key would be of the same one: if that was meant, answer no. What is kept of that one stays with it.`;

/** What a person has to know before an entry gets other settings: that they are of another account, as far as that is known here. */
export async function accountChange(before: EntryConfig, after: EntryConfig): Promise<Sentence | undefined> {
  const [old, now] = await Promise.all([before, after].map(accountOf));
  return old !== undefined && now !== undefined && old !== now ? OTHER_ACCOUNT : undefined;
}

async function accountOf({ config: { settings } }: EntryConfig): Promise<string | undefined> {
  const { baseUrl, apiKey, demo } = settings;
  if (demo || baseUrl === undefined || apiKey === undefined) return undefined;
  return (await notedFolders({ ...settings, baseUrl, apiKey })).accountId;
}
