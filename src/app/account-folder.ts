import { join } from 'node:path';
import { type AccountTold, askForAccount } from '../account/account-told.ts';
import { addressOf, credentialFingerprint } from '../account/identity.ts';
import { withRecordLock } from '../changes/journal/record-lock.ts';
import { hasRunning } from '../changes/journal/take-over.ts';
import type { Settings } from '../config/settings.ts';
import { refusal, VideoHostingError } from '../errors.ts';
import { exists, makeFolder } from '../platform/files.ts';
import { withTimeLimit } from '../platform/limited-signal.ts';
import type { ServiceClient } from '../service/client.ts';
import { sentence } from '../text/sentence.ts';
import { accountsIn, changesIn, withKeyIn } from './folders.ts';
import {
  accountWith,
  claimAccount,
  credentialsOf,
  type KnownAccount,
  knownAccounts,
  knownIn,
  noteCredential,
  takeUntold,
} from './known-accounts.ts';
import { setViewsApart, takeOver } from './take-over.ts';

/**
 * Why the account of a credential is not known. `not-asked`: nothing is kept yet that could be of it. `joins-later`: it is, and the
 * credential joins it once nothing runs in the folder of its own.
 */
export type Unknown = Extract<AccountTold, { untold: string }>['untold'] | 'not-asked' | 'no-answer' | 'joins-later';

export interface AccountFolder {
  /** Its name, which stays the same: for digests that hold for this account alone. */
  readonly name: string;
  readonly path: string;
  /** Where views, and what follows from them, are kept: of the credential alone where they are asked for with it. */
  readonly viewsPath: string;
  /** The account, where it is known. */
  account(): Promise<KnownAccount | undefined>;
  /** Whether other accounts of the address are known. */
  hasOthers(): Promise<boolean>;
  /** Whether the credential joined an account that was known here, and nobody was told of it; of all processes only one is answered that. */
  takeJoined(): Promise<boolean>;
  /** Why the account is not known; undefined where it is. */
  unknown(): Unknown | undefined;
  /**
   * To be awaited before anything is read for the folder: asks the service for the account unless it is known. Throws `account_joined` where
   * it turns out to have another folder, and what the service answered where that can’t be told.
   */
  settle(signal: AbortSignal): Promise<void>;
  /** As `settle`, before a change is planned. Throws `running_elsewhere` where the account has another folder and something runs here. */
  settleChange(signal: AbortSignal): Promise<void>;
  /** Begins a change, while no process notes the credential with an account. Throws as `settleChange`, by what is noted: nothing is asked. */
  begin<T>(act: () => Promise<T>): Promise<T>;
  /** Whether the account turned out to have another folder, by what is noted here, so that this one is used no more. */
  hasMoved(): Promise<boolean>;
}

/** The settings by which an account is found. */
export type AccountSettings = Pick<Settings, 'dataDir' | 'statsAuth' | 'callBudgetMs'> & {
  readonly baseUrl: string;
  readonly apiKey: string;
};

interface AccountFolderOptions {
  readonly settings: AccountSettings;
  readonly client: Pick<ServiceClient, 'channels'>;
  /** Whether this process carries out a change in the folder. */
  readonly isBusy: () => boolean;
  /** The demo account ends with its process. */
  readonly isDemo: boolean;
}

/**
 * Finds the folder of the account that a credential is of. One that is noted takes no request. One that is not has a folder of its own,
 * which becomes the account’s unless the account has one: then what is in it is taken over. The service is asked where that may matter:
 * other accounts of the address are known, or something is kept. Throws where it then does not answer, and nothing is kept for the credential itself.
 */
