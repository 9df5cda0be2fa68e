import type { Axis, Category } from './axes.ts';
import type { ChartInput } from './contract.ts';
import type { Frame } from './frame.ts';

/** A name with letters that no font has, and the key or number that a picture shows in its place. */
export interface StandIn {
  readonly shown: string;
  readonly label: string;
}

export const hasAnyOf = (text: string, letters: ReadonlySet<string>): boolean => Array.from(text).some((letter) => letters.has(letter));

/** The frame as it is drawn where no font has these letters: they would all be the same box, so that names look alike. */
export function withStandIns(frame: Frame, parts: readonly ('axis' | 'series')[], keys: ChartInput['keys'], missing: ReadonlySet<string>) {
  const keyOf = new Map(keys);
  const taken = new Set([frame.axis, frame.series].flatMap(({ categories }) => categories.map(({ label }) => label)));
  const standIns: StandIn[] = [];
  let number = 0;
  const nextNumber = (): string => {
    do number += 1;
    while (taken.has(`#${number}`));
    return `#${number}`;
  };
  const shownFor = (category: Category): string => {
    const key = keyOf.get(nameIn(category));
    return key === undefined || taken.has(key) || hasAnyOf(key, missing) ? nextNumber() : key;
  };
  const redrawn = (axis: Axis): Axis => ({
    ...axis,
    categories: axis.categories.map((category) => {
      if (!hasAnyOf(category.label, missing)) return category;
      const shown = shownFor(category);
      standIns.push({ shown, label: category.label });
      return { ...category, label: shown };
    }),
  });
  const changed = missing.size === 0 ? [] : parts.map((part) => [part, redrawn(frame[part])]);
  const redrawnFrame: Frame = { ...frame, ...Object.fromEntries(changed) };
  return { frame: redrawnFrame, standIns };
}

/** The name before signs that aren't drawn were taken out, after which two may be the same; '' where several stand together. */
function nameIn({ key }: Category): string {
  const [name, other] = [JSON.parse(key)].flat();
  return other === undefined ? String(name) : '';
}
