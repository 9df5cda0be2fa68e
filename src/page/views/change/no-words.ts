import type { ChangeView } from '../../contract.ts';

type Said = Pick<ChangeView, 'isOwn' | 'isMine' | 'isNeedless' | 'mayDecide'>;

/** What the button is called by which nothing is sent; undefined where whoever looks has none. */
export function noWords({ isOwn, isMine, isNeedless, mayDecide }: Said, mayApprove: boolean): string | undefined {
  if (mayDecide === false) return undefined;
  if (isNeedless === true) return 'Dismiss';
  if (isOwn === true) return 'Cancel';
  return isMine === true && !mayApprove ? 'Withdraw' : 'Decline';
}
