import * as z from 'zod';
import { contentsOf } from '../../account/contents.ts';
import { PLAN_TYPES, PROJECT_PLAN_TYPES } from '../../account/plan-types.ts';
import { renamedText } from '../../account/references.ts';
import type { AppContext, Workspace } from '../../app/workspace.ts';
import { openNotices } from '../../changes/kinds/earlier/open-notices.ts';
import { plannedUndo } from '../../changes/kinds/earlier/undoable.ts';
import { findChange, proposalStatus } from '../../changes/life/find-change.ts';
import { toldOut } from '../../changes/notices/notices.ts';
import { summaryText } from '../../changes/plan/preview.ts';
import { reasonOf } from '../../changes/plan/remarks.ts';
import type { Proposal } from '../../changes/proposals/proposal.ts';
import { toldAsked, toldText } from '../../changes/tell/agreement.ts';
import { previewAnswer } from '../../changes/tell/preview.ts';
import { laterResult } from '../../changes/tell/result.ts';
import { VIEW_DATA_URI } from '../../page/contract.ts';
import { decodedOrUndefined } from '../../platform/decode-component.ts';
import type { Values } from '../../platform/is-object.ts';
import { sentence } from '../../text/sentence.ts';
import { type AnswerTo, sentenceOut, structuredPart } from '../answer/answer-schema.ts';
import { asVideoHostingError, errorText } from '../answer/error-text.ts';
import { sanitizeAnswer } from '../answer/sanitize-answer.ts';
import { type Limit, truncateAnswer } from '../answer/truncate-answer.ts';
import type { Call, MissingResource, ResourceContent } from '../app-contract.ts';
import { withinBudget } from '../call/budget.ts';
import { ChangeOut } from '../call/change-reply.ts';
import { CHAT_VIEW_URI } from '../chat-view.ts';
import { reportPath } from '../schemas/analytics-schemas.ts';
import { ChannelOut, channelOut } from '../schemas/channel-schemas.ts';
import {
  contentsSource,
  listedOnlyNotes,
  listNotes,
  ProjectOut,
  projectOut,
  skippedOut,
  TemplateOut,
  templateOut,
} from '../schemas/shapes.ts';
import { analyticsSchema } from './analytics-schema.ts';
import { chatDocument, viewData } from './view-resources.ts';

/** A resource's content, without its address. */
type FileContent = Pick<ResourceContent, 'mimeType' | '_meta'> & ({ readonly text: string } | { readonly blob: string });

interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

interface Resource extends Described {
  readonly uri: string;
  readonly read: (workspace: () => Promise<Workspace>, call: Call) => Promise<FileContent>;
}

interface Template extends Described {
  readonly uriTemplate: string;
  /** JSON by default. */
  readonly mimeType?: string;
  /** Undefined if there is no such resource. */
  readonly read: (id: string, workspace: Workspace, call: Call) => Promise<FileContent | undefined>;
}

/** Larger than an answer, because a client may save a resource as a file; well below the protocol's 10 MiB per message. */
const LIMIT: Limit = { max: 4 * 1_024 * 1_024, measure: (_answer, text) => Buffer.byteLength(JSON.stringify(text)) };

/** Video ids in the resource of a change. */
const MAX_IDS = 20_000;

const SCHEME = 'video-hosting://';

export const resources: readonly Resource[] = [
  {
    uri: `${SCHEME}plan-types`,
    name: 'plan-types',
    title: 'Plan types',
    description: 'Plan types of accounts, channels and templates, and those of projects, which are something else.',
    read: async () =>
      json(z.looseObject({ note: sentenceOut() }), {
        accountChannelAndTemplate: Object.entries(PLAN_TYPES).map(([value, name]) => ({ value: Number(value), name })),
        project: Object.entries(PROJECT_PLAN_TYPES).map(([value, name]) => ({ value: Number(value), name })),
        note: sentence`A template is usable when its planType is at most the account’s and its status is 1. What a plan’s own type means is not documented.`,
      }),
  },
  {
    uri: `${SCHEME}templates`,
    name: 'templates',
    title: 'Channel templates',
    description: 'All channel templates of the account.',
    read: async (open, { signal }) => {
      const { client } = await open();
      const found = await client.templates.list(signal);
      const templates = found.items.map((template) => templateOut(template, undefined));
      return json(z.object({ templates: z.array(TemplateOut), ...listNotes }), { templates, ...skippedOut(found) });
    },
  },
  {
    uri: `${SCHEME}analytics/schema`,
    name: 'analytics-schema',
    title: 'Analytics schema',
    description: 'Metrics, dimensions and filters of query_analytics and the tables of run_analytics_sql: what each means.',
    read: async () => json(z.looseObject({}), analyticsSchema()),
  },
];

