import type {
  ChangeList,
  ChangeView,
  ChannelList,
  ChannelView,
  ClientAccess,
  PageEvent,
  PageSession,
  ReportList,
  ReportView,
  StandingView,
  VideoSet,
} from '../../contract.ts';
import type { Actions } from './actions.ts';

export type ChartSize = 'wide' | 'narrow';

/** `lost`: not reached at the moment; `ended`: it will not come back; `signed-out`: where people sign in, until they do so anew. */
export type ConnectionState = 'open' | 'lost' | Over;
export type Over = 'ended' | 'signed-out';

export type SourceEvent = PageEvent | { readonly type: 'connection'; readonly connection: ConnectionState };

/** All that the views know of where their data comes from. Every request rejects with an `Error` whose message is for people. */
export interface DataSource extends ReturnType<typeof readsBy> {
  /** Absent where the views only show, as in a conversation. */
  readonly actions?: Actions;
  /** The address of a picture of the report, for an `img`. */
  chartAddress(reportId: string, size: ChartSize): Promise<string>;
  /** The address of a file to be saved; undefined where none can be had. */
  fileAddress(path: string): string | undefined;
  /** Saves such a file, which the server sends to its own page alone. */
  save?(path: string): Promise<void>;
  /** Calls the listener until the returned function is called. */
  listen(listener: (event: SourceEvent) => void): () => void;
}

/** The requests of the contract that only read, by what brings their answers. A signal tells that nobody waits for one any more. */
export function readsBy(get: <T>(path: string, signal?: AbortSignal) => Promise<T>) {
  const id = encodeURIComponent;
  return {
    session: (signal?: AbortSignal) => get<PageSession>('session', signal),
    changes: (page: number, signal?: AbortSignal) => get<ChangeList>(`changes?page=${page}`, signal),
    change: (changeId: string, signal?: AbortSignal) => get<ChangeView>(`changes/${id(changeId)}`, signal),
    approvals: (signal?: AbortSignal) => get<StandingView>('approvals', signal),
    channels: (search: string, page: number, signal?: AbortSignal) =>
      get<ChannelList>(`channels?search=${id(search)}&page=${page}`, signal),
    channel: (channelId: string, signal?: AbortSignal) => get<ChannelView>(`channels/${id(channelId)}`, signal),
    findVideos: (search: string) => get<VideoSet>(`videos?search=${id(search)}`),
    reports: (signal?: AbortSignal) => get<ReportList>('reports', signal),
    clientAccess: (signal?: AbortSignal) => get<ClientAccess>('client', signal),
    report: (reportId: string, page: number, signal?: AbortSignal) => get<ReportView>(`reports/${id(reportId)}?page=${page}`, signal),
  };
}
