import { ChangePage } from './change/change-page.tsx';
import type { Waiting } from './change/other-changes.tsx';
import { ChannelPage } from './channel/channel-page.tsx';
import { ChangesPage } from './lists/changes-page.tsx';
import { ChannelsPage } from './lists/channels-page.tsx';
import { ReportsPage } from './lists/reports-page.tsx';
import { ViewHeading } from './parts/basics.tsx';
import { ReportPage } from './report/report-page.tsx';
import { listAddress, type Route } from './router.ts';

interface Props {
  readonly route: Route;
  /** The other changes that wait. */
  readonly waiting?: Waiting;
}

/** The view of an address. */
export function View({ route, waiting = [] }: Props) {
  switch (route.view) {
    case 'change':
      return <ChangePage key={route.id} changeId={route.id} waiting={waiting} />;
    case 'changes':
      return <ChangesPage />;
    case 'channel':
      return <ChannelPage key={route.id} id={route.id} />;
    case 'channels':
      return <ChannelsPage />;
    case 'report':
      return <ReportPage key={route.id} reportId={route.id} />;
    case 'reports':
      return <ReportsPage />;
    default:
      return (
        <>
          <ViewHeading>Nothing is at this address</ViewHeading>
          <p class="lead">
            The link may have been cut off. <a href={listAddress('changes')}>See the changes</a>, which is where most links lead.
          </p>
        </>
      );
  }
}