export const resourceTemplates: readonly Template[] = [
  {
    uriTemplate: `${SCHEME}channels/{id}`,
    name: 'channel',
    title: 'Channel',
    description: 'A channel by id, and what it holds where that is known.',
    read: async (id, { account, sentContents, formerContents }, { signal, progress }) => {
      const { record: channel, refusal, former } = await account.findChannel(id, { signal, progress });
      const contents = await contentsOf(channel, sentContents(), formerContents);
      return json(ChannelFile, {
        channel: channelOut(channel),
        contents: { ...contents, ...contentsSource(contents, channel) },
        notes: [...(former === undefined ? [] : [renamedText(former, channel)]), ...listedOnlyNotes('channel', refusal)],
      });
    },
  },
  {
    uriTemplate: `${SCHEME}projects/{id}`,
    name: 'project',
    title: 'Project',
    description: 'A project by id, with its options.',
    read: async (id, { account }, { signal, progress }) => {
      const { record, refusal } = await account.findProject(id, { signal, progress });
      return json(z.object({ project: ProjectOut, notes }), { project: projectOut(record), notes: listedOnlyNotes('project', refusal) });
    },
  },
  {
    uriTemplate: `${SCHEME}changes/{changeId}`,
    name: 'change',
    title: 'Change',
    description: 'A change in full: its plan, and what became of each thing.',
    read: async (id, stores) => {
      const found = await findChange(id, stores);
      if (found === undefined) return undefined;
      if (found.record === undefined) return json(ChangeFile, proposalFile(found.proposal));
      const { record } = found;
      const { journal } = stores;
      const result = await laterResult(record, journal, { maxOutcomes: MAX_IDS });
      const items = record.items.map((item) => ({
        ...item,
        label: item.label,
        reason: reasonOf(item),
        note: item.note,
      }));
      return json(ChangeFile, {
        ...result,
        summary: summaryText(record.intent),
        ...toldOut({ notices: openNotices(record), undo: plannedUndo(record.intent) }, 'each'),
        items,
      });
    },
  },
  {
    uriTemplate: `${SCHEME}reports/{reportId}`,
    name: 'report',
    title: 'Report',
    description: 'All rows of an answer about views (CSV), or its chart (PNG). Kept for a week.',
    mimeType: 'text/csv',
    read: reportFile,
  },
];

const notes = z.array(sentenceOut());
const ChannelFile = z.object({
  channel: ChannelOut,
  contents: z.looseObject({ source: sentenceOut(), next: sentenceOut().optional() }),
  notes,
});
const ChangeFile = z.looseObject({
  ...ChangeOut.shape,
  status: z.string(),
  summary: sentenceOut().optional(),
  items: z
    .array(z.looseObject({ id: z.string(), label: sentenceOut(), reason: sentenceOut().optional(), note: sentenceOut().optional() }))
    .optional(),
});

function proposalFile(proposal: Proposal): AnswerTo<typeof ChangeFile> {
  const { changeId, plan } = proposal;
  const asked = toldText(toldAsked(proposal.asked));
  const status = proposalStatus(proposal);
  const planned = 'ids' in plan ? { ids: plan.ids, of: plan.total } : { items: plan.items.map((item) => ({ ...item, label: item.label })) };
  return { ...{ status, changeId, asked, preview: previewAnswer(plan, changeId, 'whole') }, ...planned };
}

/** Undefined or `missing` if there is no such resource. Every other error is thrown with a message for the client. */
export async function readResource(app: AppContext, uri: string, call: Call): Promise<ResourceContent | MissingResource | undefined> {
  try {
    const found = await withinBudget(call.signal, app.config.settings.callBudgetMs, (signal) => contentOf(app, uri, { ...call, signal }));
    return found && { uri, ...found };
  } catch (thrown) {
    const error = asVideoHostingError(thrown, app.log);
    if (error.code === 'not_found') return { missing: error.message };
    throw new Error(errorText(error, 'read'));
  }
}

async function contentOf(app: AppContext, uri: string, call: Call): Promise<FileContent | undefined> {
  if (uri === CHAT_VIEW_URI) return chatDocument();
  if (uri.startsWith(VIEW_DATA_URI)) return viewData(uri, await app.open(), call.signal);
  const fixed = resources.find((resource) => resource.uri === uri);
  if (fixed !== undefined) return fixed.read(app.open, call);
  for (const template of resourceTemplates) {
    const prefix = template.uriTemplate.slice(0, template.uriTemplate.indexOf('{'));
    const id = uri.startsWith(prefix) ? variableIn(uri.slice(prefix.length)) : undefined;
    if (id === undefined) continue;
    return template.read(id, await app.open(), call);
  }
  return undefined;
}

/** Shortened to `LIMIT`, like an answer. */
function json<S extends z.ZodType<Values>>(schema: S, value: AnswerTo<S>): FileContent {
  const text = (shortened: Values) => JSON.stringify(shortened, null, 1);
  return {
    mimeType: 'application/json',
    text: truncateAnswer(structuredPart(schema, sanitizeAnswer(schema, value)), [], text, LIMIT).text,
  };
}

/** The value of a template's variable; undefined if the text is more than one path segment. */
const variableIn = (segment: string): string | undefined =>
  segment === '' || /[/?#]/.test(segment) ? undefined : decodedOrUndefined(segment);

/** As JSON, in one message; the protocol's limit is 10 MiB. */
const MAX_REPORT_BYTES = 7 * 1_024 * 1_024;

/** A saved report. A table that is too long for a message is cut, with the path of the whole file below it. */
export async function reportFile(id: string, { reports, settings }: Workspace): Promise<FileContent | undefined> {
  const found = await reports.read(id, MAX_REPORT_BYTES);
  if (found === undefined) return undefined;
  if (found.type === 'image/png') return { mimeType: found.type, blob: found.data.toString('base64') };
  const escaped = Buffer.byteLength(JSON.stringify(found.text));
  const keep =
    escaped <= MAX_REPORT_BYTES ? found.text : wholeLines(found.text, Math.floor((found.text.length * MAX_REPORT_BYTES) / escaped));
  const isCut = found.isCut || keep.length < found.text.length;
  const path = reportPath({ id, file: found.file }, settings);
  const note = `# Cut: ${Buffer.byteLength(keep)} of ${found.bytes} bytes.${path === undefined ? '' : ` The whole file: ${path}`}\n`;
  return { mimeType: found.type, text: isCut ? `${keep}${note}` : keep };
}

const wholeLines = (text: string, length: number): string => text.slice(0, text.lastIndexOf('\n', length - 1) + 1);
