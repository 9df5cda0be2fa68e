import { type Call, isRecord, isTextList } from '../call.ts';
import { type Reply, refusal } from '../requests.ts';
import type { DemoWorld } from '../world.ts';

/** The body of creating and updating a channel; what wasn't sent is undefined. */
export interface ChannelChange {
  name: string;
  description: string | undefined;
  templateKey: string | undefined;
  videoKeys: string[] | undefined;
  projectKeys: string[] | undefined;
  privateLinkEnabled: boolean | undefined;
}

const MAX_NAME = 100;
const MAX_DESCRIPTION = 250;

/** Checks a body as the API document says, section Update channel; answers it, or the 400. */
export function readChannelChange(call: Call, needsContents: boolean): ChannelChange | Reply {
  const { body } = call.request;
  if (!isRecord(body)) return refusal(400, 'The body must be a JSON object.');
  const { name } = body;
  if (typeof name !== 'string' || name.trim() === '') return refusal(400, 'name is required.');
  const wrong = wrongField(body, call);
  if (wrong !== undefined) return refusal(400, wrong);
  const change: ChannelChange = {
    name,
    description: optional(body.description, isText),
    templateKey: optional(body.templateKey, isText),
    videoKeys: optional(body.videoKeys, isTextList),
    projectKeys: optional(body.projectKeys, isTextList),
    privateLinkEnabled: optional(body.privateLinkEnabled, (value) => typeof value === 'boolean'),
  };
  return checkContents(change, call, needsContents) ?? withKnownTemplate(change, call);
}

function wrongField(body: Record<string, unknown>, { behaviour }: Call): string | undefined {
  const length = (text: unknown): number =>
    behaviour.nameLengthUnit === 'utf16' ? String(text ?? '').length : [...String(text ?? '')].length;
  if (length(body.name) > MAX_NAME) return `name must be at most ${MAX_NAME} characters.`;
  if (length(body.description) > MAX_DESCRIPTION) return `description must be at most ${MAX_DESCRIPTION} characters.`;
  const ill = (field: string, isRight: (value: unknown) => boolean): boolean =>
    (body[field] ?? undefined) !== undefined && !isRight(body[field]);
  for (const field of ['description', 'templateKey']) if (ill(field, isText)) return `${field} must be a string.`;
  for (const field of ['videoKeys', 'projectKeys']) if (ill(field, isTextList)) return `${field} must be an array of strings.`;
  return ill('privateLinkEnabled', (value) => typeof value === 'boolean') ? 'privateLinkEnabled must be a boolean.' : undefined;
}

function checkContents(change: ChannelChange, { world, behaviour }: Call, needsContents: boolean): Reply | undefined {
  const { videoKeys, projectKeys } = change;
  const isGiven = (list: string[] | undefined): boolean => list !== undefined && (list.length > 0 || behaviour.emptyListCountsAsGiven);
  if (needsContents && !isGiven(videoKeys) && !isGiven(projectKeys))
    return refusal(400, 'At least one videoKey or projectKey must be provided.');
  const invalidVideoKeys = [...new Set(videoKeys)].filter((key) => !world.videosByKey.has(key));
  if (invalidVideoKeys.length > 0) return refusal(400, 'Invalid videoKeys were provided.', { invalidVideoKeys });
  if (behaviour.unknownProjectKeys === 'reject' && (projectKeys ?? []).some((key) => !hasProject(world, key))) {
    return refusal(400, 'Invalid projectKeys were provided.');
  }
  if (videoKeys !== undefined && behaviour.repeatedVideoKeys === 'dedupe') change.videoKeys = [...new Set(videoKeys)];
  return undefined;
}

function withKnownTemplate(change: ChannelChange, { world, behaviour }: Call): ChannelChange | Reply {
  const { templateKey } = change;
  if (templateKey === undefined || templateKey === '' || behaviour.unknownTemplateKey === 'accept') return change;
  const isUsable = world.templates.some(
    (template) => template.key === templateKey && template.status === 1 && template.planType <= world.accountPlanType,
  );
  if (isUsable) return change;
  return behaviour.unknownTemplateKey === 'ignore' ? { ...change, templateKey: undefined } : refusal(400, 'The template is not available.');
}

function hasProject(world: DemoWorld, key: string): boolean {
  for (const project of world.projects.values()) if (project.key === key) return true;
  return false;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function optional<T>(value: unknown, isRight: (value: unknown) => value is T): T | undefined {
  return isRight(value) ? value : undefined;
}
