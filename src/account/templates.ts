import type { FieldProblem } from '../errors.ts';
import { nearest } from '../platform/nearest.ts';
import type { Template } from '../service/resources/channels.ts';
import { cleanText } from '../service/sanitize-text.ts';
import { PLAN_TYPES } from './plan-types.ts';
import { shownName } from './references.ts';

const MAX_CANDIDATES = 5;

const isActive = ({ status }: Template): boolean => status === 1;
const templateName = ({ name }: Template): string => shownName({ id: '', name });
const quoted = (text: string): string => JSON.stringify(cleanText(text, 80));

/**
 * The key of the active template with this key or exact name, or what is wrong with it. An empty text stands for the default
 * template, as in a channel's record.
 */
export function findTemplate(field: string, reference: string, templates: readonly Template[]): { readonly key: string } | FieldProblem {
  if (reference === '') return { key: '' };
  const wanted = reference.trim().normalize('NFC');
  const byKey = templates.filter(({ key }) => key === reference || key === wanted);
  const found = byKey.length > 0 ? byKey : templates.filter((one) => [one.name?.normalize('NFC'), templateName(one)].includes(wanted));
  const active = found.filter(isActive);
  const [match, ...others] = active;
  if (match !== undefined && others.length === 0) return { key: match.key };
  if (match !== undefined)
    return {
      field,
      problem: `${active.length} templates are called ${quoted(reference)}: ${listOf(active, templates)}. Use the key of one.`,
    };
  if (found.length > 0) return { field, problem: `the template ${quoted(reference)} is not active.` };
  const usable = templates.filter(isActive);
  const alike = usable.filter((one) => templateName(one).toLowerCase() === wanted.toLowerCase());
  const near = [...nearest(wanted, usable, 1, ({ key }) => key), ...nearest(wanted, usable, 2, templateName)];
  const suggestions = [...new Set(alike.length > 0 ? alike : near)].map((one) => templateLabel(one, templates));
  const hint = suggestions.length === 0 ? 'See list_channel_templates.' : `Did you mean ${suggestions.join(' or ')}?`;
  return { field, problem: `there is no template with the key or exact name ${quoted(reference)}. ${hint}` };
}

function listOf(found: readonly Template[], templates: readonly Template[]): string {
  const shown = found.slice(0, MAX_CANDIDATES).map((one) => templateLabel(one, templates));
  return `${shown.join(', ')}${found.length > shown.length ? ` and ${found.length - shown.length} more` : ''}`;
}

/** A template by name and key; where others have the same name, with what tells it apart. */
function templateLabel(template: Template, templates: readonly Template[]): string {
  const name = templateName(template);
  const details = namesakeNote(template, templates);
  return `${JSON.stringify(name)} (${[cleanText(template.key, 80), ...(details === undefined ? [] : [details])].join(', ')})`;
}

/** What tells a template apart from others of its name; undefined where there are none. */
export function namesakeNote(template: Template, templates: readonly Template[]): string | undefined {
  const namesakes = templates.filter((one) => templateName(one) === templateName(template));
  if (namesakes.length < 2) return undefined;
  const plan = template.planType === undefined ? 'plan type not shown' : `from plan type ${planName(template.planType)}`;
  const created = template.created === undefined ? [] : [`created ${cleanText(template.created, 80).slice(0, 'YYYY-MM-DD'.length)}`];
  return [plan, ...(isActive(template) ? [] : ['not active']), ...created].join(', ');
}

const planNames: Readonly<Record<number, string>> = PLAN_TYPES;

/** The documented name of an account's plan type, or its number. */
export const planName = (planType: number): string => planNames[planType] ?? String(planType);

/** Names templates by their keys; a key that no template has stands for itself, and an empty one for the default. */
export function templateLabels(templates: readonly Template[]): (key: string) => string {
  return (key) => {
    if (key === '') return 'default';
    const template = templates.find((one) => one.key === key);
    return template === undefined ? quoted(key) : templateLabel(template, templates);
  };
}
