import type { Settings } from '../config/settings.ts';
import { PAGE_VIEWS } from '../page/contract.ts';

type Shared = Pick<Settings, 'sharedAt'>;

/** Where a change is decided on, behind a sign-in, on a server for several people; undefined on any other. */
export const changeLink = ({ sharedAt }: Shared, changeId: string): string | undefined =>
  sharedAt === undefined ? undefined : `${sharedAt}/changes/${encodeURIComponent(changeId)}`;

/** Where a view of the page is, likewise. */
export function viewLink({ sharedAt }: Shared, view: string): string | undefined {
  if (sharedAt === undefined) return undefined;
  // The fragment would not outlive the sign-in.
  return view.startsWith(PAGE_VIEWS.change) ? `${sharedAt}/changes/${view.slice(PAGE_VIEWS.change.length)}` : `${sharedAt}/app/${view}`;
}
