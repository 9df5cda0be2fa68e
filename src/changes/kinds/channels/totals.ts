import { CONTENTS, type ListName } from '../../../account/contents.ts';
import { inFull } from '../../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../../text/sentence.ts';
import { differenceOf, type RecordView } from '../../tell/record-view.ts';
import { FLAG_FIELDS, TEXTS, wordsFor } from './fields.ts';

/** What changes in channels, in numbers: `Changes the videos of 30 channels (12 removed, 3 added), the names of 2.` */
export function totalsOf(views: readonly RecordView[]): Sentence {
  const others = [...TEXTS, ...FLAG_FIELDS].map((field) => ({
    what: wordsFor([field]),
    count: views.filter(({ fields }) => fields.some((change) => change.field === field)).length,
    sums: sentence``,
  }));
  const parts = [...CONTENTS.map((list) => listTotals(views, list)), ...others]
    .filter(({ count }) => count > 0)
    .map(
      ({ what, count, sums }, index) => sentence`the ${what} of ${count}${index > 0 ? '' : count === 1 ? ' channel' : ' channels'}${sums}`,
    );
  return parts.length === 0 ? sentence`` : sentence`Changes ${joined(parts, ', ')}.`;
}

function listTotals(views: readonly RecordView[], field: ListName) {
  const changed = views.flatMap(({ lists }) => lists.filter((list) => list.field === field));
  const differences = changed.map(differenceOf);
  const shown = (['removed', 'added', 'moved'] as const).flatMap((verb) => {
    const sum = differences.reduce((total, one) => total + one[verb].length, 0);
    return sum === 0 ? [] : [sentence`${inFull(sum)} ${verb}`];
  });
  return { what: wordsFor([field]), count: changed.length, sums: shown.length === 0 ? sentence`` : sentence` (${joined(shown, ', ')})` };
}
