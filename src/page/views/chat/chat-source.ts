import type { ChangeList, ChangeView, ChannelList, ChannelView, ReportList, ReportView } from '../../contract.ts';
import type { DataSource, SourceEvent } from '../data/source.ts';
import { fieldsIn } from './fields.ts';
import { changeFromAnswer, changesFromAnswer, channelFromAnswer, channelsFromAnswer, leftOut, reportFromText } from './from-answers.ts';
import { type Host, textOf } from './host.ts';
import { createReader } from './reader.ts';

/** Between two looks at a change that is not over. */
const POLL_MS = 3_000;
/** A view may stay in a conversation for days. */
const MAX_POLLS = 200;
const PAGE_SIZE = 50;

/**
 * The data of the server behind the host, to look at only: by reading tools, and by resources with the data of the
 * approval page, which say more. Where one is refused the other is tried.
 */
export function createChatSource(host: Host): DataSource {
  const { callTool, structured, readResource, read, firstOf, hasFailed } = createReader(host);
  const listeners = new Set<(event: SourceEvent) => void>();
  const tell = (event: SourceEvent): void => {
    for (const listener of listeners) listener(event);
  };
  let polls = 0;

  /** Reads a change again until it is over. */
  function watch(change: ChangeView): ChangeView {
    const { changeId, status } = change;
    if ((status === 'running' || status === 'waiting') && polls < MAX_POLLS)
      setTimeout(function look() {
        if (document.hidden) return void setTimeout(look, POLL_MS);
        polls += 1;
        tell({ type: 'change', changeId, status });
      }, POLL_MS);
    return change;
  }

  // What could not be shown may be shown now.
  host.call.onChange(() => {
    if (hasFailed()) tell({ type: 'connection', connection: 'open' });
  });

  const never = async (): Promise<never> => {
    throw new Error('Nothing is changed from a conversation’s view.');
  };
  const id = encodeURIComponent;
  return {
    mayAct: false,
    session: async () => ({ token: '', account: '', version: '', isReadOnly: true }),
    changes: (page) =>
      firstOf<ChangeList>(
        () => read(`changes?page=${page}`),
        async () => changesFromAnswer(await structured('list_changes', { limit: PAGE_SIZE })),
      ),
    change: async (changeId) =>
      watch(
        await firstOf<ChangeView>(
          () => read<ChangeView>(`changes/${id(changeId)}`),
          async () => changeFromAnswer(await structured('get_change', { changeId })),
        ),
      ),
    decide: never,
    stop: never,
    undo: never,
    state: never,
    findVideos: never,
    readList: never,
    channels: (search, page) =>
      firstOf<ChannelList>(
        () => read(`channels?search=${id(search)}&page=${page}`),
        async () => channelsFromAnswer(await structured('list_channels', { page, size: PAGE_SIZE, ...(search === '' ? {} : { search }) })),
      ),
    channel: async (channel) => {
      const answer = await structured('get_channel', { channel }).catch((error: Error) => error);
      const isWhole = !(answer instanceof Error) && leftOut(answer) === 0;
      const fromAnswer = async (): Promise<ChannelView> => {
        if (answer instanceof Error) throw answer;
        return channelFromAnswer(answer);
      };
      return isWhole ? fromAnswer() : firstOf<ChannelView>(() => read(`channels/${id(channel)}`), fromAnswer);
    },
    reports: () => firstOf<ReportList>(() => read('reports')),
    report: (reportId, page) =>
      firstOf<ReportView>(
        () => read(`reports/${id(reportId)}?page=${page}`),
        async () => reportFromText(reportId, textOf(await callTool('draw_chart', { report: reportId }))),
      ),
    chartAddress: (reportId) =>
      firstOf(
        async () => pictureOf(fieldsIn(await callTool('draw_chart', { report: reportId })).content),
        async () => pictureOf([await readResource(`reports/${id(reportId)}/chart.png`)]),
      ),
    csvAddress: () => undefined,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A picture for an `img`, from a tool's answer or a resource. */
function pictureOf(blocks: unknown): string {
  const found = (Array.isArray(blocks) ? blocks : []).map(fieldsIn).find(({ mimeType }) => mimeType === 'image/png');
  const data = found?.data ?? found?.blob;
  if (typeof data !== 'string') throw new Error('there is no picture in the answer');
  return `data:image/png;base64,${data}`;
}
