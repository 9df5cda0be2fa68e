import { fieldsIn, type Values } from '../../../platform/is-object.ts';
import { type ChangeView, VIEW_DATA_URI } from '../../contract.ts';
import { type DataSource, readsBy, type SourceEvent } from '../data/source.ts';
import type { Host } from './host.ts';

/** Between two looks at a change that is not over. */
const POLL_MS = 3_000;
/** A view may stay in a conversation for days. */
const MAX_POLLS = 200;

/** The data of the server behind the host, to look at only: what the approval page reads, as resources. */
export function createChatSource({ bridge, mayReadResources }: Host): DataSource {
  const listeners = new Set<(event: SourceEvent) => void>();
  let polls = 0;

  async function resource(path: string): Promise<Values> {
    if (!mayReadResources) throw refusal('this client offers no resources');
    const request = bridge.request('resources/read', { uri: VIEW_DATA_URI + path });
    const { contents } = await request.catch((error: Error) => Promise.reject(refusal(error.message)));
    return fieldsIn(Array.isArray(contents) ? contents[0] : undefined);
  }

  // The server's own types: both sides are built from one contract.
  const reads = readsBy(async <T>(path: string) => JSON.parse(String((await resource(path)).text)) as T);

  /** Has a change read again until it is over. */
  function watch({ changeId, status }: ChangeView): void {
    if ((status !== 'running' && status !== 'waiting') || polls >= MAX_POLLS) return;
    setTimeout(function look() {
      if (document.hidden) return void setTimeout(look, POLL_MS);
      polls += 1;
      for (const listener of listeners) listener({ type: 'change', changeId, status });
    }, POLL_MS);
  }

  return {
    ...reads,
    async change(changeId) {
      const change = await reads.change(changeId);
      watch(change);
      return change;
    },
    async chartAddress(reportId, size) {
      const { blob } = await resource(`reports/${encodeURIComponent(reportId)}/chart.png?size=${size}`);
      return `data:image/png;base64,${blob}`;
    },
    fileAddress: () => undefined,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const refusal = (reason: string): Error =>
  new Error(
    `This conversation’s view could not read it. Ask your assistant to tell you, or to show it in your browser. The reason: ${reason}`,
  );
