import { definedFields } from '../../platform/defined-fields.ts';
import { setToldIn } from '../../text/own-command.ts';
import type { Surroundings } from '../surroundings.ts';
import { askAgain, askForAddresses, isAskedAgain } from './ask-again.ts';
import { type Asked, answersFor, askForMore } from './ask-missing.ts';
import { type Answers, MAX_ATTEMPTS } from './ask-setting.ts';
import type { Answered, PlannedClient } from './plan-entry.ts';
import type { Prompt } from './prompt.ts';
import { tryAccounts } from './try-account.ts';

/** One that is planned, with what came of its account. */
export interface TriedClient extends PlannedClient {
  readonly isUsable: boolean;
  readonly isKeyRefused: boolean;
}

export interface Planned {
  readonly planned: readonly PlannedClient[];
  /** Whether each client could be planned. */
  readonly arePlanned: boolean;
}

/** Asks a person first for another access token where that of an entry has expired, which no request that is tried would tell. */
export async function withoutExpired(
  found: Planned,
  plan: (ones: readonly Answered[]) => Promise<Planned>,
  surroundings: Surroundings,
  prompt: Prompt | undefined,
): Promise<Planned> {
  if (prompt === undefined || surroundings.config.options.yes === true) return found;
  // One that was entered just now was warned of.
  const there = found.planned.filter(({ before, answers }) => before !== undefined && answers.accessToken === undefined);
  const tokens = await askAgain('accessToken', there, 'expired', surroundings, prompt);
  if (tokens.size === 0) return found;
  const answered = found.planned.map((one) => ({
    ...one,
    answers: { ...one.answers, ...definedFields({ accessToken: tokens.get(one.file) }) },
  }));
  const again = await plan(answered);
  return { planned: again.planned, arePlanned: found.arePlanned && again.arePlanned };
}

/**
 * Tries the account of each entry. A person is asked for another key where one that the file is to hold was refused, for another address
 * where no API answered at one, and about addresses that were given in each other’s place.
 */
export async function tryAll(
  { planned, arePlanned }: Planned,
  plan: (ones: readonly Answered[]) => Promise<Planned>,
  surroundings: Surroundings,
  prompt: Prompt | undefined,
  attempt = 1,
): Promise<{ readonly tried: readonly TriedClient[]; readonly arePlanned: boolean }> {
  const { options } = surroundings.config;
  if (options.skipCheck === true) return { tried: planned.map((one) => ({ ...one, isUsable: true, isKeyRefused: false })), arePlanned };
  const asks = prompt !== undefined && options.yes !== true && attempt <= MAX_ATTEMPTS;
  setToldIn((variable) => (asks && isAskedAgain(variable, surroundings) ? 'questions' : 'install'));
  const results = await tryAccounts(
    planned.map(({ found }) => found),
    surroundings,
  );
  setToldIn(() => 'install');
  const shown = results.filter(({ isFine }, index) => !isFine || planned[index]?.change !== undefined);
  for (const text of new Set(shown.map((one) => one.text))) surroundings.print(text);
  const tried = planned.map((one, index) => {
    const { isFine = true, isKeyRefused = false } = results[index] ?? {};
    return { ...one, isUsable: isFine, isKeyRefused };
  });
  if (!asks) return { tried, arePlanned };
  const swapped = planned.filter(({ answers: { baseUrl, statsUrl } }, index) => results[index]?.areSwapped && baseUrl && statsUrl);
  const isExchanged = swapped.length > 0 && (await prompt.confirm('Exchange the two addresses?'));
  const wrong = (['baseUrl', 'statsUrl'] as const).filter((name) => results.some(({ wrongAddresses }) => wrongAddresses.includes(name)));
  const addresses = await askForAddresses(wrong, surroundings, prompt);
  const refused = tried.filter(({ isKeyRefused }) => isKeyRefused);
  const keys = await askAgain('apiKey', refused, 'refused', surroundings, prompt);
  const isCorrected = Object.keys(addresses).length > 0;
  if (keys.size === 0 && !isExchanged && !isCorrected) return { tried, arePlanned };
  const corrected = (one: PlannedClient): Answers => {
    const { baseUrl, statsUrl } = one.answers;
    const exchanged = isExchanged && swapped.includes(one) ? { baseUrl: statsUrl, statsUrl: baseUrl } : {};
    const wrongHere = results[planned.indexOf(one)]?.wrongAddresses ?? [];
    const right = Object.fromEntries(Object.entries(addresses).filter(([name]) => wrongHere.some((wrongOne) => wrongOne === name)));
    return { ...one.answers, ...exchanged, ...right, ...definedFields({ apiKey: keys.get(one.file) }) };
  };
  const again = await plan(planned.map((one) => ({ ...one, answers: corrected(one) })));
  return tryAll({ planned: again.planned, arePlanned: arePlanned && again.arePlanned }, plan, surroundings, prompt, attempt + 1);
}

/**
 * Asks a person for what entries that work could get: another key or access token, which is what somebody comes for who changes nothing else, and then what
 * is optional.
 */
export async function moreOf(
  found: Awaited<ReturnType<typeof tryAll>>,
  optional: Asked['open'],
  plan: (ones: readonly Answered[]) => Promise<Planned>,
  surroundings: Surroundings,
  prompt: Prompt | undefined,
): ReturnType<typeof tryAll> {
  const { tried, arePlanned } = found;
  const isNothingThere = tried.every(({ before }) => before === undefined);
  if (prompt === undefined || surroundings.config.options.yes === true || isNothingThere) return found;
  if (tried.some(({ isUsable }) => !isUsable)) return found;
  const isUnchanged = tried.every(({ change }) => change === undefined);
  const ask = (name: 'apiKey' | 'accessToken') =>
    isUnchanged ? askAgain(name, tried, 'renewed', surroundings, prompt) : new Map<string, string>();
  const keys = await ask('apiKey');
  const tokens = await ask('accessToken');
  const { answers: more, replaced } = await askForMore(optional, tried, surroundings, prompt);
  if (keys.size === 0 && tokens.size === 0 && Object.values(more).every((value) => value === undefined)) return found;
  const answered = tried.map((one) => ({
    ...one,
    answers: {
      ...one.answers,
      ...answersFor(one, more, surroundings, replaced),
      ...definedFields({ apiKey: keys.get(one.file), accessToken: tokens.get(one.file) }),
    },
  }));
  const again = await plan(answered);
  return tryAll({ planned: again.planned, arePlanned: arePlanned && again.arePlanned }, plan, surroundings, prompt);
}
