import { shownName } from '../../account/references.ts';
import type { FieldProblem } from '../../errors.ts';
import { nearest } from '../../platform/nearest.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH, type Template } from '../../service/resources/channels.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import type { ChannelChange } from './channel-change.ts';

/**
 * Texts over the limits of the API document ("Limits"). The document does not define a character, so only a text that is
 * too long by every count is refused here. `prefix` is the path of the channel in the arguments: `changes[3].` or empty.
 */
export function limitProblems(prefix: string, { name, description }: Pick<ChannelChange, 'name' | 'description'>): FieldProblem[] {
  const tooLong = (field: string, text = '', max: number): FieldProblem[] => {
    const { length } = [...text];
    return length > max ? [{ field: `${prefix}${field}`, problem: `has ${length} characters; at most ${max} are allowed.` }] : [];
  };
  return [
    ...(name?.trim() === '' ? [{ field: `${prefix}name`, problem: 'must not be empty.' }] : []),
    ...tooLong('name', name, MAX_CHANNEL_NAME_LENGTH),
    ...tooLong('description', description, MAX_CHANNEL_DESCRIPTION_LENGTH),
  ];
}

/** A template that is not an active one of the account. An empty key stands for the default template, as in a channel's record. */
export function templateProblems(
  prefix: string,
  { templateKey = '' }: Pick<ChannelChange, 'templateKey'>,
  templates: readonly Template[],
): FieldProblem[] {
  if (templateKey === '') return [];
  const field = `${prefix}templateKey`;
  const quoted = (text: string) => JSON.stringify(cleanText(text, 80));
  const template = templates.find(({ key }) => key === templateKey);
  if (template !== undefined)
    return template.status === 1 ? [] : [{ field, problem: `the template ${quoted(templateKey)} is not active.` }];
  const active = templates.filter(({ status }) => status === 1);
  const nameOf = ({ name }: Template) => shownName({ id: '', name });
  const sameName = active.filter((candidate) => nameOf(candidate).toLowerCase() === templateKey.toLowerCase());
  const similar = [...nearest(templateKey, active, 1, ({ key }) => key), ...nearest(templateKey, active, 2, nameOf)];
  const suggestions = [...new Set(sameName.length > 0 ? sameName : similar)].map(
    (candidate) => `${quoted(candidate.key)} (${JSON.stringify(nameOf(candidate))}, from plan type ${candidate.planType ?? '?'})`,
  );
  const hint = suggestions.length === 0 ? 'See list_channel_templates.' : `Did you mean ${suggestions.join(' or ')}?`;
  return [{ field, problem: `there is no template with the key ${quoted(templateKey)}. ${hint}` }];
}
