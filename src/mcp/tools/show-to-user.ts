import * as z from 'zod';
import { noSuchChange } from '../../changes/journal/journal.ts';
import { invalidArguments } from '../../errors.ts';
import { PAGE_VIEWS } from '../../page/contract.ts';
import { REPORT_URI } from '../analytics-schemas.ts';
import { token } from '../answer/render-answer.ts';
import { CHAT_VIEW_URI } from '../chat-view.ts';
import { changeIdArgument, defineTool, type ToolContext } from '../define-tool.ts';
import { referenceArgument } from '../shapes.ts';
import { noSuchReport, reportId } from './draw-chart.ts';

export const showToUser = defineTool({
  name: 'show_to_user',
  title: 'Show to the user',
  description:
    'Shows the user a change, the history of changes, a channel or a report: in the chat where this client draws views, else on the approval page in their browser, where they can also state what a channel holds.',
  effect: 'read',
  view: CHAT_VIEW_URI,
  input: {
    report: z.string().min(1).max(300).optional(),
    changeId: changeIdArgument.optional(),
    channel: referenceArgument('Channel').optional(),
    inBrowser: z.boolean().optional().describe('Not in the chat'),
  },
  output: { shown: z.boolean(), message: z.string() },
  run: async ({ inBrowser = false, ...wanted }, context) => {
    const { page, call } = context;
    const { view, what } = await viewOf(wanted, context);
    if (call.drawsViews && !inBrowser) return { shown: true, message: `Drawn in the chat, to look at only: ${what}. ${IF_UNSEEN}` };
    const noBrowser = page.unavailable();
    if (noBrowser !== undefined) return { shown: false, message: `${noBrowser} ${WHAT_TO_SET}` };
    if (!(await page.open(view))) return { shown: false, message: `The browser did not start. ${WHAT_TO_SET}` };
    return { shown: true, message: `The approval page was opened in the user’s browser, at ${what}.` };
  },
});

const IF_UNSEEN = 'If the user does not see it there, call again with inBrowser.';

const WHAT_TO_SET =
  'To have it opened, set VIDEO_HOSTING_BROWSER to a program that opens an address in the user’s browser, and restart the server. Tell the user in the chat instead.';

interface Wanted {
  readonly changeId?: string | undefined;
  readonly channel?: string | undefined;
  readonly report?: string | undefined;
}

async function viewOf({ changeId, channel, report }: Wanted, { account, journal, waiting, reports, signal, progress }: ToolContext) {
  if ([changeId, channel, report].filter((given) => given !== undefined).length > 1)
    throw invalidArguments([{ field: 'changeId', problem: 'channel and report name different views: give one of them.' }]);
  if (changeId !== undefined) {
    if (waiting.get(changeId) === undefined && (await journal.read(changeId)) === undefined) throw noSuchChange(changeId);
    return { view: `${PAGE_VIEWS.change}${changeId}`, what: `the change ${changeId}` };
  }
  if (channel !== undefined) {
    const { record } = await account.findChannel(channel, { signal, progress });
    return { view: `${PAGE_VIEWS.channel}${encodeURIComponent(record.id)}`, what: `the channel ${token(record.id)}` };
  }
  if (report === undefined) return { view: PAGE_VIEWS.changes, what: 'the history of changes' };
  const id = reportId(report);
  if ((await reports.readTable(id)) === undefined) throw noSuchReport(report);
  return { view: `${PAGE_VIEWS.report}${id}`, what: `the report ${REPORT_URI}${id}` };
}
