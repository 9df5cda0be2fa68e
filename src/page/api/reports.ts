import { CHART_SIZES, type DrawableTable } from '../../analytics/chart/contract.ts';
import { canDrawReport, drawReport, reportTitle } from '../../analytics/chart/draw-report.ts';
import { firstRowsText, PARTIAL } from '../../analytics/chart/report-drawing.ts';
import { isPercent } from '../../analytics/metrics.ts';
import { REPORTS_KEPT } from '../../analytics/reports.ts';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { sentence } from '../../text/sentence.ts';
import type { ReportList, ReportView } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';
import { pageOf } from './page-of.ts';

const PAGE_SIZE = 500;
const MAX_REPORTS = 100;
const MAX_CSV_BYTES = 512 * 1024 * 1024;

const noSuchReport = () => new PageProblem(404, sentence`There is no such report, or no longer: reports are ${REPORTS_KEPT}.`);

/** The reports of the account, which are kept for some time and hold no personal data. */
export function createReportViews({ reports, renderer }: Pick<PageDeps, 'reports' | 'renderer'>) {
  async function table(id: string): Promise<DrawableTable> {
    const found = await reports.readTable(id);
    if (found === undefined) throw noSuchReport();
    return found;
  }

  return {
    async list(): Promise<ReportList> {
      const found = await reports.list(MAX_REPORTS);
      return {
        reports: found.map(({ id, at, head }) => ({ reportId: id, title: reportTitle(head), at, about: head.drawing.about.join('; ') })),
      };
    },
    async view(id: string, page: number): Promise<ReportView> {
      const found = await table(id);
      const { shown: rows, ...paging } = pageOf(found.rows, page, PAGE_SIZE);
      return {
        reportId: id,
        title: reportTitle(found),
        at: (await reports.list(MAX_REPORTS)).find((report) => report.id === id)?.at ?? '',
        // What a caller of SQL names a rate may be one of a hundred.
        columns: found.columns.map(({ name }) => ({ name, isPercent: found.drawing.grouping !== undefined && isPercent(name) })),
        rows,
        ...paging,
        total: found.rows.length,
        hasChart: canDrawReport(found),
        ...definedFields({ unread: found.drawing.unread }),
        // The table has all rows; the chart says itself how many it draws, and `unread` what is missing.
        notes: found.drawing.about.filter(
          (text) => text !== firstRowsText(found.drawing.first ?? 0, found.rows.length) && text !== PARTIAL,
        ),
      };
    },
    async csv(id: string): Promise<string> {
      const found = await reports.read(id, MAX_CSV_BYTES);
      if (found?.type !== 'text/csv') throw noSuchReport();
      return found.text;
    },
    async chart(id: string, wanted: string): Promise<Buffer> {
      const found = await table(id);
      const size = CHART_SIZES.find((one) => one === wanted);
      try {
        return (await drawReport(found, { kind: 'auto', size }, renderer)).png;
      } catch (error) {
        if (error instanceof VideoHostingError) throw new PageProblem(404, error.message);
        throw error;
      }
    },
  };
}
