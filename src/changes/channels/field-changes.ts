import { type ChannelValues, FLAGS, rowOf, TEXTS, type TextField } from './fields.ts';

export interface Sides {
  readonly before: ChannelValues;
  readonly after: ChannelValues;
}

/** What changes besides lists: `name "A" → "B"`, `private link → on`. */
export function fieldChanges({ before, after }: Sides, show: (field: TextField, text: string) => string): string[] {
  const texts = TEXTS.flatMap((field) => {
    const [from, to] = [before[field], after[field]];
    if (to === undefined || to === from) return [];
    return [`${rowOf(field).word} ${from === undefined ? 'not known' : show(field, from)} → ${show(field, to)}`];
  });
  const flags = FLAGS.flatMap((field) => {
    const [from, to] = [before[field], after[field]];
    if (to === undefined || to === from) return [];
    return [`${rowOf(field).word}${from === undefined ? '' : ` ${onOrOff(from)}`} → ${onOrOff(to)}`];
  });
  return [...texts, ...flags];
}

const onOrOff = (isOn: boolean): string => (isOn ? 'on' : 'off');
