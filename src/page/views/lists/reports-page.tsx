import { useSource } from '../data/page-context.tsx';
import { useLoaded } from '../data/use-loaded.ts';
import { Empty, ViewHeading } from '../parts/basics.tsx';
import { WhenLoaded } from '../parts/loading.tsx';
import { Typeset } from '../parts/typeset.tsx';
import { timeInShort } from '../parts/words.ts';
import { reportAddress } from '../router.ts';
import { ListItem } from './list-item.tsx';

export function ReportsPage() {
  const source = useSource();
  const loaded = useLoaded('reports', source.reports, (event) => event.type === 'report');
  return (
    <WhenLoaded loaded={loaded} what="Reports">
      {({ reports }) => (
        <>
          <ViewHeading>Reports</ViewHeading>
          {reports.length === 0 && (
            <Empty title="There are no reports yet.">
              Ask your assistant about views, such as “which videos were watched most last month?”. Each answer is kept here for a week,
              with its chart, its table and a file.
            </Empty>
          )}
          {reports.length > 0 && (
            <p class="lead">
              Answers to questions about views, the newest first, each kept for a week with its chart, its table and a file. For newer
              numbers, ask your assistant again.
            </p>
          )}
          <ul class="entries" aria-label="Reports">
            {reports.map(({ reportId, title, at, about }) => (
              <ListItem key={reportId} address={reportAddress(reportId)} name={title}>
                <span class="quiet">
                  {about !== '' && (
                    <>
                      <Typeset text={about} />
                      {' · '}
                    </>
                  )}
                  asked <time dateTime={at}>{timeInShort(at)}</time>
                </span>
              </ListItem>
            ))}
          </ul>
        </>
      )}
    </WhenLoaded>
  );
}
