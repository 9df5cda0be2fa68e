// What the server of the approval page and its views exchange, as JSON over `api/…` beside the page's document; `api/api.ts`
// lists the requests, and `api/events` sends each PageEvent.
//
// The addresses are relative to the document, whose folder is the session. A POST has the page's own token in the header
// `x-page-token`, and `content-type: application/json`. An error is a PageError with the status 4xx or 5xx. A decision about
// a plan that changed, and one about a change that waits no more, is answered with 409 and the ChangeView as it is now.
//
// The document's policy lets run only the scripts and styles that stand in it: no `style="…"` in HTML that is parsed (the
// style of an element may be set by script), no `innerHTML`, nothing from elsewhere.

import type { ContentLists } from '../account/contents.ts';
import type { ChangeRecord } from '../changes/journal/change-record.ts';
import type { Weight } from '../changes/plan/notice.ts';
import type { ListChange, RecordDifference, StatedList } from '../changes/plan/record-difference.ts';
import type { ProposalStatus } from '../changes/proposals/proposal.ts';
import type { StandingReport } from '../changes/standing/rule-words.ts';
import type { Sentence } from '../text/sentence.ts';

/** Stands before the token, at the end of the fragment to which a sign-in leads. */
export const PAGE_TOKEN = '&token=';
/** The header of a request with which a window tells that a person uses it. */
export const PAGE_USE = 'x-page-use';

export interface PageSession {
  /** Goes with every request that changes something. Where people sign in, the browser has it from the sign-in. */
  readonly token?: string;
  /** The account in words, with the host of its API, or that it is the demo's. */
  readonly account: string;
  readonly version: string;
  readonly isReadOnly: boolean;
  /** Whether a file of standing approvals is set. */
  readonly hasStandingApprovals: boolean;
  /** What opens the page without an assistant, at a terminal; absent where people sign in. */
  readonly pageCommand?: string;
  /** Who is signed in, where there are several people, and what they may do. */
  readonly person?: { readonly name: string; readonly mayPropose: boolean; readonly mayApprove: boolean };
}

export interface PageError {
  /** A sentence: what was wrong, whether anything was changed, what to do. */
  readonly message: string;
  /** What is the matter with this server, or with its key; the message tells then what that means, and who can mend it. */
  readonly title?: string;
  /** Since when, as far as was seen here: ISO 8601. */
  readonly since?: string;
  /** For whoever set this server up: what went wrong, and what to correct. */
  readonly setup?: string;
  /** Before, it would be answered in the same way: ISO 8601. */
  readonly retryAt?: string;
  /** It would always be answered in the same way. */
  readonly isFinal?: true;
  /** It is there, and what was kept of it can’t be read. */
  readonly isDamaged?: true;
}

/** A move or a copy of many videos. */
export interface BulkView {
  readonly total: number;
  /** Sentences: from where, to where. */
  readonly facts: readonly string[];
  readonly done: number;
  readonly failedCount: number;
  readonly unknownCount: number;
  /** The first 1,000. */
  readonly failed: readonly OutcomeReason[];
  /** The first 1,000. */
  readonly unknown: readonly OutcomeReason[];
  /** In which requests those that are not known went out, in their order, as far as that is known. */
  readonly unknownRequests?: readonly { readonly request: number; readonly count: number }[];
  readonly notSent: number;
  /** The first ids of the plan, up to 20,000. */
  readonly ids: readonly string[];
  /** What failed or is not known can be downloaded, each with its reason. */
  readonly hasOutcomesFile?: true;
  /** The video whose CTAs are copied. */
  readonly source?: string;
}

export interface OutcomeReason {
  readonly id: string;
  /** The number of the request that it went out with, where that is known. */
  readonly request?: number;
  readonly reason: Sentence;
}

/**
 * Of these nothing was sent: `declined`; `withdrawn`: the assistant gave the call up, or the same request was answered in another way;
 * `expired`: nobody answered in time; `needless`: nothing was left to be done.
 */
export type ChangeStatus = ChangeRecord['status'] | Exclude<ProposalStatus, 'started'>;

