import { useEffect, useState } from 'preact/hooks';
import type { Values } from '../../../platform/is-object.ts';
import { changeAddress, channelAddress, listAddress, reportAddress } from '../router.ts';
import type { Host } from './host.ts';

/** Some hosts do not tell what was asked. */
const WAIT_MS = 3_000;

export interface WantedView {
  readonly address?: string;
  /** Nobody said what to show. */
  readonly isGuessed?: boolean;
  readonly isCancelled?: boolean;
}

/** What the assistant wants to show, by the arguments of its call. */
export function useWantedView({ call }: Host): WantedView {
  const [{ input = {}, isCancelled = false }, setCall] = useState(call.get);
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    setCall(call.get());
    call.onChange(setCall);
    const timer = setTimeout(setIsLate, WAIT_MS, true);
    return () => clearTimeout(timer);
  }, [call]);
  if (typeof input.what === 'string') return { address: addressOf(input) };
  if (isCancelled) return { isCancelled };
  return isLate ? { address: listAddress('changes'), isGuessed: true } : {};
}

/** The address of the view that the arguments of `show_to_user` ask for. */
function addressOf({ what, id }: Values): string {
  if (typeof id !== 'string') return listAddress('changes');
  if (what === 'channel') return channelAddress(id);
  return what === 'report' ? reportAddress(/\/reports\/([\w-]+)/.exec(id)?.[1] ?? id) : changeAddress(id);
}
