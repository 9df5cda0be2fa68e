import * as z from 'zod';
import { noSuchChange } from '../../changes/journal/journal.ts';
import { invalidArguments } from '../../errors.ts';
import { PAGE_VIEWS } from '../../page/contract.ts';
import { defineTool, type ToolContext } from '../define-tool.ts';
import { noSuchReport, reportId } from './draw-chart.ts';

export const showToUser = defineTool({
  name: 'show_to_user',
  title: 'Show to the user',
  description:
    'Opens the approval page in the user’s browser, at changes (the history), or by id at one change, channel (to see or state what it holds) or report.',
  effect: 'read',
  input: {
    what: z.enum(['change', 'changes', 'channel', 'report']),
    id: z.string().min(1).max(500).optional().describe('changeId, channel (id, key or exact name) or report'),
  },
  output: { shown: z.boolean(), message: z.string() },
  run: async (args, context) => {
    const { page } = context;
    const { view, what } = await viewOf(args, context);
    const noBrowser = page.unavailable();
    if (noBrowser !== undefined) return { shown: false, message: `${noBrowser} ${WHAT_TO_SET}` };
    if (!(await page.open(view))) return { shown: false, message: `The browser did not start. ${WHAT_TO_SET}` };
    return { shown: true, message: `The approval page was opened in the user’s browser, at ${what}.` };
  },
});

const WHAT_TO_SET =
  'To have it opened, set VIDEO_HOSTING_BROWSER to a program that opens an address in the user’s browser, and restart the server. Tell the user in the chat instead.';

interface Wanted {
  readonly what: keyof typeof PAGE_VIEWS;
  readonly id?: string | undefined;
}

async function viewOf({ what, id }: Wanted, { account, journal, waiting, reports, signal, progress }: ToolContext) {
  if (what === 'changes') {
    if (id !== undefined) throw invalidArguments([{ field: 'id', problem: 'is for one of them: use what: "change".' }]);
    return { view: PAGE_VIEWS.changes, what: 'the history of changes' };
  }
  if (id === undefined) throw invalidArguments([{ field: 'id', problem: `says which ${what}: give it.` }]);
  if (what === 'change') {
    if (waiting.get(id) === undefined && (await journal.read(id)) === undefined) throw noSuchChange(id);
    return { view: `${PAGE_VIEWS.change}${id}`, what: `the change ${id}` };
  }
  if (what === 'channel') {
    const { record } = await account.findChannel(id, { signal, progress });
    return { view: `${PAGE_VIEWS.channel}${encodeURIComponent(record.id)}`, what: 'the channel' };
  }
  const report = reportId(id);
  if ((await reports.readTable(report)) === undefined) throw noSuchReport(id);
  return { view: `${PAGE_VIEWS.report}${report}`, what: 'the report' };
}