export interface ChangeSummary {
  readonly changeId: string;
  readonly status: ChangeStatus;
  /** What it does and to what; no full stop. */
  readonly summary: string;
  /** ISO 8601. */
  readonly at: string;
  readonly undoneBy?: string;
  /** What undid a part of it: the last, where there are several. */
  readonly partlyUndoneBy?: string;
  /** Somebody or something stopped it before its end. */
  readonly wasStopped?: true;
  /** By whom and through what it was asked: “by nightly through Codex”; absent where neither is known. */
  readonly asked?: string;
  /** Whoever is signed in asked for it, where there are several people. */
  readonly isMine?: true;
  /** Of one that waits: why whoever is signed in may not apply it, and somebody else may, in a sentence. */
  readonly needsOther?: string;
  /** Who agreed to it and how, in words without a full stop. */
  readonly decided?: string;
  readonly counts?: CountsView;
  /** Of one that runs. */
  readonly progress?: ProgressView;
  /** Of one that runs: the service keeps it from going on. */
  readonly paused?: PausedView;
  /** What of it weighs, in few words each, the heaviest first. */
  readonly weighs?: readonly { readonly text: string; readonly weight: Weight }[];
  /** Until when it waits: ISO 8601. */
  readonly expiresAt?: string;
  /** Of one that waits: it sends lists of what records hold now that somebody states. */
  readonly isStated?: true;
  /** Of one that waits: the older ones of some of the same records that wait too. */
  readonly overtakes?: readonly string[];
  /** Of one that waits: that it can’t be applied, in few words, as far as was seen when it was looked at last. */
  readonly unfit?: string;
  /** Of what was not done or is not known: why, in a sentence, where that is the same for all of it. */
  readonly why?: string;
}

/** Why a change does not go on, and when that is tried again. Times: ISO 8601. */
export interface PausedView {
  /** Of the service’s answer; absent where none could be read. */
  readonly status?: number;
  readonly since: string;
  readonly until: string;
}

/** How far a change is. `since`: when it was begun, or carried on, with `before` done at that time; ISO 8601. */
export interface ProgressView {
  readonly done: number;
  readonly total: number;
  readonly since?: string;
  readonly before?: number;
  /** Of many videos; what failed and is not known is in `done` too. `sent`: those whose request was sent, and not answered yet. */
  readonly ofMany?: { readonly sent: number; readonly failed: number; readonly unknown: number };
}

/** How many records or videos it is about, without those that are left alone, and what became of them. */
export interface CountsView {
  /** One of them: “video”. */
  readonly what: string;
  readonly total: number;
  /** Of one that was begun. */
  readonly done?: number;
  readonly failed?: number;
  readonly unknown?: number;
  /** Of those that are not known: as they were before, when they were read afterwards. */
  readonly asBefore?: number;
  readonly notSent?: number;
}

export interface ChangeList {
  /** What waits first, of that what whoever is signed in asked for, then what weighs most; else the newest first. */
  readonly changes: readonly ChangeSummary[];
  /** What can’t be read of what waits, or since a newer version of this program wrote it, in sentences. */
  readonly problems?: readonly string[];
  /** The ids of those that belong here and whose record is damaged: what they did is not known. */
  readonly unreadable?: readonly string[];
  readonly page: number;
  /** At least so many: one more than `page` where there are more. */
  readonly pages: number;
}

export interface NoticeView {
  readonly text: string;
  /** It tells in short what the lists in `records` tell in full. */
  readonly isListed?: true;
  /** It tells what of what was asked for is left alone. */
  readonly isLeftAlone?: true;
  /** It tells on what an undo rests. */
  readonly isOfUndo?: true;
  /** It tells how stated lists compare with what was seen in views. */
  readonly isOfList?: true;
  readonly weight: Weight;
}

/** One record of a change. */
export interface ChangedRecord extends Pick<RecordDifference, 'id' | 'name' | 'outcome' | 'reason'> {
  /** In words. */
  readonly fields: readonly { readonly name: string; readonly before?: string; readonly after: string }[];
  readonly lists: readonly ListChange[];
  /** What the change states that the record holds: sent, whatever it really holds. Absent where it states nothing. */
  readonly stated?: readonly StatedList[];
  /** Of one that is renamed. */
  readonly newName?: string;
  /** Nothing is left in it afterwards, and something was, or may have been. */
  readonly endsEmpty?: true;
  /** Nothing was to be sent to it. */
  readonly isLeftAlone?: true;
  /** Of what is not known: read afterwards, it was as it had been. */
  readonly isAsBefore?: true;
  /** Of a change that is not undone as a whole: an undo set it back, or leaves it alone, since it was changed otherwise. */
  readonly since?: 'undone' | 'changed';
  /** Of what was changed since: what it is called now. */
  readonly nowName?: string;
}

