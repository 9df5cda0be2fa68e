/** What shares a reason. */
export interface ReasonGroup<T> {
  readonly reason: string;
  readonly of: readonly T[];
}

/** Those with the same reason together, the most first. */
export function reasonsOf<T extends { readonly reason?: string }>(outcomes: readonly T[]): readonly ReasonGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const outcome of outcomes) {
    const { reason = '' } = outcome;
    groups.set(reason, [...(groups.get(reason) ?? []), outcome]);
  }
  return [...groups]
    .filter(([reason]) => reason !== '')
    .map(([reason, of]) => ({ reason, of }))
    .toSorted((one, other) => other.of.length - one.of.length);
}
