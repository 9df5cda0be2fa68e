import { contentsOf } from '../../account/contents.ts';
import { PLAN_TYPES, PROJECT_PLAN_TYPES } from '../../account/plan-types.ts';
import { asVideoHostingError, errorText } from '../answer/error-text.ts';
import { sanitizeAnswer } from '../answer/sanitize-answer.ts';
import { type Limit, truncateAnswer } from '../answer/truncate-answer.ts';
import type { Call, MissingResource, ResourceContent } from '../app-contract.ts';
import { withinBudget } from '../budget.ts';
import { changeResult } from '../change-result.ts';
import { channelOut, listedOnlyOut, projectOut, skippedOut, templateOut } from '../shapes.ts';
import type { AppContext, Workspace } from '../workspace.ts';
import { analyticsSchema } from './analytics-schema.ts';
import { type FileContent, reportFile } from './report-file.ts';

type Values = Readonly<Record<string, unknown>>;

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly read: (workspace: () => Promise<Workspace>, call: Call) => Promise<Values>;
}

interface Template {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Undefined where there is no such thing. */
  readonly read?: (id: string, workspace: Workspace, call: Call) => Promise<Values | undefined>;
  /** Likewise, where it is a file, which is handed on as it is. */
  readonly readFile?: (id: string, workspace: Workspace) => Promise<FileContent | undefined>;
  /** Of a file. */
  readonly mimeType?: string;
}

/** A client may put a resource into a context, or into a file: more than an answer, less than the 10 MiB of a message. */
const LIMIT: Limit = { max: 4 * 1_024 * 1_024, measure: (_answer, text) => Buffer.byteLength(JSON.stringify(text)) };

/** Ids of a plan in one resource, well under the protocol's largest message. */
const MAX_IDS = 20_000;

const SCHEME = 'video-hosting://';

export const resources: readonly Resource[] = [
  {
    uri: `${SCHEME}plan-types`,
    name: 'plan-types',
    title: 'Plan types',
    description: 'Plan types of accounts, channels and templates, and those of projects, which are something else.',
    read: async () => ({
      accountChannelAndTemplate: Object.entries(PLAN_TYPES).map(([value, name]) => ({ value: Number(value), name })),
      project: Object.entries(PROJECT_PLAN_TYPES).map(([value, name]) => ({ value: Number(value), name })),
      note: 'A template is usable when its planType is at most the account’s and its status is 1. What a plan’s own type means is not documented.',
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
      return { templates: found.items.map((template) => templateOut(template, undefined)), ...skippedOut(found) };
    },
  },
  {
    uri: `${SCHEME}analytics/schema`,
    name: 'analytics-schema',
    title: 'Analytics schema',
    description: 'Metrics, dimensions and filters of query_analytics and the tables of run_analytics_sql: what each means.',
    read: async () => analyticsSchema(),
  },
];

export const resourceTemplates: readonly Template[] = [
  {
    uriTemplate: `${SCHEME}channels/{id}`,
    name: 'channel',
    title: 'Channel',
    description: 'A channel by id, and what it holds where that is known.',
    read: async (id, { account, sentContents }, { signal, progress }) => {
      const { record: channel, refusal } = await account.findChannel(id, { signal, progress });
      return { channel: channelOut(channel), contents: await contentsOf(channel, sentContents()), ...listedOnlyOut('channel', refusal) };
    },
  },
  {
    uriTemplate: `${SCHEME}projects/{id}`,
    name: 'project',
    title: 'Project',
    description: 'A project by id, with its options.',
    read: async (id, { account }, { signal, progress }) => {
      const { record, refusal } = await account.findProject(id, { signal, progress });
      return { project: projectOut(record, 'full'), ...listedOnlyOut('project', refusal) };
    },
  },
  {
    uriTemplate: `${SCHEME}changes/{changeId}`,
    name: 'change',
    title: 'Change',
    description: 'A change in full: its plan, and what became of each thing.',
    read: async (id, { journal, proposals }) => {
      const record = await journal.read(id);
      if (record !== undefined)
        return {
          ...(await changeResult(record, journal, { maxOutcomes: MAX_IDS })),
          summary: record.intent.summary,
          warnings: record.intent.warnings,
          items: record.items,
        };
      const plan = proposals.planOf(id);
      return (
        plan && {
          status: 'confirmation_required',
          changeId: id,
          preview: plan.preview,
          ...('ids' in plan ? { ids: plan.ids.slice(0, MAX_IDS), of: plan.ids.length } : { items: plan.items }),
        }
      );
    },
  },
  {
    uriTemplate: `${SCHEME}reports/{reportId}`,
    name: 'report',
    title: 'Report',
    description: 'All rows of an answer about views (CSV), or its chart (PNG). Kept for a week.',
    mimeType: 'text/csv',
    readFile: reportFile,
  },
];

/** A resource's content. Undefined, or a sentence, where there is no such resource; throws a sentence for everything else. */
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
  const fixed = resources.find((resource) => resource.uri === uri);
  if (fixed !== undefined) return json(await fixed.read(app.open, call));
  for (const template of resourceTemplates) {
    const prefix = template.uriTemplate.slice(0, template.uriTemplate.indexOf('{'));
    const id = uri.startsWith(prefix) ? decoded(uri.slice(prefix.length)) : undefined;
    if (id === undefined) continue;
    const workspace = await app.open();
    return template.readFile === undefined ? json(await template.read?.(id, workspace, call)) : template.readFile(id, workspace);
  }
  return undefined;
}

function json(value: Values | undefined): FileContent | undefined {
  const text = (fitted: Values) => JSON.stringify(fitted, null, 1);
  return value && { mimeType: 'application/json', text: truncateAnswer(sanitizeAnswer(value), [], text, LIMIT).text };
}

/** The one segment after a template's prefix; undefined where it is not one. */
function decoded(segment: string): string | undefined {
  if (segment === '' || /[/?#]/.test(segment)) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
