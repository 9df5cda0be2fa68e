import type { FieldProblem } from '../errors.ts';
import type { Template } from '../service/resources/channels.ts';
import { nearest } from '../text/nearest.ts';
import { asItLooks, cleanText } from '../text/sanitize-text.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { nameOf, PLAN_TYPES } from './plan-types.ts';
import { shownName } from './references.ts';

const MAX_CANDIDATES = 5;
const MAX_KEY = 80;

const isActive = ({ status }: Template): boolean => status === 1;
const templateName = ({ name }: Template): string => shownName({ id: '', name });

/**
 * The key of the active template with this key or exact name, or what is wrong with it. An empty text stands for the default
 * template, as in a channel's record.
 */
export function findTemplate(field: Sentence, reference: string, templates: readonly Template[]): { readonly key: string } | FieldProblem {
  if (reference === '') return { key: '' };
  const wanted = asItLooks(reference);
  const byKey = templates.filter(({ key }) => key === reference || key === wanted);
  const found = byKey.length > 0 ? byKey : templates.filter((one) => asItLooks(one.name ?? '') === wanted);
  const active = found.filter(isActive);
  const [match, ...others] = active;
  const label = labelsOf(templates);
  if (match !== undefined && others.length === 0) return { key: match.key };
  const name = inQuotes(reference, MAX_KEY);
  if (match !== undefined)
    return { field, problem: sentence`${active.length} templates are called ${name}: ${listOf(active, label)}. Use the key of one.` };
  if (found.length > 0) return { field, problem: sentence`the template ${name} is not active.` };
  const usable = templates.filter(isActive);
  const alike = usable.filter((one) => templateName(one).toLowerCase() === wanted.toLowerCase());
  const near = [...nearest(wanted, usable, 1, ({ key }) => key), ...nearest(wanted, usable, 2, templateName)];
  const suggestions = [...new Set(alike.length > 0 ? alike : near)].map(label);
  const hint = suggestions.length === 0 ? sentence`See list_channel_templates.` : sentence`Did you mean ${joined(suggestions, ' or ')}?`;
  return { field, problem: sentence`there is no template with the key or exact name ${name}. ${hint}` };
}

function listOf(found: readonly Template[], label: (template: Template) => Sentence): Sentence {
  const shown = joined(found.slice(0, MAX_CANDIDATES).map(label), ', ');
  return found.length > MAX_CANDIDATES ? sentence`${shown} and ${found.length - MAX_CANDIDATES} more` : shown;
}

/** Labels a template by name and key; where others have the same name, with what tells it apart. */
function labelsOf(templates: readonly Template[]): (template: Template) => Sentence {
  const noteOn = namesakeNotes(templates);
  return (template) => {
    const note = noteOn(template);
    const details = [word(template.key, MAX_KEY), ...(note === undefined ? [] : [note])];
    return sentence`${inQuotes(templateName(template))} (${joined(details, ', ')})`;
  };
}

/** Tells what tells a template apart from others of its name; undefined where there are none. */
export function namesakeNotes(templates: readonly Template[]): (template: Template) => Sentence | undefined {
  const counts = new Map<string, number>();
  for (const template of templates) counts.set(templateName(template), (counts.get(templateName(template)) ?? 0) + 1);
  return (template) => {
    if ((counts.get(templateName(template)) ?? 0) < 2) return undefined;
    const plan =
      template.planType === undefined ? sentence`plan type not shown` : sentence`for plan type ${planName(template.planType)} or higher`;
    const created = template.created === undefined ? [] : [sentence`created ${word(dayIn(template.created))}`];
    return joined([plan, ...(isActive(template) ? [] : [sentence`not active`]), ...created], ', ');
  };
}

const dayIn = (time: string): string => cleanText(time, MAX_KEY).slice(0, 'YYYY-MM-DD'.length);

/** The documented name of an account's plan type, or its number. */
export const planName = (planType: number): Sentence => word(String(nameOf(PLAN_TYPES, planType)));

/** Names templates by their keys; a key that no template has stands for itself, and an empty one for the default. */
export function templateLabels(templates: readonly Template[]): (key: string) => Sentence {
  const label = labelsOf(templates);
  return (key) => {
    if (key === '') return sentence`default`;
    const template = templates.find((one) => one.key === key);
    return template === undefined ? inQuotes(key, MAX_KEY) : label(template);
  };
}