export async function openAccountFolder({ settings, client, isBusy, isDemo }: AccountFolderOptions): Promise<AccountFolder> {
  const { dataDir, baseUrl, apiKey } = settings;
  const address = addressOf(baseUrl);
  const own = await ownName(dataDir, baseUrl, apiKey);
  const pathOf = (name: string): string => join(accountsIn(dataDir), name);
  let unknown: Unknown | undefined = 'not-asked';
  let isMoved = false;
  /** What the credential joins once nothing runs. */
  let next: KnownAccount | undefined;
  const isAtWork = async (): Promise<boolean> => isBusy() || (await hasRunning(changesIn(pathOf(own))));

  /** Undefined where the service does not tell. `isNeeded`: whether that it does not answer is an error. */
  async function ask(signal: AbortSignal, isNeeded: boolean): Promise<KnownAccount | undefined> {
    const limitMs = Math.min(ASK_MS, settings.callBudgetMs * OF_BUDGET);
    const told = await withTimeLimit(limitMs, signal, (limited) => askForAccount(client, limited)).catch((error: unknown) => {
      if (!(error instanceof VideoHostingError) || signal.aborted) throw error;
      if (isNeeded) throw notTold(error, limitMs);
      return { untold: 'no-answer' } as const;
    });
    if ('accountId' in told) return claimAccount(dataDir, { address, accountId: told.accountId, folder: own });
    unknown = told.untold;
    return undefined;
  }

  async function find(): Promise<KnownAccount | undefined> {
    if (isDemo) return undefined;
    const known = await knownAccounts(dataDir, address);
    const noted = await accountWith(dataDir, own, known);
    if (noted !== undefined) return noted;
    const hasOwn = await exists(pathOf(own));
    if (known.length === 0 && !hasOwn) return undefined;
    return ask(new AbortController().signal, !hasOwn);
  }

  /** Of all processes with the credential one at a time begins a change in the folder of its own, or notes it with an account. */
  async function alone<T>(act: () => Promise<T>): Promise<T> {
    await makeFolder(knownIn(dataDir));
    return waitForOthers((stop) => withRecordLock(knownIn(dataDir), own, stop, act));
  }

  /** Other processes are waited for within a call’s time. Throws `running_elsewhere`, with which one it was. */
  const waitForOthers = <T>(act: (stop: AbortSignal) => Promise<T>): Promise<T> =>
    withTimeLimit(Math.min(LOCK_MS, settings.callBudgetMs * OF_BUDGET), new AbortController().signal, (stop) =>
      act(stop).catch((error: unknown) => {
        throw stop.aborted && error instanceof VideoHostingError && error.code === 'cancelled' ? held(error) : error;
      }),
    );

  /** Notes the credential with an account, unless something runs in the folder of its own: two folders are never at work for one credential. */
  async function enter(account: KnownAccount): Promise<'noted' | 'new' | 'later'> {
    const isNoted = async () => (await accountWith(dataDir, own, [account])) !== undefined;
    if (await isNoted()) return 'noted';
    return alone(async () => {
      if (await isNoted()) return 'noted';
      if (await isAtWork()) return 'later';
      return (await noteCredential(dataDir, account.folder, own)) ? 'new' : 'noted';
    });
  }

  async function turnTo(account: KnownAccount): Promise<void> {
    if (account.folder === name) unknown = undefined;
    else if (await isAtWork()) [next, unknown] = [account, 'joins-later'];
    else isMoved = true;
  }

  /** Looks at what is noted here, perhaps by another process. */
  async function look(): Promise<void> {
    if (isDemo || unknown === undefined || isMoved) return;
    const account = next ?? (await accountWith(dataDir, own, await knownAccounts(dataDir, address)));
    if (account !== undefined) await turnTo(account);
  }

  function assertHere(): void {
    if (isMoved) throw new VideoHostingError('account_joined', JOINED, { facts: { outcome: 'nothing-sent' } });
  }

  async function settle(signal: AbortSignal): Promise<void> {
    await look();
    const isAsked = !isDemo && (unknown === 'not-asked' || unknown === 'no-channels' || unknown === 'no-answer');
    if (isAsked && !isMoved) {
      const account = await ask(signal, (await knownAccounts(dataDir, address)).length > 0);
      if (account !== undefined) await turnTo(account);
    }
    assertHere();
  }

  async function assertAlone(): Promise<void> {
    assertHere();
    if (next !== undefined) throw busy();
    if (!isOfOther) return;
    // An earlier version that runs beside this one begins changes there.
    if (await hasRunning(changesIn(pathOf(own)))) throw busy();
    await bringOver();
  }

  const account = await find();
  const joining = account === undefined ? 'noted' : await enter(account);
  if (account !== undefined) [next, unknown] = joining === 'later' ? [account, 'joins-later'] : [undefined, undefined];
  const name = joining === 'later' ? own : (account?.folder ?? own);
  const isOfOther = name !== own;
  const hasJoined = joining === 'new';
  for (const one of new Set([own, name])) await setViewsApart(pathOf(one));
  // What a credential that is noted asked for since may be views that others of the account may not see.
  const bringOver = () =>
    waitForOthers((stop) => takeOver({ name: own, path: pathOf(own) }, { name, path: pathOf(name) }, hasJoined, stop));
  if (isOfOther) await bringOver();
  let last: Promise<unknown> = Promise.resolve();
  const settleInTurn = (signal: AbortSignal): Promise<void> => {
    const settled = last.then(() => settle(signal));
    last = settled.catch(() => undefined);
    return settled;
  };
  return {
    ...{ name, path: pathOf(name), viewsPath: viewsPathOf(pathOf(own), pathOf(name), settings) },
    takeJoined: async () => isOfOther && takeUntold(dataDir, name, own),
    async account() {
      return isDemo ? undefined : (await knownAccounts(dataDir, address)).find((one) => one.folder === name);
    },
    async hasOthers() {
      return !isDemo && (await knownAccounts(dataDir, address)).some((other) => other.folder !== name);
    },
    unknown: () => unknown,
    settle: settleInTurn,
    async settleChange(signal) {
      await settleInTurn(signal);
      await assertAlone();
    },
    async begin(act) {
      if (isDemo || unknown === undefined) return act();
      return alone(async () => {
        await look();
        await assertAlone();
        return act();
      });
    },
    async hasMoved() {
      await look();
      return isMoved;
    },
  };
}

