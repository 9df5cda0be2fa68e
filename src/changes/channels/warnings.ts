/** A warning about one channel. A form gives it once for all the channels that it holds for. */
export interface ChannelWarning {
  /** The whole sentence. */
  readonly text: string;
  /** What follows “30 channels” where it holds for so many. */
  readonly shared: string;
  /** How many keys of the channel it is about, where it is about keys. */
  readonly keys?: number;
}

export const textOf = (warning: string | ChannelWarning): string => (typeof warning === 'string' ? warning : warning.text);

/** Repeated warnings as one: “2 keys in each of 30 channels are not in the catalogue.” */
export function mergeWarnings(warnings: readonly (string | ChannelWarning)[]): string[] {
  const groups = new Map<string, (string | ChannelWarning)[]>();
  for (const warning of warnings) {
    const kind = typeof warning === 'string' ? warning : warning.shared;
    groups.set(kind, [...(groups.get(kind) ?? []), warning]);
  }
  return [...groups].map(([kind, [first = kind, ...others]]) => {
    if (typeof first === 'string' || others.length === 0) return textOf(first);
    return `${subjectOf([first, ...others])} ${kind}`;
  });
}

function subjectOf(group: readonly (string | ChannelWarning)[]): string {
  const counts = group.flatMap((warning) => (typeof warning === 'string' ? [] : (warning.keys ?? [])));
  if (counts.length === 0) return `${group.length} channels`;
  const [first = 0] = counts;
  const keys = (count: number) => `${count.toLocaleString('en-US')} key${count === 1 ? '' : 's'}`;
  if (counts.every((count) => count === first)) return `${keys(first)} in each of ${group.length} channels`;
  return `${keys(counts.reduce((sum, count) => sum + count, 0))} in ${group.length} channels`;
}
