import { labelOf, type Referable, shownName } from '../../account/references.ts';

/** How to name channels of an account to a person: by the name alone where no other has it, since every answer pays for an id. */
export function shortLabels(channels: readonly Referable[]): (channel: Referable) => string {
  const counts = new Map<string, number>();
  for (const channel of channels) counts.set(shownName(channel), (counts.get(shownName(channel)) ?? 0) + 1);
  return (channel) => {
    const name = shownName(channel);
    return name !== '' && counts.get(name) === 1 ? JSON.stringify(name) : labelOf(channel);
  };
}