/** The folders of the account of a credential, as they are noted here: nothing is asked. */
export async function notedFolders({ dataDir, baseUrl, apiKey, statsAuth }: Omit<AccountSettings, 'callBudgetMs'>) {
  const own = await ownName(dataDir, baseUrl, apiKey);
  const known = await knownAccounts(dataDir, addressOf(baseUrl));
  const name = (await accountWith(dataDir, own, known))?.folder ?? own;
  const pathOf = (folder: string): string => join(accountsIn(dataDir), folder);
  return {
    /** Of the account. */
    path: pathOf(name),
    viewsPath: viewsPathOf(pathOf(own), pathOf(name), { statsAuth }),
    /** Of the account and of each credential that is noted with it. */
    all: (await credentialsOf(dataDir, name)).map(pathOf),
    /** The account, where it is noted. */
    accountId: known.find(({ folder }) => folder === name)?.accountId,
    /** Whether nothing is known of the credential here: it is noted with no account, and nothing is kept for it alone. */
    isUnknown: !known.some(({ folder }) => folder === name) && !(await exists(pathOf(name))),
    /** Whether accounts of the address are known, and none of them is noted as that of the credential. */
    isNew: known.length > 0 && !known.some(({ folder }) => folder === name),
  };
}

/** The name of what is kept for a credential alone: its fingerprint, unless an account of another address has a folder of that name. */
async function ownName(dataDir: string, baseUrl: string, apiKey: string): Promise<string> {
  const [address, own] = [addressOf(baseUrl), credentialFingerprint(baseUrl, apiKey)];
  const isTaken = (await knownAccounts(dataDir)).some((account) => account.folder === own && account.address !== address);
  return isTaken ? credentialFingerprint(baseUrl, `beside\0${apiKey}`) : own;
}

/** Views that are asked for with a credential are its own, since it may see more than others of the account; those asked for without are the account’s. */
const viewsPathOf = (own: string, account: string, { statsAuth }: Pick<AccountSettings, 'statsAuth'>): string =>
  statsAuth === 'bearer' ? withKeyIn(own) : account;

/** What the service is asked of an account may take, also where nothing depends on it; never more than this part of a call’s budget. */
const ASK_MS = 10_000;
const OF_BUDGET = 0.8;
/** What another process does with a long history may take, at most that part of the budget too. */
const LOCK_MS = 20_000;

const JOINED = sentence`This key is of an account that is known here, and joins it: nothing is begun beside it.`;

const busy = () =>
  refusal(
    'running_elsewhere',
    sentence`This key turned out to be of an account that is known here, which it joins as soon as nothing runs that was begun before.`,
    'Wait until the running changes have ended, or end them with stop_change, then call again.',
  );

/** Another process keeps what this one needs before it shows or begins anything. */
const held = ({ reason }: VideoHostingError) =>
  refusal(
    'running_elsewhere',
    sentence`What is kept of this account can’t be used yet. ${reason}`,
    'Call again in a moment. If that process hangs, end it first.',
  );

/** The key is new here, other accounts of the address are known, and the service does not answer. */
function notTold({ code, message, hint, facts, cause }: VideoHostingError, limitMs: number): VideoHostingError {
  const isLate = code === 'cancelled';
  const why = isLate ? sentence`The service did not answer within ${limitMs} ms.` : message;
  return new VideoHostingError(isLate ? 'timed_out' : code, sentence`${why} ${NEW_KEY}`, {
    ...{ cause, facts: { ...facts, outcome: 'nothing-sent' } },
    ...(isLate ? {} : { hint }),
  });
}

const NEW_KEY = sentence`This key is new here, and the service has to tell which account it is of before anything is shown or begun.`;
