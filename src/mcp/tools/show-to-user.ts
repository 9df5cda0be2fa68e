import * as z from 'zod';
import { renamedText } from '../../account/references.ts';
import { noSuchChange } from '../../changes/journal/journal.ts';
import { findChange } from '../../changes/life/find-change.ts';
import { isOnPage } from '../../changes/proposals/routes/index.ts';
import { invalidArguments } from '../../errors/field-problems.ts';
import { PAGE_VIEWS } from '../../page/contract.ts';
import { toTakeEffect } from '../../text/own-command.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { sentenceOut, unlisted } from '../answer/answer-schema.ts';
import { CHAT_VIEW_URI } from '../chat-view.ts';
import { defineTool, type ToolContext } from '../define-tool.ts';
import { REPORT_URI } from '../schemas/analytics-schemas.ts';
import { viewLink } from '../shared-links.ts';
import { noSuchReport, reportId } from './draw-chart.ts';

export const showToUser = defineTool({
  name: 'show_to_user',
  title: 'Show to the user',
  description:
    'Shows the user changes (the history), or by id one change, channel or report: in the chat where this client draws views, else on the approval page in their browser, where they can also state what a channel holds.',
  effect: 'read',
  view: CHAT_VIEW_URI,
  input: {
    what: z.enum(['change', 'changes', 'channel', 'report']),
    id: z.string().min(1).max(500).optional().describe('changeId, channel (id, key or exact name) or report'),
    inBrowser: z.boolean().optional().describe('Not in the chat'),
  },
  output: { shown: z.boolean(), link: unlisted(z.string()), message: sentenceOut(), next: sentenceOut().optional() },
  run: async ({ inBrowser = false, ...wanted }, context) => {
    const { page, call, settings } = context;
    const { view, what } = await viewOf(wanted, context);
    if (view === undefined) return { shown: false, message: FOR_THE_CHAT, next: TELL };
    if (call.drawsViews && !inBrowser) return { shown: true, message: sentence`Drawn in the chat, to look at only: ${what}. ${IF_UNSEEN}` };
    const link = viewLink(settings, view);
    if (link !== undefined)
      return {
        shown: false,
        link,
        message: sentence`${what} is on the page, behind the link, where they sign in. ${NOT_OPENED}`,
        next: GIVE_LINK,
      };
    const noBrowser = page.unavailable();
    if (noBrowser !== undefined) return { shown: false, message: sentence`${noBrowser} ${whatToSet()}`, next: TELL };
    if (!(await page.open(view))) return { shown: false, message: sentence`The browser did not start. ${whatToSet()}`, next: TELL };
    return { shown: true, message: sentence`The approval page was opened in the user’s browser, at ${what}.` };
  },
});

const IF_UNSEEN = sentence`If the user does not see it there, call again with inBrowser.`;

const FOR_THE_CHAT = sentence`It is, or was, asked about in the chat, and the page has nothing of it: its answer, and get_change, have all that is to be shown.`;
const NOT_OPENED = sentence`This server can’t open their browser.`;
const GIVE_LINK = sentence`Give the user the link.`;
const TELL = sentence`Tell the user in the chat instead.`;
const whatToSet = (): Sentence =>
  sentence`To have it opened, set VIDEO_HOSTING_BROWSER to a program that opens an address in the user’s browser, and ${toTakeEffect()}.`;

interface Wanted {
  readonly what: keyof typeof PAGE_VIEWS;
  readonly id?: string | undefined;
}

async function viewOf({ what, id }: Wanted, { account, journal, proposals, otherAccounts, reports, signal, progress }: ToolContext) {
  if (what === 'changes') {
    if (id !== undefined) throw invalidArguments([{ field: sentence`id`, problem: sentence`is for one of them: use what: "change".` }]);
    return { view: PAGE_VIEWS.changes, what: sentence`the history of changes` };
  }
  if (id === undefined) throw invalidArguments([{ field: sentence`id`, problem: sentence`says which ${what}: give it.` }]);
  if (what === 'change') {
    const found = await findChange(id, { journal, proposals });
    if (found === undefined) throw noSuchChange(id, {}, await otherAccounts());
    const isShown = found.record !== undefined || isOnPage(found.proposal);
    return { view: isShown ? `${PAGE_VIEWS.change}${id}` : undefined, what: sentence`the change ${word(id)}` };
  }
  if (what === 'channel') {
    const { record, former } = await account.findChannel(id, { signal, progress });
    const renamed = former === undefined ? '' : sentence` (${renamedText(former, record)})`;
    return { view: `${PAGE_VIEWS.channel}${encodeURIComponent(record.id)}`, what: sentence`the channel ${word(record.id)}${renamed}` };
  }
  const report = reportId(id);
  if ((await reports.readTable(report)) === undefined) throw noSuchReport(id);
  return { view: `${PAGE_VIEWS.report}${report}`, what: sentence`the report ${REPORT_URI}${word(report)}` };
}
