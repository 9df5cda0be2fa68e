import { useEffect, useState } from 'preact/hooks';
import { listAddress } from '../router.ts';
import type { Host } from './host.ts';
import { viewOfInput, viewOfText } from './wanted-view.ts';

/** Some hosts tell neither what was asked nor what was answered. */
const PATIENCE_MS = 3_000;

export interface WantedView {
  readonly address?: string | undefined;
  /** Nobody said what to show. */
  readonly isGuessed: boolean;
  readonly isCancelled: boolean;
}

/** What the assistant wants to show: by the arguments of its call, else by the text of the answer. */
export function useWantedView({ call }: Host): WantedView {
  const [wanted, setWanted] = useState<WantedView>({ isGuessed: false, isCancelled: false });
  useEffect(() => {
    const look = (): void => {
      const [input, result, isCancelled] = [call.input(), call.result(), call.isCancelled()];
      const named = result === undefined ? undefined : viewOfText(result);
      const address =
        input === undefined || Object.keys(input).length === 0 ? (named ?? (input && viewOfInput(input))) : viewOfInput(input);
      setWanted((before) => ({ address: address ?? before.address, isGuessed: before.isGuessed && address === undefined, isCancelled }));
    };
    look();
    call.onChange(look);
    const timer = setTimeout(() => {
      setWanted((now) =>
        now.address !== undefined || now.isCancelled ? now : { ...now, address: listAddress('changes'), isGuessed: true },
      );
    }, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [call]);
  return wanted;
}
