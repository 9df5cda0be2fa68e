import { seenOf } from '../../../account/contents.ts';
import { planName, templateLabels } from '../../../account/templates.ts';
import { notInCatalogue, titlesIn } from '../../../account/video-references.ts';
import { throwProblems, withName } from '../../../errors/field-problems.ts';
import type { FieldProblem } from '../../../errors.ts';
import { usable } from '../../../files/known-videos.ts';
import type { ChannelId } from '../../../service/ids.ts';
import type { NewChannel, Template } from '../../../service/resources/channels.ts';
import { asItLooks, cleanText } from '../../../text/sanitize-text.ts';
import { inQuotes, type Sentence, sentence } from '../../../text/sentence.ts';
import { catalogueNotices } from '../../notices/catalogue-notices.ts';
import { type Notice, noticeText } from '../../notices/notices.ts';
import {
  type ChannelValues,
  CREATABLE,
  type CreatableField,
  type FieldArguments,
  pickFields,
  valuesIn,
} from '../../plan/channel-fields.ts';
import type { AnswerFacts } from '../../plan/facts.ts';
import { listText } from '../../plan/list-text.ts';
import type { ChangePlanner } from '../../plan/plan.ts';
import type { FileDeps } from '../../plan/plan-deps.ts';
import { factsForAnswers } from '../../plan/template-names.ts';
import { type Creation, creationPlan } from '../creation-plan.ts';
import { createFormerNames } from './former-names.ts';
import { limitProblems } from './limits.ts';
import { createListFiles } from './list-files.ts';
import { repeatedNotices } from './list-notices.ts';
import { keysIn, listArgument, type ReferenceData, type Resolved, readWhenNeeded, resolveValues } from './resolve-references.ts';

/** A channel that a caller asks for. */
export interface ChannelInput extends FieldArguments<CreatableField> {
  readonly name: string;
  readonly videoKeys?: readonly string[] | undefined;
  readonly videoKeysFile?: string | undefined;
}

export const NO_UNDO = sentence`This can’t be undone: a channel can’t be deleted from here, only in the service’s dashboard. It can be renamed, and what it holds replaced.`;

/** Plans new channels ("Create channel" in the API document). Throws the problems of all of them at once. */
export function planNewChannels(asked: readonly ChannelInput[], deps: FileDeps): ChangePlanner {
  return async ({ signal, progress }) => {
    const { account, filesDirs } = deps;
    const catalogue = await deps.catalogue();
    const channels = await account.allChannels({ signal, progress });
    const data = {
      channels,
      ...readWhenNeeded(deps, signal),
      catalogue,
      files: createListFiles(filesDirs, catalogue, createFormerNames(deps.journal), signal),
    };
    const problems: FieldProblem[] = [];
    const creations: Creation[] = [];
    const repeats: Notice[] = [];
    for (const [index, channel] of asked.entries()) {
      const { value, problems: own, repeated = [] } = await resolveNew(sentence`channels[${index}]`, channel, data);
      const name = cleanText(channel.name, 120);
      problems.push(...withName(name, [...own, ...twinProblems(index, asked)]));
      repeats.push(...repeatedNotices(inQuotes(name), { videoKeys: repeated }, titlesIn(catalogue)));
      if (value !== undefined) creations.push(creationOf(value, data, deps));
    }
    throwProblems(problems);
    const files = await data.files.notices();
    const hasVideos = creations.some(({ after }) => Array.isArray(after.videoKeys) && after.videoKeys.length > 0);
    const unchecked: Notice[] = catalogue === undefined && hasVideos ? [{ kind: 'videos_unchecked' }] : catalogueNotices(catalogue);
    return creationPlan('create_channels', creations, {
      journal: deps.journal,
      noUndo: NO_UNDO,
      notices: [...unchecked, ...repeats, ...files],
      answerFacts: await creationFacts(creations, data.templates, files.map(noticeText)),
      titleOf: titlesIn(catalogue),
    });
  };
}

