import { createAccount } from '../account/account.ts';
import { createCatalogueReader } from '../account/catalogue.ts';
import { seenOf } from '../account/contents.ts';
import { credentialFingerprint, credentialInfo, viewsFingerprint } from '../account/identity.ts';
import { createTemplateNames } from '../account/template-names.ts';
import { createSeenVideosLookup } from '../account/viewed-videos.ts';
import { createRenderer } from '../analytics/chart/renderer.ts';
import type { FailedSpan } from '../analytics/contract.ts';
import { type Analytics, openAnalytics } from '../analytics/open-analytics.ts';
import { createWhoseViews } from '../analytics/questions/whose-views.ts';
import { createReports } from '../analytics/reports.ts';
import { createStoredViewsLookup } from '../analytics/stored-views.ts';
import { unseenFormsIn } from '../changes/asking/unseen-forms.ts';
import { createAuditChain } from '../changes/journal/audit-chain.ts';
import { auditedJournal } from '../changes/journal/audited-journal.ts';
import { createJournal, type Journal } from '../changes/journal/journal.ts';
import { createFormerNames } from '../changes/kinds/channels/former-names.ts';
import { createFormerLookup, createSentLookup } from '../changes/kinds/channels/last-sent.ts';
import { createChannelReadings } from '../changes/kinds/channels/list-age.ts';
import { createEmailDownloads } from '../changes/kinds/emails/email-downloads.ts';
import { createGuard } from '../changes/life/guard.ts';
import { createJobs } from '../changes/life/jobs.ts';
import { createAskedHere } from '../changes/proposals/asked-here.ts';
import { createDecidedRequests } from '../changes/proposals/decided-requests.ts';
import { createDecisions } from '../changes/proposals/decisions.ts';
import { createDiskBackEnd } from '../changes/proposals/disk.ts';
import { createMemoryBackEnd } from '../changes/proposals/memory.ts';
import { createProposalStore } from '../changes/proposals/store.ts';
import { createNotify } from '../changes/standing/notify.ts';
import type { ParsedConfig } from '../config/parse-config.ts';
import { secondPersonRule } from '../config/second-person.ts';
import { missingSettings } from '../config/settings.ts';
import { refusal, VideoHostingError } from '../errors.ts';
import type { PageDeps } from '../page/deps.ts';
import type { SharedPage } from '../page/shared-page.ts';
import { definedFields } from '../platform/defined-fields.ts';
import { INTERVALS, type Intervals } from '../platform/intervals.ts';
import { createServiceClient } from '../service/client.ts';
import { createHttp } from '../service/http.ts';
import type { Channel } from '../service/resources/channels.ts';
import { findCredential } from '../text/find-credential.ts';
import { toTakeEffect } from '../text/own-command.ts';
import { type Sentence, sentence, wordList } from '../text/sentence.ts';
import { createAccountDisk } from './account-disk.ts';
import { openAccountFolder } from './account-folder.ts';
import { createAccountPage } from './account-page.ts';
import { ofItsAccount } from './catalogue-account.ts';
import { expiriesOf } from './credential-expiries.ts';
import { auditIn, changesIn, decidedIn, emailsIn, keptIn, reportsIn } from './folders.ts';
import { joinedText, keptText } from './kept-of-account.ts';
import { openDemo } from './open-demo.ts';
import { elsewhereText, otherAccountsText } from './other-accounts.ts';
import { onceSettled } from './settled-guard.ts';
import { openStanding } from './standing.ts';

/** One account and what works on it; the first call that needs it opens it. */
export type Workspace = Awaited<ReturnType<typeof openWorkspace>>;

export interface WorkspaceOptions {
  readonly config: ParsedConfig;
  readonly version: string;
  readonly log: (message: string) => void;
  readonly intervals?: Intervals;
  /** Aborted when the server begins to end: whoever waits is answered with what is so then. */
  readonly ending?: AbortSignal;
}

