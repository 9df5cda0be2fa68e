import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { CHART_KINDS } from '../../analytics/chart/contract.ts';
import { drawReport } from '../../analytics/chart/draw-report.ts';
import { REPORTS_KEPT, type Report, type Unkept } from '../../analytics/reports.ts';
import type { Settings } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import { PAGE_VIEWS } from '../../page/contract.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { asSentence, inQuotes, type Sentence, sentence } from '../../text/sentence.ts';
import { pictureBlock } from '../call/tool-reply.ts';
import { definePicture } from '../define-tool.ts';
import { REPORT_URI } from '../schemas/analytics-schemas.ts';
import { viewLink } from '../shared-links.ts';

const MAX_TITLE = 150;

export const drawChart = definePicture({
  name: 'draw_chart',
  title: 'Draw a chart of a report',
  description: 'A chart (PNG) of a report’s rows, up to its question’s limit, and in words what it shows.',
  input: {
    report: z.string().min(1).max(300).describe('From query_analytics or run_analytics_sql'),
    kind: z.enum(['auto', ...CHART_KINDS]).optional(),
    title: z.string().optional(),
    columns: z.array(z.string()).optional().describe('Numbers to draw, default all'),
  },
  draw: async ({ report, kind = 'auto', title = '', columns }, { reports, renderer, settings, signal }) => {
    const table = await reports.readTable(reportId(report));
    if (table === undefined) throw noSuchReport(report);
    const { png, text } = await drawReport(table, { kind, title: chartTitle(title), columns }, renderer, signal);
    const saved = await reports.saveImage(png);
    return [{ type: 'text', text: `${text}\n${whereKept(saved, settings, reportId(report))}` }, pictureBlock(png)];
  },
});

export const chartTitle = (title: string): string => cleanText(title, MAX_TITLE);

/** Where a picture lies, for the user and as a resource. `table`: the report whose rows it draws, where that is kept. */
export function whereKept(saved: Report | Unkept, settings: Pick<Settings, 'demo' | 'sharedAt'>, table: string | undefined): Sentence {
  if (saved.id === undefined) return saved.unkept;
  const { demo, sharedAt } = settings;
  const kept = demo ? 'kept until this server ends' : REPORTS_KEPT;
  // Whoever asks from elsewhere has no use for a path of this machine. The page draws the table’s chart anew.
  const onPage = table === undefined ? undefined : viewLink(settings, `${PAGE_VIEWS.report}${table}`);
  const here = sentence`for the user, on this server’s machine, ${asSentence(pathToFileURL(saved.file).href)}; `;
  const there = onPage === undefined ? '' : sentence`for the user, with its rows, ${asSentence(onPage)}; `;
  const file = sharedAt === undefined ? here : there;
  return sentence`The picture (PNG), ${kept}: ${file}as a resource ${asSentence(`${REPORT_URI}${saved.id}`)}`;
}

/** An id, the address of a report's resource, or the path of its file. */
export const reportId = (report: string): string => /([\w-]{12})(?:\.(?:csv|png))?$/.exec(report.trim())?.[1] ?? '';

export function noSuchReport(report: string): VideoHostingError {
  const problem = sentence`${inQuotes(report, 80)} is no table of this account, or no longer kept (reports are ${REPORTS_KEPT}; a chart is a report too, but has no rows).`;
  return new VideoHostingError('not_found', sentence`report: ${problem}`, {
    facts: { fields: [{ field: sentence`report`, problem }] },
    hint: sentence`Ask query_analytics or run_analytics_sql again, and give the report that its answer names.`,
  });
}
