import { shownName } from '../../account/references.ts';
import type { FieldProblem } from '../../errors.ts';
import { nearest } from '../../platform/nearest.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH, type Template } from '../../service/resources/channels.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import type { ChannelChange } from './channel-change.ts';

/** The path of a field in the arguments. */
const at = (within: string, field: string): string => (within === '' ? field : `${within}.${field}`);

/** "Limits" in the API document. What a character is there is not documented: a text is refused here only where every way of counting is over. */
export function limitProblems(within: string, { name, description }: Pick<ChannelChange, 'name' | 'description'>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (name !== undefined && name.trim() === '') problems.push({ field: at(within, 'name'), problem: 'must not be empty.' });
  for (const [what, text, most] of [
    ['name', name, MAX_CHANNEL_NAME_LENGTH] as const,
    ['description', description, MAX_CHANNEL_DESCRIPTION_LENGTH] as const,
  ]) {
    const length = [...(text ?? '')].length;
    if (length > most) problems.push({ field: at(within, what), problem: `has ${length} characters; at most ${most} are allowed.` });
  }
  return problems;
}

/** Only active templates of the account can be chosen. */
export function templateProblems(
  within: string,
  { templateKey }: Pick<ChannelChange, 'templateKey'>,
  templates: readonly Template[],
): FieldProblem[] {
  // Empty stands for the default template, as it does in a channel's record.
  if (templateKey === undefined || templateKey === '') return [];
  const template = templates.find(({ key }) => key === templateKey);
  if (template?.status === 1) return [];
  const field = at(within, 'templateKey');
  if (template !== undefined) return [{ field, problem: `the template ${JSON.stringify(cleanText(templateKey, 80))} is not active.` }];
  const active = templates.filter(({ status }) => status === 1);
  const nameOf = (candidate: Template) => shownName({ id: '', name: candidate.name });
  const byName = active.filter((candidate) => nameOf(candidate).toLowerCase() === templateKey.toLowerCase());
  const near =
    byName.length > 0 ? byName : [...nearest(templateKey, active, 1, ({ key }) => key), ...nearest(templateKey, active, 2, nameOf)];
  const told = [...new Set(near)].map(
    (candidate) =>
      `${JSON.stringify(cleanText(candidate.key, 80))} (${JSON.stringify(nameOf(candidate))}, from plan type ${candidate.planType ?? '?'})`,
  );
  const hint = told.length === 0 ? ' See list_channel_templates.' : ` Did you mean ${told.join(' or ')}?`;
  return [{ field, problem: `there is no template with the key ${JSON.stringify(cleanText(templateKey, 80))}.${hint}` }];
}
