import { contentsOf } from '../../account/contents.ts';
import { PLAN_TYPES, PROJECT_PLAN_TYPES } from '../../account/plan-types.ts';
import type { AppContext } from '../app.ts';
import type { Call, ResourceText } from '../app-contract.ts';
import { withinBudget } from '../budget.ts';
import { changeResult } from '../change-result.ts';
import { asVideoHostingError, errorText } from '../present/error-text.ts';
import { fitAnswer, type Limit } from '../present/fit.ts';
import { inert } from '../present/inert.ts';
import { channelOut, projectOut, skippedOut, templateOut } from '../shapes.ts';
import type { Workspace } from '../workspace.ts';

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
  readonly read: (id: string, workspace: Workspace, call: Call) => Promise<Values | undefined>;
}

/** A client may put a resource into a context, or into a file: more than an answer, less than the 10 MiB of a message. */
const LIMIT: Limit = { max: 4 * 1_024 * 1_024, measure: (_answer, text) => Buffer.byteLength(JSON.stringify(text)) };

/** Ids of a plan in one resource, well under the protocol's largest message. */
const MOST_IDS = 20_000;

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
];

export const resourceTemplates: readonly Template[] = [
  {
    uriTemplate: `${SCHEME}channels/{id}`,
    name: 'channel',
    title: 'Channel',
    description: 'A channel by id, and what it holds where that is known.',
    read: async (id, { account, sentContents }, { signal, progress }) => {
      const channel = await account.findChannel(id, { signal, progress });
      return { channel: channelOut(channel), contents: await contentsOf(channel, sentContents) };
    },
  },
  {
    uriTemplate: `${SCHEME}projects/{id}`,
    name: 'project',
    title: 'Project',
    description: 'A project by id, with its options.',
    read: async (id, { account }, { signal, progress }) => ({
      project: projectOut(await account.findProject(id, { signal, progress }), 'full'),
    }),
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
          ...(await changeResult(record, journal, MOST_IDS)),
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
          ...('ids' in plan ? { ids: plan.ids.slice(0, MOST_IDS), of: plan.ids.length } : { items: plan.items }),
        }
      );
    },
  },
];

/** A resource's text. Undefined where there is no such resource; throws a sentence for everything else. */
export async function readResource(app: AppContext, uri: string, call: Call): Promise<ResourceText | undefined> {
  try {
    const value = await withinBudget(call.signal, app.config.settings.callBudgetMs, (signal) => contentOf(app, uri, { ...call, signal }));
    const json = (fitted: Values) => JSON.stringify(fitted, null, 1);
    return value && { uri, mimeType: 'application/json', text: fitAnswer(inert(value), [], json, LIMIT).text };
  } catch (thrown) {
    const error = asVideoHostingError(thrown, app.log);
    if (error.code === 'not_found') return undefined;
    throw new Error(errorText(error, 'read'));
  }
}

async function contentOf(app: AppContext, uri: string, call: Call): Promise<Values | undefined> {
  const fixed = resources.find((resource) => resource.uri === uri);
  if (fixed !== undefined) return fixed.read(app.open, call);
  for (const template of resourceTemplates) {
    const prefix = template.uriTemplate.slice(0, template.uriTemplate.indexOf('{'));
    const id = uri.startsWith(prefix) ? decoded(uri.slice(prefix.length)) : undefined;
    if (id !== undefined) return template.read(id, await app.open(), call);
  }
  return undefined;
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
