import {
  type ChangeList,
  type ChangeView,
  type ChannelList,
  type ChannelView,
  type DecisionRequest,
  type ListRequest,
  type PageEvent,
  type PageSession,
  READ_LIST,
  type ReadList,
  type ReportList,
  type ReportView,
  type StandingView,
  type StatementRequest,
  type VideoSet,
} from '../../contract.ts';

/** `lost`: not reached at the moment; `ended`: it will not come back. */
export type Connection = 'open' | 'lost' | 'ended';

export type SourceEvent = PageEvent | { readonly type: 'connection'; readonly connection: Connection };

/** All that the views know of where their data comes from. Every method rejects with an `Error` whose message is for people. */
export interface DataSource extends ReturnType<typeof requestsBy> {
  /** False where the views only show, as in a conversation. */
  readonly mayAct: boolean;
  /** The address of a picture of the report, for an `img`. */
  chartAddress(reportId: string): Promise<string>;
  /** The address of the whole report as a file; undefined where no file can be had. */
  csvAddress(reportId: string): string | undefined;
  /** Calls the listener until the returned function is called. */
  listen(listener: (event: SourceEvent) => void): () => void;
}

type Get = <T>(path: string) => Promise<T>;
type Post = <T>(path: string, body?: unknown) => Promise<T>;

/** The requests of the contract, by what brings their answers. */
export function requestsBy(get: Get, post: Post) {
  const id = encodeURIComponent;
  return {
    session: () => get<PageSession>('session'),
    changes: (page: number) => get<ChangeList>(`changes?page=${page}`),
    change: (changeId: string) => get<ChangeView>(`changes/${id(changeId)}`),
    /** Where the plan moved, nothing was decided, and the change comes back as it is now, waiting. */
    decide: (changeId: string, decision: DecisionRequest) => post<ChangeView>(`changes/${id(changeId)}/decision`, decision),
    stop: (changeId: string) => post<ChangeView>(`changes/${id(changeId)}/stop`),
    undo: (changeId: string) => post<ChangeView>(`changes/${id(changeId)}/undo`),
    /** Proposes to carry it on. */
    resume: (changeId: string) => post<ChangeView>(`changes/${id(changeId)}/resume`),
    approvals: () => get<StandingView>('approvals'),
    /** Revokes one for good. */
    revoke: (approval: string) => post<StandingView>(`approvals/${id(approval)}/revoke`),
    revokeAll: () => post<StandingView>('approvals/stop'),
    channels: (search: string, page: number) => get<ChannelList>(`channels?search=${id(search)}&page=${page}`),
    channel: (channelId: string) => get<ChannelView>(`channels/${id(channelId)}`),
    state: (channelId: string, statement: StatementRequest) => post<ChangeView>(`channels/${id(channelId)}/statement`, statement),
    findVideos: (search: string) => get<VideoSet>(`videos?search=${id(search)}`),
    readList: (list: ListRequest) => post<ReadList>(READ_LIST, list),
    reports: () => get<ReportList>('reports'),
    report: (reportId: string, page: number) => get<ReportView>(`reports/${id(reportId)}?page=${page}`),
  };
}
