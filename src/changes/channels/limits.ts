import type { FieldProblem } from '../../errors.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from '../../service/resources/channels.ts';
import { hiddenProblem } from '../../text/hidden-text.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import type { ChannelChange } from './channel-change.ts';

/**
 * Texts with characters that nobody is shown, and texts over the limits of the API document ("Limits"). The document does not
 * define a character, so only a text that is too long by every count is refused here. `prefix` is the path of the channel in the arguments: `changes[3].` or empty.
 */
export function limitProblems(prefix: string, { name, description }: Pick<ChannelChange, 'name' | 'description'>): FieldProblem[] {
  const tooLong = (field: string, text = '', max: number): FieldProblem[] => {
    const { length } = [...text];
    return length > max ? [{ field: `${prefix}${field}`, problem: `has ${length} characters; at most ${max} are allowed.` }] : [];
  };
  return [
    ...hiddenProblem(`${prefix}name`, name),
    ...hiddenProblem(`${prefix}description`, description, 'lines'),
    ...(name !== undefined && cleanText(name, MAX_CHANNEL_NAME_LENGTH) === ''
      ? [{ field: `${prefix}name`, problem: 'must not be empty.' }]
      : []),
    ...tooLong('name', name, MAX_CHANNEL_NAME_LENGTH),
    ...tooLong('description', description, MAX_CHANNEL_DESCRIPTION_LENGTH),
  ];
}
