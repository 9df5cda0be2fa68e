import type { FieldProblem } from '../errors.ts';

/** One video as the user's export tells it; any of the three may be missing. */
export interface CatalogueEntry {
  readonly id?: string;
  readonly key?: string;
  readonly title?: string;
}

/** The names under which exports call each of the three. */
export const NAMES = {
  id: /^(video[\s_-]*)?id$/i,
  key: /^(video[\s_-]*)?key$/i,
  title: /^(video[\s_-]*)?(title|name)$/i,
} as const;

export type Column = keyof typeof NAMES;

/** A video, of what stands in its columns: only what is there is kept. */
export function entryOf(cellOf: (column: Column) => unknown): CatalogueEntry {
  const id = textIn(cellOf('id'));
  const key = textIn(cellOf('key'));
  const title = textIn(cellOf('title'));
  return { ...(id === undefined ? {} : { id }), ...(key === undefined ? {} : { key }), ...(title === undefined ? {} : { title }) };
}

function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** What is wrong with the text of a file; where `problem` is undefined, it takes the whole text to tell. */
export class TextProblem extends Error {
  readonly problem: FieldProblem | undefined;
  constructor(problem?: FieldProblem) {
    super(problem?.problem ?? 'The text is broken.');
    this.problem = problem;
  }
}
