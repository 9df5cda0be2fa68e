import { changeAddress, channelAddress, listAddress, reportAddress } from '../router.ts';
import type { Fields } from './fields.ts';

/** The address of the view that the arguments of `show_to_user` ask for. */
export function viewOfInput({ what, id }: Fields): string {
  if (typeof id !== 'string') return listAddress('changes');
  if (what === 'channel') return channelAddress(id);
  return what === 'report' ? reportAddress(reportIn(id) ?? id) : changeAddress(id);
}

/** The address of the view that the text of its answer names. */
export function viewOfText(text: string): string | undefined {
  const report = reportIn(text);
  if (report !== undefined) return reportAddress(report);
  const change = /\bthe change (chg-[\w-]+)/.exec(text)?.[1];
  if (change !== undefined) return changeAddress(change);
  const [, quoted, plain] = /\bthe channel (?:"([^"]+)"|([\w.:+-]*\w))/.exec(text) ?? [];
  const channel = quoted ?? plain;
  if (channel !== undefined) return channelAddress(channel);
  return /\bthe history of changes\b/.test(text) ? listAddress('changes') : undefined;
}

/** The id of a report in its address. */
const reportIn = (text: string): string | undefined => /\/reports\/([\w-]{12})/.exec(text)?.[1];
