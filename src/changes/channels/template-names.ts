import { cleanText } from '../../text/sanitize-text.ts';
import type { Sentence } from '../../text/sentence.ts';
import type { AnswerFacts } from '../journal/facts.ts';
import type { PlannedItem } from '../journal/format.ts';

const MAX_KEY = 100;

interface AnswerSource {
  readonly items: readonly Pick<PlannedItem, 'before' | 'after'>[];
  readonly files?: readonly Sentence[];
  /** A template's name and key. */
  readonly templateOf: (key: string) => string;
}

/** What is said of a change needs besides its items: the names of templates, by key, and what files held. */
export function factsForAnswers({ items, files = [], templateOf }: AnswerSource): AnswerFacts {
  const changed = items.filter(({ after }) => after.templateKey !== undefined);
  const keys = new Set(changed.flatMap(({ before, after }) => [before.templateKey, after.templateKey]));
  const templates = [...keys].flatMap((key) => (typeof key === 'string' && key !== '' ? [[key, templateOf(key)] as const] : []));
  return {
    ...(templates.length === 0 ? {} : { templates: Object.fromEntries(templates) }),
    ...(files.length === 0 ? {} : { files: [...files] }),
  };
}

/** A template by name and key; the plan wrote the names to the journal. */
export function templateText(key: unknown, { templates = {} }: AnswerFacts): string {
  if (key === '') return 'default';
  return Object.entries(templates).find(([known]) => known === key)?.[1] ?? JSON.stringify(cleanText(String(key), MAX_KEY));
}
