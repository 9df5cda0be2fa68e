import { seenOf } from '../../account/contents.ts';
import { findTemplate, planName, templateLabels } from '../../account/templates.ts';
import { notInCatalogue, titlesIn } from '../../account/video-references.ts';
import { type FieldProblem, throwProblems, withName } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { ChannelId, TemplateKey, VideoKey } from '../../service/ids.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH, type Template } from '../../service/resources/channels.ts';
import { asItLooks, cleanText } from '../../text/sanitize-text.ts';
import { type Creation, creationPlan } from '../creation-plan.ts';
import type { AnswerFacts } from '../journal/facts.ts';
import type { Journal } from '../journal/journal.ts';
import { listed } from '../listed.ts';
import { type Notice, noticeText } from '../notices/notices.ts';
import type { ChangePlanner } from '../plan.ts';
import type { ContentsDeps } from './channel-change.ts';
import { limitProblems } from './limits.ts';
import { createListFiles } from './list-files.ts';
import { factsForAnswers } from './outcome-lines.ts';
import { type ReferenceData, repeatedKeys, translatedKeys, videosIn } from './resolve-change.ts';

/** A channel that a caller asks for. */
export interface NewChannel {
  readonly name: string;
  readonly videoKeys?: readonly string[] | undefined;
  readonly videoKeysFile?: string | undefined;
  readonly description?: string | undefined;
  /** A template's key or exact name; empty for the default. */
  readonly template?: string | undefined;
}

export interface CreationDeps extends Omit<ContentsDeps, 'sentContents' | 'seenVideos'> {
  readonly journal: Journal;
}

const MAX_WHOLE = 30;
/** All of a description, in UTF-16 units. */
const MAX_DESCRIPTION = 2 * MAX_CHANNEL_DESCRIPTION_LENGTH;

/** Plans new channels ("Create channel" in the API document). Throws the problems of all of them at once. */
export function planNewChannels(asked: readonly NewChannel[], deps: CreationDeps): ChangePlanner {
  return async ({ signal, progress }) => {
    const { client, account, filesDirs } = deps;
    const catalogue = await deps.catalogue();
    const needsTemplates = asked.some(({ template = '' }) => template !== '');
    const [channels, templates] = await Promise.all([
      account.allChannels({ signal, progress }),
      needsTemplates ? client.templates.list(signal).then(({ items }) => items) : [],
    ]);
    const data: ReferenceData = { channels, templates, projects: [], catalogue, files: createListFiles(filesDirs, catalogue, signal) };
    const problems: FieldProblem[] = [];
    const creations: Creation[] = [];
    for (const [index, channel] of asked.entries()) {
      const own: FieldProblem[] = [];
      const resolved = await resolveNew(`channels[${index}]`, channel, data, own);
      problems.push(...withName(cleanText(channel.name, 120), [...own, ...twinProblems(index, asked)]));
      if (resolved !== undefined) creations.push(creationOf(resolved, data, deps));
    }
    throwProblems(problems);
    const files = await data.files.notices();
    const hasVideos = creations.some(({ after }) => Array.isArray(after.videoKeys) && after.videoKeys.length > 0);
    const notices: Notice[] = [...(catalogue === undefined && hasVideos ? [{ kind: 'videos_unchecked' } as const] : []), ...files];
    return creationPlan('create_channels', creations, {
      journal: deps.journal,
      notices,
      facts: creationFacts(creations, templates, files.map(noticeText)),
    });
  };
}

export const creationFacts = (creations: readonly Creation[], templates: readonly Template[], files: readonly string[] = []): AnswerFacts =>
  factsForAnswers({ items: creations.map(({ after }) => ({ before: {}, after })), files, templateOf: templateLabels(templates) });

/** A channel whose references are replaced by keys. */
export interface ResolvedChannel extends Pick<NewChannel, 'name' | 'description'> {
  readonly videoKeys: readonly string[];
  readonly templateKey: string | undefined;
}

async function resolveNew(
  field: string,
  channel: NewChannel,
  data: ReferenceData,
  problems: FieldProblem[],
): Promise<ResolvedChannel | undefined> {
  const before = problems.length;
  const { name, description, template = '', videoKeys: list, videoKeysFile: file } = channel;
  problems.push(...limitProblems(`${field}.`, channel));
  const found = findTemplate(`${field}.template`, template, data.templates);
  if ('problem' in found) problems.push(found);
  if (list === undefined && file === undefined)
    problems.push({ field: `${field}.videoKeys`, problem: 'or videoKeysFile must be given; [] for none.' });
  const argument = { list, file, field: `${field}.videoKeys`, fileField: `${field}.videoKeysFile` };
  // In a file of several channels, its rows are those with its name.
  const own = { id: NEW, name };
  const given = await videosIn(argument, own, { files: data.files, channels: [own] }, problems);
  const givenIn = list === undefined ? argument.fileField : argument.field;
  const videoKeys = given && translatedKeys(givenIn, given, [], data, problems);
  problems.push(...repeatedKeys(givenIn, videoKeys ?? []));
  if (problems.length > before || videoKeys === undefined) return undefined;
  return { name, description, videoKeys, templateKey: 'key' in found && found.key !== '' ? found.key : undefined };
}

/** No record's id. */
const NEW = '\u0000new';

/** After a lost answer, nothing would tell two of one name apart. */
function twinProblems(index: number, asked: readonly NewChannel[]): FieldProblem[] {
  const own = asItLooks(asked[index]?.name ?? '');
  const earlier = asked.findIndex(({ name }) => asItLooks(name) === own);
  return earlier === index ? [] : [{ field: `channels[${index}].name`, problem: `is the name of channels[${earlier}] too.` }];
}

export function creationOf(
  { name, description, videoKeys, templateKey }: ResolvedChannel,
  { channels, templates, catalogue }: ReferenceData,
  { client, account }: Pick<ContentsDeps, 'client' | 'account'>,
): Creation {
  const shown = (text: string) => JSON.stringify(cleanText(text, MAX_DESCRIPTION));
  const keys = listed(videoKeys, MAX_WHOLE, titlesIn(catalogue));
  const unknown = catalogue === undefined ? [] : notInCatalogue(videoKeys, catalogue);
  const needs = templates.find(({ key }) => key === templateKey)?.planType;
  return {
    what: 'channel',
    name,
    after: definedFields({ name, videoKeys, description, templateKey }),
    lines: [
      { field: 'videoKeys', words: `videos: ${videoKeys.length}${videoKeys.length > 0 ? ` (${keys})` : ''}` },
      ...(description === undefined ? [] : [{ field: 'description', words: `description: ${shown(description)}` }]),
      {
        field: 'templateKey',
        words: `template: ${templateLabels(templates)(templateKey ?? '')}${needs === undefined ? '' : `, from plan type ${planName(needs)}`}`,
      },
    ],
    notices: (label) => [
      ...(videoKeys.length === 0 ? [{ kind: 'created_empty', label } as const] : []),
      ...(unknown.length > 0 ? [{ kind: 'created_with_unknown', label, count: unknown.length, which: listed(unknown) } as const] : []),
    ],
    namesakes: channels.filter((record) => asItLooks(record.name ?? '') === asItLooks(name)),
    create: async ({ approval }) => {
      // The service names the keys that it does not know.
      const { record } = await client.channels.create(approval, {
        name,
        videoKeys: videoKeys as readonly VideoKey[],
        description,
        templateKey: templateKey as TemplateKey | undefined,
      });
      return record && { id: record.id, key: record.key, seen: seenOf(record), shown: record };
    },
    read: (id) => client.channels.get(id as ChannelId),
    all: () => account.allChannels({}),
  };
}
