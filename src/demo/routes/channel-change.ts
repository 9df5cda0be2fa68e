import { type DemoCall, isObject, isTextList } from '../call.ts';
import { failure, type Reply } from '../requests.ts';

/** The body of creating and updating a channel; fields that weren't sent are absent. */
export interface ChannelBody {
  name: string;
  description?: string;
  templateKey?: string;
  videoKeys?: string[];
  projectKeys?: string[];
  privateLinkEnabled?: boolean;
}

const MAX_LENGTHS = { name: 100, description: 250 };

const isText = (value: unknown): boolean => typeof value === 'string';

const OPTIONAL_FIELDS: readonly [name: string, type: string, isRight: (value: unknown) => boolean][] = [
  ['description', 'a string', isText],
  ['templateKey', 'a string', isText],
  ['videoKeys', 'an array of strings', isTextList],
  ['projectKeys', 'an array of strings', isTextList],
  ['privateLinkEnabled', 'a boolean', (value) => typeof value === 'boolean'],
];

/** Checks a body as in the API document, section Update channel; returns it, or the 400. */
export function readChannelChange(call: DemoCall): ChannelBody | Reply {
  const { body } = call.request;
  if (!isObject(body)) return failure(400, 'The body must be a JSON object.');
  if (typeof body.name !== 'string' || body.name.trim() === '') return failure(400, 'name is required.');
  for (const [field, most] of Object.entries(MAX_LENGTHS)) {
    if (String(body[field] ?? '').length > most) return failure(400, `${field} must be at most ${most} characters.`);
  }
  const given = OPTIONAL_FIELDS.filter(([name]) => body[name] !== undefined && body[name] !== null);
  for (const [name, type, isRight] of given) if (!isRight(body[name])) return failure(400, `${name} must be ${type}.`);
  // The types of the fields were checked just now.
  const change = { name: body.name, ...Object.fromEntries(given.map(([name]) => [name, body[name]])) } as ChannelBody;
  return checkContents(change, call) ?? withUsableTemplate(change, call);
}

function checkContents({ videoKeys, projectKeys }: ChannelBody, { world, behaviour }: DemoCall): Reply | undefined {
  const isGiven = (list: string[] | undefined): boolean => list !== undefined && (list.length > 0 || behaviour.emptyListCountsAsGiven);
  if (!isGiven(videoKeys) && !isGiven(projectKeys)) return failure(400, 'At least one videoKey or projectKey must be provided.');
  const invalidVideoKeys = [...new Set(videoKeys)].filter((key) => !world.videosByKey.has(key));
  if (invalidVideoKeys.length > 0) return failure(400, 'Invalid videoKeys were provided.', { invalidVideoKeys });
  const known = new Set([...world.projects.values()].map((project) => project.key));
  return projectKeys?.every((key) => known.has(key)) === false ? failure(400, 'Invalid projectKeys were provided.') : undefined;
}

function withUsableTemplate(change: ChannelBody, { world, behaviour }: DemoCall): ChannelBody | Reply {
  const { templateKey = '', ...rest } = change;
  const isUsable = world.templates.some(
    (template) => template.key === templateKey && template.status === 1 && template.planType <= world.accountPlanType,
  );
  if (templateKey === '' || isUsable || behaviour.unknownTemplateKey === 'accept') return change;
  return behaviour.unknownTemplateKey === 'ignore' ? rest : failure(400, 'The template is not available.');
}
