import type {
  ChangeList,
  ChangeView,
  ChannelList,
  ChannelView,
  DecisionRequest,
  ListRequest,
  PageEvent,
  PageSession,
  ReadList,
  ReportList,
  ReportView,
  StandingView,
  StatementRequest,
  VideoSet,
} from '../../contract.ts';

/** `lost`: not reached at the moment; `ended`: it will not come back. */
export type Connection = 'open' | 'lost' | 'ended';

export type SourceEvent = PageEvent | { readonly type: 'connection'; readonly connection: Connection };

/** All that the views know of where their data comes from. Every method rejects with an `Error` whose message is for people. */
export interface DataSource {
  /** False where the views only show, as in a conversation. */
  readonly mayAct: boolean;
  session(): Promise<PageSession>;
  changes(page: number): Promise<ChangeList>;
  change(changeId: string): Promise<ChangeView>;
  /** Where the plan moved, nothing was decided, and the change comes back as it is now, waiting. */
  decide(changeId: string, request: DecisionRequest): Promise<ChangeView>;
  stop(changeId: string): Promise<ChangeView>;
  undo(changeId: string): Promise<ChangeView>;
  /** Proposes to carry it on. */
  resume(changeId: string): Promise<ChangeView>;
  approvals(): Promise<StandingView>;
  /** Revokes one for good. */
  revoke(approval: string): Promise<StandingView>;
  revokeAll(): Promise<StandingView>;
  channels(search: string, page: number): Promise<ChannelList>;
  channel(id: string): Promise<ChannelView>;
  state(id: string, request: StatementRequest): Promise<ChangeView>;
  findVideos(search: string): Promise<VideoSet>;
  readList(list: ListRequest): Promise<ReadList>;
  reports(): Promise<ReportList>;
  report(reportId: string, page: number): Promise<ReportView>;
  /** The address of a picture of the report, for an `img`. */
  chartAddress(reportId: string): Promise<string>;
  /** The address of the whole report as a file; undefined where no file can be had. */
  csvAddress(reportId: string): string | undefined;
  /** Calls the listener until the returned function is called. */
  listen(listener: (event: SourceEvent) => void): () => void;
}
