import { CONTENTS, type ContentLists, type Contents, contentLists, type ListName } from '../../../account/contents.ts';
import { joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import { isSameList, listDifference } from '../../plan/list-difference.ts';
import { listText } from '../../plan/list-text.ts';

/**
 * The contents of a channel with what a person states of them. A list that the service shows, or that this server sent last,
 * overrules a statement; an earlier statement gives way to it. `differences` is what contradicts it, a sentence for each list.
 */
export function withStatement(
  contents: Contents,
  statement: ContentLists,
): { readonly contents: Contents; readonly differences: readonly { readonly list: ListName; readonly problem: Sentence }[] } {
  const given = CONTENTS.filter((list) => statement[list] !== undefined);
  if (given.length === 0) return { contents, differences: [] };
  const isStated = (list: ListName): boolean => contents.stated?.includes(list) ?? false;
  const isKnown = (list: ListName): boolean => contents[list] !== undefined && !isStated(list);
  const differences = given.flatMap((list) => {
    const [known = [], stated = []] = [contents[list], statement[list]];
    return isKnown(list) && !isSameList(known, stated) ? [{ list, problem: differenceText(contents, known, stated) }] : [];
  });
  const stated = CONTENTS.filter((list) => !isKnown(list) && (given.includes(list) || isStated(list)));
  const unapproved = contents.unapproved?.filter((list) => !given.includes(list)) ?? [];
  const { unsure, unapproved: _, ...rest } = contents;
  return {
    differences,
    contents: {
      ...rest,
      known: true,
      ...contentLists((list) => (isKnown(list) ? contents[list] : (statement[list] ?? contents[list]))),
      source: contents.source === 'none' ? 'stated' : contents.source,
      ...(unsure === undefined || given.includes(unsure) ? {} : { unsure }),
      ...(stated.length === 0 ? {} : { stated }),
      ...(unapproved.length === 0 ? {} : { unapproved }),
    },
  };
}

const SOURCES = { service: 'the service shows', journal: 'this server last wrote', stated: 'was stated', none: '' } as const;

function differenceText({ source, asOf }: Contents, known: readonly string[], stated: readonly string[]): Sentence {
  const { added: extra, removed: missing } = listDifference(known, stated);
  const first = known.findIndex((key, index) => key !== stated[index]);
  const parts = [
    ...(extra.length > 0
      ? [sentence`${extra.length} of those stated ${extra.length === 1 ? 'is' : 'are'} not in it (${listText(extra)})`]
      : []),
    ...(missing.length > 0
      ? [sentence`${missing.length} of it ${missing.length === 1 ? 'is' : 'are'} not stated (${listText(missing)})`]
      : []),
    ...(extra.length + missing.length === 0
      ? [sentence`the order differs from place ${first + 1} on (${listText(known.slice(first, first + 1))})`]
      : []),
  ];
  const when = asOf === undefined ? '' : sentence` (${word(asOf.slice(0, 'YYYY-MM-DD'.length))})`;
  return sentence`is not what ${SOURCES[source]}${when}, which counts: ${joined(parts, ', ')}. Leave it out, or look at get_channel.`;
}