/** A change that waits, runs or is over. */
export interface ChangeView extends ChangeSummary {
  /** Where it needs somebody else: who may apply it, by name. */
  readonly approvers?: readonly string[];
  /** False of what only records or hands over something, such as a statement. */
  readonly changesAccount: boolean;
  /** What the button does, such as “Apply 3 changes”; empty of one that waits no more. */
  readonly actionLabel: string;
  /** What that means, in a sentence, where the summary does not tell. */
  readonly meaning?: string;
  /** What is lost or not known, the worst first, and what else there is to tell. */
  readonly notices: readonly NoticeView[];
  /** What happens with the rest when one fails; empty for a single one. */
  readonly onFailure: string;
  readonly undo: {
    readonly possible: 'yes' | 'partly' | 'no';
    readonly how: string;
    /** Of a move that rests on what somebody said of its videos: the one sentence on its undo. */
    readonly words?: string;
  };
  /** The records that change, those that lose most first; of one that is over, those that are not done before them. */
  readonly records: readonly ChangedRecord[];
  /** A move or a copy of many videos. */
  readonly bulk?: BulkView;
  /** The titles of the videos and the names of the projects in `records` and `bulk`, by key or id. */
  readonly titles: Readonly<Record<string, string>>;
  /** Of a change that waits: whoever looks asked for it on this page. */
  readonly isOwn?: boolean;
  /** Of a change that waits: who is signed in may neither apply nor decline it. */
  readonly mayDecide?: false;
  /** Of a change that waits: what was shown. A decision is about it. */
  readonly planDigest?: string;
  /** Of a change that waits: what changed in the account since it was first shown, in sentences. */
  readonly conflicts?: readonly string[];
  /** Of a change that waits: what standing approvals say of it now, where they are for whoever asked. */
  readonly standing?: string;
  /** Of a change that waits: the lists that it sends as somebody stated them before, of how many records, and who did that last and when. */
  readonly statedEarlier?: {
    readonly what: readonly string[];
    readonly records: number;
    readonly told: NonNullable<ChangeView['agreed']>;
  };
  /** Of a change that was kept on disk for a person. `why`: why no standing approval covered it. */
  readonly kept?: { readonly why?: string };
  /** Of a change that waits: why it can’t be applied now, in a sentence. It can be declined. */
  readonly problem?: string;
  /** What can be done about that, in sentences. */
  readonly problemSteps?: readonly string[];
  /** That is because nothing is left to be done. */
  readonly isNeedless?: true;
  /** That may be over in a moment: it can be looked at again, where it says when from then on. */
  readonly isPassing?: true;
  /** ISO 8601. */
  readonly retryAt?: string;
  /** Of a change that waits: what a no leaves as it is, behind the word for it; absent where that is plain. */
  readonly declining?: string;
  /** Who asked for it, who stopped it before it was carried on, who agreed, and when it was stopped: in words that the time belongs behind, else a sentence. `isUnasked`: nobody agreed; `isCovered`: by standing approvals. */
  readonly agreed?: readonly { readonly words: string; readonly at?: string; readonly isUnasked?: true; readonly isCovered?: true }[];
  /** What became of it, in sentences: of a change that waited, and is not in the journal, and by whom one was stopped. Empty while it waits. */
  readonly outcome?: string;
  /** What a press came to that did nothing, in a sentence. */
  readonly press?: string;
  /** Of collected emails that were given out: whose the file is, and until when; `format` where whoever looks may download it. */
  readonly file?: { readonly words: string; readonly format?: 'CSV' | 'JSON' };
  /** What else there is to tell of it, in sentences. */
  readonly notes: readonly string[];
  /** Of one that is over, or waits no more: what a person can do about what was not done, in sentences. */
  readonly steps?: readonly string[];
  /** What keeps it from being done, or kept it: what whoever set this server up does about that. */
  readonly setup?: string;
  readonly canStop: boolean;
  /** It was asked to stop, and waits for what was sent already. */
  readonly isStopping?: boolean;
  /** Of one that runs: once it is stopped. */
  readonly canUndo: boolean;
  /** Some of it was not carried out, and can be. */
  readonly canResume: boolean;
  /** Before, the service would still be busy: ISO 8601. */
  readonly resumeFrom?: string;
  /** Some of it failed, and can be sent again. */
  readonly canRetry: boolean;
}

/** With `apply` too, the note goes to the assistant. */
export interface DecisionRequest {
  readonly decision: 'apply' | 'decline';
  readonly planDigest: string;
  /** The person's words to the assistant. */
  readonly note?: string;
}