/** What tools, resources and prompts can use. */
export interface AppContext extends WorkspaceOptions {
  /** Opens the account once. Throws if settings are missing or wrong. */
  readonly open: () => Promise<Workspace>;
  /** The account, where it is open; opens nothing. */
  readonly opened: () => Promise<Workspace | undefined>;
}

const EXPIRY_LOOK_MS = 3_600_000;
const CATCH_UP_MS = 1_000;
/** Time for requests in flight when the server ends. */
const GRACE_MS = 500;
/** Of a command, whose work ends with it. */
const NEVER = new AbortController().signal;
/** A preview may read views for this part of its call’s time. */
const VIEWS_SHARE = 4;

/** Throws `settings_missing` with the settings to set. */
export async function openWorkspace({ config, version, log, intervals = INTERVALS, ending = NEVER }: WorkspaceOptions) {
  const { settings, release } = config.settings.demo
    ? await openDemo(config.settings)
    : { settings: config.settings, release: async () => {} };
  const missing = missingSettings(config.settings);
  if (missing.length > 0 || settings.baseUrl === undefined || settings.apiKey === undefined) {
    throw new VideoHostingError('settings_missing', sentence`Not set: ${wordList(missing)}. Nothing was sent.`, {
      hint: sentence`Set ${missing.length === 1 ? 'it' : 'them'} in the client’s configuration of this server and ${toTakeEffect(missing[0])}, or start it with --demo to try it without an account.`,
    });
  }
  const { baseUrl, apiKey } = settings;
  // Without an analytics address, what needs one fails before it sends anything.
  const statsUrl = settings.statsUrl ?? baseUrl;
  const http = createHttp({
    ...settings,
    baseUrl,
    statsUrl,
    apiKey,
    expiries: expiriesOf(settings, apiKey),
    userAgent: `video-hosting-mcp/${version}`,
  });
  const client = createServiceClient(http);
  const videosCredential = credentialFingerprint(baseUrl, settings.accessToken ?? apiKey);
  const jobs = createJobs(log, { ending, credential: videosCredential });
  const folder = await openAccountFolder({
    ...{ settings: { ...settings, baseUrl, apiKey }, client, isDemo: settings.demo },
    isBusy: () => !jobs.isIdle(),
  });
  const accountId = folder.name;
  const disk = createAccountDisk(folder.path);
  const chain = createAuditChain(auditIn(folder.path), changesIn(folder.path), log);
  const { sharedAt } = settings;
  const linkOf = sharedAt === undefined ? undefined : (changeId: string) => `${sharedAt}/changes/${changeId}`;
  const files = auditedJournal(createJournal(changesIn(folder.path), settings.filesDirs[0], linkOf), chain);
  const beginHere = <T>(begin: () => Promise<T>): Promise<T> =>
    folder.begin(() => {
      disk.assertThere();
      return begin();
    });
  // A person may take minutes to agree, and another process may note meanwhile which account the key is of.
  const journal: Journal = {
    ...files,
    begin: (...change) => beginHere(() => files.begin(...change)),
    resume: (...change) => beginHere(() => files.resume(...change)),
  };
  const emailDownloads = createEmailDownloads(emailsIn(folder.path), log);
  emailDownloads.watch();
  const unseenForms = unseenFormsIn(settings);
  const notify = settings.notify === undefined ? undefined : createNotify(settings.notify, log);
  const decided = createDecidedRequests({ folder: decidedIn(folder.path) });
  const proposals = createProposalStore({
    backEnds: {
      memory: createMemoryBackEnd(),
      disk: createDiskBackEnd({
        ...{ folder: keptIn(folder.path), accountId, journal, files: settings.filesDirs },
        everyMs: intervals.changeMs,
      }),
    },
    ...{ journal, decided },
    onUnbegun: ({ changeId, endedAt, change }) => chain.unbegun(changeId, endedAt, change),
    unbegunNoted: chain.noted,
    ...definedFields({ notify }),
  });
  const askedHere = createAskedHere(proposals, ending);
  // Each look tells what expires within a day, and has recorded what expired; in a process that runs on nobody else may look.
  let looking: Promise<unknown> = Promise.resolve();
  let isClosing = false;
  const lookForExpired = (): void => {
    // It may record what it finds, which nothing is to do once this is closed.
    if (!isClosing) looking = proposals.list().catch(() => undefined);
  };
  const expiryLook = setInterval(lookForExpired, EXPIRY_LOOK_MS).unref();
  // What a process that was killed left unrecorded, once the call that opens the account has had its time.
  const caughtUp = setTimeout(() => {
    void chain.catchUpAtStart().then(lookForExpired);
  }, CATCH_UP_MS).unref();
  const page = createAccountPage(settings, intervals, (): PageDeps => pageDeps);
  const secondPerson = secondPersonRule(settings.secondPerson);
  const standing = await openStanding(settings, journal, notify);
  const guarded = createGuard({
    ...{ accountId, mode: settings.confirm, readOnly: settings.readOnly, secondPerson, agent: settings.agent },
    ...{ journal, jobs, unseenForms, proposals, askedHere, decided, page, standing },
    assertCanBeNoted: disk.assertWritable,
  });
  const { planLater } = guarded;
  const { guard, propose, beginLater } = onceSettled(guarded, folder.settleChange);
  let analytics: Promise<Analytics> | undefined;
  /** Opened by the first call that needs it, again after a failure. */
  const openOnce = (): Promise<Analytics> => {
    const account = viewsFingerprint({ ...settings, baseUrl, apiKey });
    analytics ??= openAnalytics({ settings, client, account, folder: folder.viewsPath, log }).catch((error: unknown) => {
      analytics = undefined;
      throw error;
    });
    return analytics;
  };
  const isDoubtful = async () => settings.statsAuth === 'none' && (await folder.hasOthers());
  /** To be called again for each reading of channels; those that are named are looked up at once. */
  const sentContents = (channels: readonly Channel[] = []) =>
    createSentLookup(
      journal,
      channels.map((channel) => ({ id: channel.id, seen: seenOf(channel) })),
    );
  const account = createAccount(client, sentContents, createFormerNames(journal));
  const parts = {
    client,
    account,
    whoseViews: createWhoseViews({ account, isDoubtful }),
    journal,
    // The demo account’s key may.
    movesByKey: !settings.demo && settings.accessToken === undefined && credentialInfo(apiKey).kind !== 'JWT',
    videosJwt: expiriesOf(settings, apiKey).token,
    /** A hash of the credential that requests for videos carry. */
    videosCredential,
    jobs,
    ...{ proposals, askedHere, emailDownloads },
    ...{ intervals, ending },
    sentContents,
    formerContents: createFormerLookup(journal),
    readings: createChannelReadings(),
    /** Resolves to undefined if no video catalogue is set. */
    catalogue: ofItsAccount({
      ...{ read: createCatalogueReader(settings.videoCatalogue), file: settings.videoCatalogue },
      ...{ dataDir: settings.dataDir, account: folder.account },
    }),
    reports: createReports(reportsIn(folder.viewsPath)),
    renderer: createRenderer({ log }),
    seenVideos: createSeenVideosLookup({
      storedViews: createStoredViewsLookup({
        analytics: openOnce,
        viewLogs: client.viewLogs,
        needsDuck: settings.analyticsStore === undefined,
        readMs: settings.callBudgetMs / VIEWS_SHARE,
      }),
      client,
      hasViewLogs: settings.statsUrl !== undefined,
    }),
  };
  let shared: Promise<SharedPage> | undefined;
  let isToldHere = false;
  const { filesDirs, readOnly } = settings;
  const decisions = createDecisions({ proposals, askedHere }, { planLater, beginLater }, { ...parts, filesDirs, readOnly, secondPerson });
  const pageDeps: PageDeps = {
    ...{ ...parts, decisions },
    ...{ version, log, propose, standing, readOnly },
    reader: sharedAt === undefined ? 'person' : 'people',
    credentialIn: (value) => findCredential(value, [apiKey, settings.accessToken])?.problem,
    assertKept: disk.assertThere,
    accountName: settings.demo ? 'The demo account' : `Account at ${new URL(baseUrl).host}`,
  };
  return {
    ...parts,
    settings,
    /** Whether other accounts of the address are known here, and views are asked for without the key, so that they may be of those. */
    areViewsDoubtful: isDoubtful,
    templateNames: createTemplateNames(client),
    guard,
    /** The call of a preview that the user agreed to. Where nothing can be noted, that is told, and the token stays. */
    async previewedCall(...agreement: Parameters<typeof guarded.previewedCall>) {
      await disk.assertWritable();
      return guarded.previewedCall(...agreement);
    },
    standing,
    /** What a person does about changes that wait on disk. */
    decisions,
    page,
    pageDeps,
    /** The page, which a server for several people lets them in to. */
    sharedPage(): Promise<SharedPage> {
      shared ??= import('../page/shared-page.ts').then(({ createSharedPage }) => createSharedPage(pageDeps));
      return shared;
    },
    async analytics(): Promise<Analytics> {
      if (settings.statsUrl !== undefined) await folder.settle(new AbortController().signal);
      return openOnce();
    },
    /** What views could not be read when it was last tried. Opens nothing. */
    async unreadViews(): Promise<readonly FailedSpan[]> {
      return (await analytics?.catch(() => undefined))?.sync.failures() ?? [];
    },
    filesDirs,
    /** Whether the account turned out to be kept elsewhere: this workspace is to be closed, and another opened. */
    hasMoved: folder.hasMoved,
    /** Throws where the folder was removed since. */
    assertKept: disk.assertThere,
    /** Throws where nothing can be written into it. */
    assertWritable: disk.assertWritable,
    /** Throws where what waits for a person can’t be kept. */
    assertKeeps: disk.assertKeeps,
    /** What this process saw of the records for audit that is not as it should be. */
    auditTrouble: chain.trouble,
    /** Throws where what happens to changes can’t be recorded for audit. */
    async assertRecorded(): Promise<void> {
      const { failing } = await chain.trouble();
      if (failing !== undefined) throw refusal('journal_failed', sentence`What happens to changes can’t be recorded for audit. ${failing}`);
    },
    /** The name of the account’s folder. */
    folderName: folder.name,
    /** Why the account is not known. */
    unknown: folder.unknown,
    /** How much is kept of other accounts of the address, if anything is. */
    othersOfAddress: (): Promise<Sentence | undefined> => otherAccountsText(settings, folder.name),
    /** The same, or of the account at other addresses: for whoever finds nothing here. */
    async otherAccounts(): Promise<Sentence | undefined> {
      const here = await otherAccountsText(settings, folder.name);
      const own = await folder.account();
      if (here !== undefined || (own === undefined && (await journal.count()) > 0)) return here;
      return elsewhereText(settings, own);
    },
    /** What is told of a key that joined its account, once, by whichever process comes first to somebody who reads it. */
    async takeNotice(): Promise<Sentence | undefined> {
      if (isToldHere) return undefined;
      isToldHere = true;
      if (!(await folder.takeJoined())) return undefined;
      const text = await keptText(journal, proposals);
      return text && joinedText(text);
    },
    async close(): Promise<void> {
      isClosing = true;
      clearInterval(expiryLook);
      clearTimeout(caughtUp);
      await looking;
      proposals.close();
      emailDownloads.close();
      page.close();
      await shared?.then((opened) => opened.close());
      await Promise.all([jobs.close(GRACE_MS), parts.renderer.close(), analytics?.then((opened) => opened.close()).catch(() => undefined)]);
      // The last of a change is recorded once its job has ended.
      await Promise.all([http.close(), chain.end()]);
      disk.close();
      await release();
    },
  };
}
