import type { FieldProblem } from '../errors.ts';

/** One video of the catalogue. */
export interface CatalogueEntry {
  readonly id?: string;
  readonly key?: string;
  readonly title?: string;
}

/** Names of the columns in exports. */
export const NAMES = {
  id: /^(video[\s_-]*)?id$/i,
  key: /^(video[\s_-]*)?key$/i,
  title: /^(video[\s_-]*)?(title|name)$/i,
} as const;

export type Column = keyof typeof NAMES;

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

/** A catalogue that can't be parsed; without a `problem`, it takes the whole text to tell what is wrong. */
export class TextProblem extends Error {
  readonly problem: FieldProblem | undefined;
  constructor(problem?: FieldProblem) {
    super(problem?.problem ?? 'The text is broken.');
    this.problem = problem;
  }
}
