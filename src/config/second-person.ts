import { nearest } from '../text/nearest.ts';
import { joined, type Sentence, sentence, word, wordList } from '../text/sentence.ts';

/** What may need a second person, with what its size counts. What is undone or carried on counts as what it does. */
export const SECOND_PERSON_KINDS = {
  move_videos: 'videos',
  copy_cta: 'videos',
  update_channels: 'channels',
  create_channels: 'channels',
  state_contents: 'channels',
  create_project: 'projects',
  export_emails: 'records',
} as const;
export type SecondPersonKind = keyof typeof SECOND_PERSON_KINDS;
const NAMES = Object.keys(SECOND_PERSON_KINDS) as SecondPersonKind[]; // Object.keys widens

/** Which changes need somebody else than who asked: those of a kind whose size is above its number. Absent: none of that kind. */
export interface SecondPersonRule {
  /** As its setting says it. */
  readonly text: string;
  readonly isAlways: boolean;
  readonly above: Readonly<Partial<Record<SecondPersonKind, number>>>;
}

const NEVER: SecondPersonRule = { text: 'never', isAlways: false, above: {} };
const ALWAYS: SecondPersonRule = { text: 'always', isAlways: true, above: Object.fromEntries(NAMES.map((name) => [name, 0])) };

const MAX_SIZE = 10_000_000;

const FORM = sentence`must be never, always, or a list such as move_videos>1000 create_channels`;

/** Reads `never`, `always` or a list such as `move_videos>1000 update_channels>20 create_channels export_emails`. */
export function readSecondPerson(text: string): { readonly rule: SecondPersonRule } | { readonly problem: Sentence } {
  const parts = text
    .replace(/\s*>\s*/g, '>')
    .split(/[\s,]+/)
    .filter((part) => part !== '');
  const [first] = parts;
  if (parts.length === 1 && first === 'never') return { rule: NEVER };
  if (parts.length === 1 && first === 'always') return { rule: ALWAYS };
  const above: Partial<Record<SecondPersonKind, number>> = {};
  const problems: Sentence[] = [];
  for (const part of parts) {
    const [, name = '', , size] = /^([^>]*)(>(.*))?$/.exec(part) ?? [];
    const kind = NAMES.find((one) => one === name);
    if (kind === undefined) problems.push(unknownKind(name));
    else if (above[kind] !== undefined) problems.push(sentence`${kind} is given twice.`);
    else if (size === undefined) above[kind] = 0;
    else if (!/^\d{1,8}$/.test(size) || Number(size) > MAX_SIZE || Number(size) === 0)
      problems.push(
        sentence`After ${kind}> stands a whole number of ${SECOND_PERSON_KINDS[kind]} from 1 to ${MAX_SIZE}, or ${kind} alone for any.`,
      );
    else above[kind] = Number(size);
  }
  if (problems.length === 0 && parts.length > 0) return { rule: { text: parts.join(' '), isAlways: false, above } };
  return { problem: sentence`${FORM}. ${joined(problems)}` };
}

/** The rule of a setting that was checked. */
export function secondPersonRule(text: string): SecondPersonRule {
  const read = readSecondPerson(text);
  return 'rule' in read ? read.rule : ALWAYS;
}

function unknownKind(name: string): Sentence {
  if (name === 'never' || name === 'always') return sentence`${name} stands alone.`;
  const [best] = nearest(name, NAMES, 1);
  return sentence`There is no ${word(name)} in it.${best === undefined ? sentence`` : sentence` Did you mean ${best}?`} It can have ${wordList(NAMES)}.`;
}