export interface ChannelList {
  /** Those whose contents are known first. */
  readonly channels: readonly {
    readonly id: string;
    readonly name: string;
    readonly contents: string;
    readonly isKnown: boolean;
    readonly isStated: boolean;
  }[];
  /** Of how many of those that were found the contents are known, those that somebody stated among them. */
  readonly known: number;
  readonly stated: number;
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/** The lists are in display order, and absent where not known. */
export interface ChannelView extends ContentLists {
  readonly id: string;
  readonly key?: string;
  readonly name: string;
  /** Whether and by whose word the contents are known, in a sentence. */
  readonly contents: string;
  /** All that is known of it was stated: nobody saw it. */
  readonly isStated?: boolean;
  /** The change that wrote or stated what is known of it, or was before somebody else changed it; by whom, in words without a full stop. */
  readonly toldIn?: Pick<ChangeSummary, 'changeId' | 'asked' | 'decided'>;
  /** The videos in the stored views of the channel, to pick from; a sentence in `seenNote` where there are none. */
  readonly seen: readonly string[];
  readonly seenNote?: string;
  /** The titles of these videos, by key. */
  readonly titles: Readonly<Record<string, string>>;
  /** The keys of its contents that neither the video catalogue nor the views have. */
  readonly unknown: readonly string[];
  readonly hasCatalogue: boolean;
  /** Where the service itself shows the contents, nothing is to be stated. */
  readonly canState: boolean;
}

/** Videos with what the video catalogue knows of them. */
export interface VideoSet {
  readonly keys: readonly string[];
  readonly titles: Readonly<Record<string, string>>;
  /** The keys that it lacks; none where there is no catalogue. */
  readonly unknown: readonly string[];
}

/** A pasted text or a file. */
export interface ListRequest {
  readonly text: string;
  readonly fileName?: string;
  /** The index of the column that the person chose. */
  readonly column?: number;
}

/** What a list holds: the keys in its order, each once. */
export interface ReadList extends VideoSet {
  readonly entries: number;
  readonly repeated: number;
  readonly blanks: number;
  /** How it was read, in words: `column "Video key"`. */
  readonly read: string;
  /** The first entries that can't be added, and why, in sentences. */
  readonly problems: readonly string[];
  readonly problemCount: number;
  /** To choose from, where there are several. */
  readonly columns: readonly string[];
  readonly column?: number;
  /** Why nothing was read, in sentences. */
  readonly problem?: string;
}

/** The text is what a person typed. */
export type ProjectsSaid = { readonly kind: 'unsaid' | 'none' } | { readonly kind: 'these'; readonly text: string };

export interface StatementRequest {
  readonly videoKeys: readonly string[];
  readonly projects: ProjectsSaid;
}

export interface ReportList {
  /** `about`: the time, the filters and what else tells one from another. */
  readonly reports: readonly { readonly reportId: string; readonly title: string; readonly at: string; readonly about: string }[];
}

export interface ReportView {
  readonly reportId: string;
  readonly title: string;
  readonly at: string;
  readonly columns: readonly { readonly name: string; readonly isPercent: boolean }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly hasChart: boolean;
  /** Which views were not read, in sentences; absent where all were. */
  readonly unread?: readonly string[];
  /** What the report can’t tell, in sentences. */
  readonly notes: readonly string[];
}

/** The file of standing approvals, with what is wrong with it, in sentences, or each rule in one. */
export interface StandingView extends StandingReport {
  readonly path: string;
  /** The names of channels that rules give by their ids alone, as far as the account shows them. */
  readonly names?: Readonly<Record<string, string>>;
}

/** With what a person signed in connects clients to a server for several people. */
export interface ClientAccess {
  /** The root of the server, and the address that clients are given. */
  readonly url: string;
  readonly address: string;
  /** Names their client token of now, and tells nothing of it. */
  readonly tokenId: string;
}

/** A new client token, in the place of the one that was seen. */
export interface RenewRequest {
  readonly tokenId: string;
}

/** It is shown once. */
export interface RenewedToken extends ClientAccess {
  readonly token: string;
}

interface ChangeEvent {
  readonly type: 'change';
  readonly changeId: string;
  readonly status: ChangeStatus;
  /** Of one that runs. */
  readonly progress?: ProgressView;
  readonly paused?: PausedView;
  /** Of one that waits: that it can’t be applied as things are; empty where it can again. */
  readonly unfit?: string;
}

/** The views read again what an event names. */
export type PageEvent =
  | ChangeEvent
  | { readonly type: 'report'; readonly reportId: string }
  /** The assistant asks for a view: the fragment of its address. A person who is in the middle of something is not to be interrupted. */
  | { readonly type: 'show'; readonly view: string }
  /** The server ends: nothing can be answered any more. */
  | { readonly type: 'ended' };

/** Where the page is opened: the fragment of its address, such as `#/changes/ch_…`. */
export const PAGE_VIEWS = { change: '#/changes/', changes: '#/changes', channel: '#/channels/', report: '#/reports/' } as const;

/** The last parts of the addresses from which a browser saves a file. */
const DOWNLOADS = ['rows.csv', 'outcomes.csv', 'emails'];
export const isDownload = (path: readonly string[]): boolean => DOWNLOADS.includes(path.at(-1) ?? '');

/** The only POST that changes nothing, and that may hold a whole file. */
export const READ_LIST = 'videos/read';

/**
 * Before the address of a GET above, without `api/`: the address of the resource that has its answer, for the view in a conversation.
 * Some hosts let a view read this scheme only.
 */
export const VIEW_DATA_URI = 'ui://video-hosting/data/';
