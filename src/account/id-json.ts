import type { VideoHostingError } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import { type AddValue, assertOnlyIdName, assertTranslatable, besideNames, indexOfIdName, type ListFormat } from './id-column.ts';
import { fileRefused } from './named-files.ts';

/** Adds the id of one JSON value: a text, a number, or an object with a field of ids or keys, which may be a list where it names a group. */
export function addJsonValue(
  value: unknown,
  { name, format, catalogue }: { readonly name: string; readonly format: ListFormat; readonly catalogue: Catalogue | undefined },
  { place, where }: { readonly place: number; readonly where: string },
  add: AddValue,
): void {
  const own = textOf(value);
  if (own !== undefined) {
    add(own, { place });
    return;
  }
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const fieldNames = fields.map(([field]) => field);
  const [field = '', found] = fields[indexOfIdName(fieldNames, format)] ?? [];
  assertOnlyIdName(fieldNames, field, name, format);
  const names = besideNames(format);
  const besideOf = (pattern: RegExp | undefined): string | undefined => {
    const [other, text] = fields.find(([field]) => pattern?.test(field)) ?? [];
    if (other === undefined) return undefined;
    const beside = textOf(text ?? '');
    if (beside === undefined) throw brokenList(name, `${where} has a field ${JSON.stringify(other)} that is no text.`);
    return beside;
  };
  const beside = { place, group: besideOf(names.group), fromProject: besideOf(names.fromProject), outcome: besideOf(names.outcome) };
  const isList = Array.isArray(found) && (beside.group ?? beside.fromProject) !== undefined;
  const ids: readonly unknown[] = isList ? found : [found];
  const texts = ids.map(textOf);
  if (texts.some((text) => text === undefined)) throw brokenList(name, `${where} is neither an id nor an object with an id.`);
  assertTranslatable(field, format.wanted, name, catalogue);
  if (isList && beside.group !== undefined) add(undefined, beside);
  for (const text of texts) add(text, { ...beside, isIncomplete: !isList && text?.trim() === '' });
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : undefined;

export function brokenList(name: string, problem: string): VideoHostingError {
  return fileRefused(name, problem, 'Correct the file: one id a line, a CSV with a header line, a JSON array or JSON Lines.');
}
