import type { Settings } from '../config/settings.ts';
import { PAGE_VIEWS } from '../page/contract.ts';

type Shared = Pick<Settings, 'sharedAt'>;

/** Where a change is decided on, behind a sign-in, on a server for several people; undefined on any other. */
export const changeLink = ({ sharedAt }: Shared, changeId: string): string | undefined =>
  sharedAt === undefined ? undefined : `${sharedAt}/changes/${encodeURIComponent(changeId)}`;

/** Where a view of the page is, likewise. */
export function viewLink({ sharedAt }: Shared, view: string): string | undefined {
  if (sharedAt === undefined) return undefined;
  // A fragment would not outlive the sign-in.
  const path = view.slice('#/'.length);
  return view.startsWith(PAGE_VIEWS.change) ? `${sharedAt}/${path}` : `${sharedAt}/app/${path}`;
}
