import { labelOf } from '../account/references.ts';
import { VideoHostingError } from '../errors.ts';
import { cleanText } from '../service/sanitize-text.ts';
import type { Fields, ItemOutcome, ItemPlan, Run, Seen } from './plan.ts';
import { reasonOf } from './reason.ts';
import { stableJson } from './stable-json.ts';

/** The journal's id for what does not exist yet. */
const NEW = 'new';

interface Created {
  readonly id: string;
  readonly key?: string | undefined;
  readonly seen: Seen | null;
  /** The record in the service's answer. */
  readonly shown: Fields;
}

interface Creation {
  readonly kind: 'create_channel' | 'create_project';
  readonly what: 'channel' | 'project';
  readonly name: string;
  readonly after: Fields;
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
  /** Records of the same name, when the plan is made. */
  readonly namesakes: readonly { readonly id: string }[];
  /** Undefined where the service answered success without a record. */
  readonly create: (run: Run) => Promise<Created | undefined>;
  /** The record that was created, read back. */
  readonly read: (id: string) => Promise<Fields>;
  /** All records of the kind. */
  readonly all: () => Promise<readonly { readonly id: string; readonly name?: string | undefined }[]>;
}

/** The plan of a new record. It is sent once, and looked for by name where the answer is lost. */
export function creationPlan(creation: Creation): ItemPlan {
  const { kind, what, name, after, lines, namesakes } = creation;
  const shown = JSON.stringify(cleanText(name, 120));
  const same =
    namesakes.length > 0 ? [`There is already a ${what} called ${shown}: ${namesakes.map(labelOf).slice(0, 5).join(', ')}.`] : [];
  const undo = { possible: 'no' as const, how: `A ${what} can’t be deleted through this API, so this can’t be undone.` };
  return {
    kind,
    preview: { summary: `Create the ${what} ${shown}.`, warnings: [...same, undo.how, ...creation.warnings], lines, onFailure: '', undo },
    items: [{ id: NEW, label: shown, seen: null, before: {}, after }],
    // So that a namesake made after the preview is noticed.
    facts: { namesakes: namesakes.map(({ id }) => id) },
    apply: async (run) => {
      await run.sending(NEW);
      await run.record(NEW, await create(run, creation));
    },
  };
}

async function create(run: Run, creation: Creation): Promise<ItemOutcome> {
  try {
    const created = await creation.create(run);
    if (created !== undefined) return await verified(created, creation);
    return (
      (await find(creation)) ?? {
        outcome: 'unknown',
        reason: `The service answered success and showed no record, and no ${creation.what} of that name stands out now. Look with list_${creation.what}s before you try again.`,
      }
    );
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    if ((error.facts.outcome ?? 'not-known') !== 'not-known') return { outcome: 'failed', reason: reasonOf(error) };
    const found = await find(creation);
    if (found !== undefined)
      return {
        ...found,
        outcome: 'unknown',
        reason: `${reasonOf(error)} A new ${creation.what} of that name is there now (${String(found.result?.id)}); it is probably this one.`,
      };
    return {
      outcome: 'unknown',
      reason: `${reasonOf(error)} No ${creation.what} of that name is there now; it may still appear. Look with list_${creation.what}s before you try again.`,
    };
  }
}

async function verified({ id, key, seen, shown }: Created, { after, read }: Creation): Promise<ItemOutcome> {
  const isBrief = shown.name === undefined;
  const back = isBrief ? await read(id).catch(() => shown) : shown;
  const wrong = wrongFields(after, back);
  return {
    outcome: 'done',
    seen,
    result: { id, ...(key === undefined ? {} : { key }) },
    ...(wrong.length === 0
      ? {}
      : { reason: `The service answered success, but of the new record this is not what was sent: ${wrong.join(', ')}.` }),
  };
}

/** The fields that were sent and read back differently; those that are not shown are skipped. */
function wrongFields(sent: Fields, shown: Fields, within = ''): string[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const now = shown[name];
    if (now === undefined || now === null) return [];
    if (isFields(value) && isFields(now)) return wrongFields(value, now, `${within}${name}.`);
    return stableJson(value) === stableJson(now) ? [] : [`${within}${name}`];
  });
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The only record of that name that is new. */
async function find({ all, name, namesakes }: Creation): Promise<ItemOutcome | undefined> {
  const now = await all().catch(() => []);
  const [found, ...more] = now.filter((record) => record.name === name && !namesakes.some(({ id }) => id === record.id));
  return found === undefined || more.length > 0 ? undefined : { outcome: 'done', result: { id: found.id } };
}

/** The records of that name. */
export async function namesakesIn<T extends { readonly id: string; readonly name?: string | undefined }>(
  all: Promise<readonly T[]>,
  name: string,
): Promise<T[]> {
  return (await all).filter((record) => record.name === name);
}
