import { counted, inFull } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { heaviest, isNotice, type Notice, type NoticeKind, type NoticeOf } from '../notices/notices.ts';
import type { Weight } from '../plan/notice.ts';
import type { Undo } from '../plan/preview.ts';

// What of a change weighs, in the few words that a row of a list has room for.

export interface Weighing {
  readonly text: Sentence;
  readonly weight: Weight;
}

type Words = { readonly [Kind in NoticeKind]?: (all: readonly NoticeOf<Kind>[], emptied: ReadonlySet<string>) => Sentence | undefined };

const channels = (number: number): Sentence => counted(number, 'channel');

/** Where a row is read by itself, which a summary is not: that has what is done before it. What is not here is told as there. */
const WORDS: Words = {
  ends_empty: (all) => sentence`empties ${channels(all.length)}`,
  loses: lossesText,
  changed_since: (all) => sentence`others changed ${channels(all.length)} lately`,
  contents_unknown: (all) => sentence`${channels(all.flatMap(({ labels }) => labels).length)} may lose all`,
  views_missing: (all) => {
    const missing = all.reduce((sum, { missingKeys }) => sum + missingKeys.length, 0);
    return sentence`${counted(missing, 'video')} seen in views ${missing === 1 ? 'is' : 'are'} not listed`;
  },
  // The plan tells of itself whether it can be undone.
  no_undo: () => undefined,
  origin_not_named: () => undefined,
};

/** What a record loses that does not end up empty; where that is most of what it holds, how many do. */
function lossesText(all: readonly NoticeOf<'loses'>[], emptied: ReadonlySet<string>): Sentence | undefined {
  const others = all.filter(({ label }) => !emptied.has(label));
  if (others.length === 0) return undefined;
  const most = new Set(others.filter(({ count, held }) => count * 2 > held).map(({ label }) => label)).size;
  const losing = new Set(others.map(({ label }) => label)).size;
  const sums = [...new Set(others.map(({ what }) => what))].map((what) => {
    const of = others.filter((one) => one.what === what);
    const [lost, held] = [of.reduce((sum, { count }) => sum + count, 0), of.reduce((sum, one) => sum + one.held, 0)];
    return sentence`${inFull(lost)} of ${counted(held, what)}`;
  });
  const lost = joined(sums, ' and ');
  if (losing === 1) return most === 0 ? sentence`1 channel loses ${lost}` : sentence`1 channel loses most: ${lost}`;
  return sentence`${inFull(losing)} channels lose ${lost}${most === 0 ? '' : sentence`, ${inFull(most)} of them most`}`;
}

/** Each with the weight of what it tells, the heaviest first. */
export function whatWeighs(notices: readonly Notice[], undo?: Undo['possible']): readonly Weighing[] {
  const emptied: ReadonlySet<string> = new Set(notices.filter(isNotice('ends_empty')).map(({ label }) => label));
  const told = heaviest(notices).flatMap(({ weight, text, of }): Weighing[] => {
    const [{ kind } = { kind: undefined }] = of;
    const words = kind === undefined ? undefined : WORDS[kind];
    // Each row of words is given the notices of its own kind alone.
    const own =
      words === undefined ? text : (words as (all: readonly Notice[], emptied: ReadonlySet<string>) => Sentence | undefined)(of, emptied);
    return own === undefined ? [] : [{ weight, text: own }];
  });
  const last = undo === undefined ? undefined : UNDO[undo];
  return last === undefined ? told : [...told, { weight: 'final', text: last }];
}

const UNDO: Readonly<Record<Undo['possible'], Sentence | undefined>> = {
  yes: undefined,
  partly: sentence`can be undone in part`,
  no: sentence`can’t be undone`,
};
