import { useEffect, useState } from 'preact/hooks';
import type { ReportView } from '../../contract.ts';
import { useSource } from '../data/page-context.tsx';
import { useLoaded } from '../data/use-loaded.ts';
import { Callout, Pagination, Sentences, Timestamp, ViewHeading } from '../parts/basics.tsx';
import { Download } from '../parts/download.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { countInWords } from '../parts/words.ts';
import { listAddress } from '../router.ts';
import { Chart, useChart } from './chart.tsx';
import { ReportRows } from './report-rows.tsx';

const REPORTS = {
  ...{ words: 'All reports', address: listAddress('reports') },
  missing: 'Ask your assistant the question again, which makes a new one.',
};

/** A report: its chart, the table behind it, and the whole of it as a file. */
export function ReportPage({ reportId }: { readonly reportId: string }) {
  const source = useSource();
  const [page, setPage] = useState(1);
  const [last, setLast] = useState<ReportView>();
  const loaded = useLoaded(
    `${reportId} ${page}`,
    (signal) => source.report(reportId, page, signal),
    (event) => event.type === 'report' && event.reportId === reportId,
  );
  useEffect(() => {
    if (loaded.data !== undefined) setLast(loaded.data);
  }, [loaded.data]);
  // The page before stays until the next is there, so that nothing jumps.
  const data = loaded.data ?? (loaded.error === undefined ? last : undefined);
  return (
    <WhenLoaded loaded={{ ...loaded, data }} what="A report" list={REPORTS}>
      {(report) => <Report report={report} onPage={setPage} />}
    </WhenLoaded>
  );
}

function Report({ report, onPage }: { readonly report: ReportView; readonly onPage: (page: number) => void }) {
  const chart = useChart(report);
  return (
    <>
      <p class="cluster above small">
        <a href={listAddress('reports')}>All reports</a>
        <span class="quiet">
          asked <Timestamp at={report.at} />
        </span>
      </p>
      <ViewHeading>
        <bdi>{report.title}</bdi>
      </ViewHeading>
      {report.notes.length > 0 && (
        <div class="lead">
          <Sentences of={report.notes} />
        </div>
      )}
      {report.unread !== undefined && (
        <Callout tone="caution" title="Not all views of this time are counted.">
          <Sentences of={report.unread} />
          <p>Ask your assistant the same question again: it has the rest read, and makes a new report.</p>
        </Callout>
      )}
      {report.unread === undefined && (
        <p class="quiet">
          All views of this time are counted, as of then. For newer ones ask your assistant again, which makes a new report.
        </p>
      )}
      {report.hasChart && <Chart chart={chart} title={report.title} />}
      {report.columns.length > 0 && chart.isSettled && <Rows report={report} onPage={onPage} />}
    </>
  );
}

function Rows({ report, onPage }: { readonly report: ReportView; readonly onPage: (page: number) => void }) {
  return (
    <section class="stack" aria-labelledby="rows">
      <div class="cluster table-head">
        <h2 id="rows">{countInWords(report.total, 'row')}</h2>
        <Download path={`reports/${encodeURIComponent(report.reportId)}/rows.csv`} words="Download as CSV" />
      </div>
      <ReportRows report={report} />
      <Pagination page={report.page} pages={report.pages} onPage={onPage} of="rows" />
    </section>
  );
}