export function creationFacts(
  creations: readonly Creation[],
  templates: ReferenceData['templates'],
  files: readonly Sentence[] = [],
): Promise<AnswerFacts> {
  return factsForAnswers({ items: creations.map(({ after }) => ({ before: {}, after })), files, templates, labels: labelsWithPlan });
}

function labelsWithPlan(templates: readonly Template[]): (key: string) => string {
  const labelOf = templateLabels(templates);
  return (key) => {
    const needs = templates.find((template) => template.key === key)?.planType;
    return `${labelOf(key)}${needs === undefined ? '' : `, for plan type ${planName(needs)} or higher`}`;
  };
}

/** A channel whose references are replaced by keys. */
export type ResolvedChannel = Pick<ChannelValues, CreatableField> & { readonly name: string; readonly videoKeys: readonly string[] };

async function resolveNew(
  field: Sentence,
  channel: ChannelInput,
  data: ReferenceData,
): Promise<Resolved<ResolvedChannel> & { readonly repeated?: readonly string[] }> {
  const { name } = channel;
  const argument = listArgument(channel, 'videoKeys', sentence`${field}.`);
  const isMissing = argument.list === undefined && argument.file === undefined;
  // In a file of several channels, its rows are those with its name.
  const own = { id: NEW, name };
  const videos = await keysIn('videoKeys', argument, { channel: own, held: [] }, { ...data, channels: [own] });
  const set = await resolveValues(sentence`${field}.`, valuesIn(channel), data);
  const problems = [
    ...limitProblems(sentence`${field}.`, channel),
    ...set.problems,
    ...(isMissing
      ? [{ field: argument.field, problem: sentence`${data.files.areTaken ? 'or videoKeysFile ' : ''}must be given; [] for none.` }]
      : []),
    ...videos.problems,
  ];
  if (problems.length > 0 || videos.value === undefined) return { problems };
  const values = pickFields({ ...set.values, templateKey: set.values.templateKey || undefined }, CREATABLE);
  return { ...videos, value: { ...values, name, videoKeys: videos.value }, problems };
}

/** No record's id. */
const NEW = '\u0000new';

/** After a lost answer, nothing would tell two of one name apart. */
function twinProblems(index: number, asked: readonly ChannelInput[]): FieldProblem[] {
  const own = asItLooks(asked[index]?.name ?? '');
  const earlier = asked.findIndex(({ name }) => asItLooks(name) === own);
  return earlier === index
    ? []
    : [{ field: sentence`channels[${index}].name`, problem: sentence`is the name of channels[${earlier}] too.` }];
}

export function creationOf(
  channel: ResolvedChannel,
  { channels, catalogue }: Pick<ReferenceData, 'channels' | 'catalogue'>,
  { client, account }: Pick<FileDeps, 'client' | 'account'>,
): Creation {
  const { name, videoKeys } = channel;
  const after = pickFields(channel, CREATABLE);
  const unknown = usable(catalogue) === undefined ? [] : notInCatalogue(videoKeys, catalogue);
  return {
    what: 'channel',
    name,
    after,
    notices: (label) => [
      ...(videoKeys.length === 0 ? [{ kind: 'created_empty', label } as const] : []),
      ...(unknown.length > 0 ? [{ kind: 'created_with_unknown', label, count: unknown.length, which: listText(unknown) } as const] : []),
    ],
    namesakes: channels.filter((record) => asItLooks(record.name ?? '') === asItLooks(name)),
    create: async ({ approval }) => {
      // The caller stated the keys: the service names those that it does not know.
      const { record } = await client.channels.create(approval, channel as NewChannel);
      return record && { id: record.id, key: record.key, seen: seenOf(record), shown: record };
    },
    read: (id) => client.channels.get(id as ChannelId),
    all: () => account.allChannels({}),
  };
}
