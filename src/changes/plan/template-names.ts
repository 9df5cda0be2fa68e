import { templateLabels } from '../../account/templates.ts';
import type { Template } from '../../service/resources/channels.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import type { Sentence } from '../../text/sentence.ts';
import type { PlannedItem } from '../journal/format.ts';
import type { AnswerFacts } from './facts.ts';

const MAX_KEY = 100;

interface AnswerSource {
  readonly items: readonly Pick<PlannedItem, 'before' | 'after'>[];
  readonly files?: readonly Sentence[];
  readonly templates: () => Promise<readonly Template[]>;
  /** What a template is called, by its key. */
  readonly labels?: (templates: readonly Template[]) => (key: string) => string;
}

/** What is said of a change needs besides its items: the names of templates, by key, and what files held. */
export async function factsForAnswers({ items, files = [], templates, labels = templateLabels }: AnswerSource): Promise<AnswerFacts> {
  const changed = items.filter(({ after }) => after.templateKey !== undefined);
  const keys = [...new Set(changed.flatMap(({ before, after }) => [before.templateKey, after.templateKey]))].filter(isKey);
  const read = files.length === 0 ? {} : { files: [...files] };
  if (keys.length === 0) return read;
  const labelOf = labels(await templates());
  return { templates: Object.fromEntries(keys.map((key) => [key, labelOf(key)])), ...read };
}

const isKey = (key: unknown): key is string => typeof key === 'string' && key !== '';

/** A template by name and key; the plan wrote the names to the journal. */
export function templateText(key: unknown, { templates = {} }: AnswerFacts): string {
  if (key === '') return 'default';
  return Object.entries(templates).find(([known]) => known === key)?.[1] ?? JSON.stringify(cleanText(String(key), MAX_KEY));
}
