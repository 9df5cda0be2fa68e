import type { Translated } from '../../../account/video-references.ts';
import { isCalled } from '../../../files/columns.ts';
import type { IdList } from '../../../files/id-list.ts';
import { counted, inFull } from '../../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../../text/sentence.ts';
import type { SetAside } from './set-aside.ts';

/** `1,803 lines: 1 header, 2 blank, 1 set aside, 1,799 ids, of these 11 repeated (lines 7, 90, …).` `entries` tells what is set aside. */
export function fileReadText(
  file: IdList,
  repeated: { readonly count: number; readonly at: readonly number[] },
  setAside: SetAside | undefined,
  entries: Sentence,
  names: readonly [one: Sentence, many: Sentence],
): Sentence {
  const { values, rows, headers, areLines, blanks, incomplete, leftOut, positionUnit } = file;
  const [first, next] = incomplete;
  const where = (at: number) => sentence`${next === undefined ? '' : 'as '}${positionUnit} ${at}`;
  const [one, many] =
    positionUnit === 'entry' ? (['entry', 'entries'] as const) : areLines ? (['line', 'lines'] as const) : (['row', 'rows'] as const);
  const unit = repeated.at.length === 1 ? positionUnit : positionUnit === 'entry' ? 'entries' : 'lines';
  const more = repeated.count > repeated.at.length ? ', …' : '';
  const shown = joined(
    repeated.at.map((at) => sentence`${at}`),
    ', ',
  );
  const places = repeated.at.length === 0 ? '' : sentence` (${unit} ${shown}${more})`;
  const parts = [
    ...(headers > 0 ? [counted(headers, 'header')] : []),
    ...(blanks > 0
      ? [sentence`${inFull(blanks)} blank${first === undefined ? '' : sentence` (${where(first)} has other cells, and no id)`}`]
      : []),
    ...(setAside === undefined ? [] : [sentence`${inFull(setAside.count)} set aside${entries}`]),
    ...(leftOut > 0 ? [sentence`${inFull(leftOut)} left out (their outcome is unknown: they may have been carried out)`] : []),
    sentence`${counted(values.length, ...names)}${repeated.count > 0 ? sentence`, of these ${inFull(repeated.count)} repeated${places}` : ''}`,
  ];
  return sentence`${counted(rows + headers, one, many)}: ${joined(parts, ', ')}.`;
}

/** What the values of a file are, as far as that is known. */
export function namesOf({ header }: IdList, ids: readonly string[], { translated }: Translated): readonly [Sentence, Sentence] {
  // A column called so may hold ids all the same.
  const isOther = isCalled(header ?? '', 'key') || isCalled(header ?? '', 'title');
  if (translated === 0) return isOther ? [sentence`value`, sentence`values`] : [sentence`id`, sentence`ids`];
  if (translated >= ids.length) return [sentence`key or title`, sentence`keys or titles`];
  return [sentence`id, key or title`, sentence`ids, keys or titles`];
}
