import type * as z from 'zod';
import type { Account } from '../../account/account.ts';
import { type FieldProblem, invalidArguments } from '../../errors.ts';
import { nearest } from '../../platform/nearest.ts';
import type { Client } from '../../service/client.ts';
import type { ProjectId } from '../../service/ids.ts';
import { type EncodingOptions, EncodingOptionsSchema, type PlayerOptions, PlayerOptionsSchema } from '../../service/resources/projects.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import { creationPlan, namesakesIn } from '../creation-plan.ts';
import { listed } from '../listed.ts';
import type { ChangePlanner } from '../plan.ts';

export interface NewProject {
  readonly name: string;
  readonly region: string;
  readonly planType?: 1 | 2 | undefined;
  readonly description?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly videoOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** Plans a new project ("Create project" in the API document). An option that is not documented is refused with the nearest name. */
export function planNewProject(project: NewProject, { client, account }: { client: Client; account: Account }): ChangePlanner {
  return async ({ signal, progress }) => {
    const { name, region, planType, description, options, videoOptions } = project;
    const problems = [
      ...emptyProblems({ name, region }),
      ...optionProblems('options', options, EncodingOptionsSchema),
      ...optionProblems('videoOptions', videoOptions, PlayerOptionsSchema),
    ];
    if (problems.length > 0) throw invalidArguments(problems);
    const projects = await account.allProjects({ signal, progress });
    const regions = [...new Set(projects.map((other) => other.region).filter((code) => code !== undefined))];
    const fields = { name, region, planType, description, options, videoOptions };
    const after = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    return creationPlan({
      kind: 'create_project',
      what: 'project',
      name,
      after,
      lines: Object.entries(after)
        .filter(([field]) => field !== 'name')
        .map(([field, value]) => `${field}: ${field === 'planType' ? (value === 2 ? 'edge' : 'standard') : shownValue(value)}`),
      warnings: regions.includes(region)
        ? []
        : [
            `No project of the account is in the region ${JSON.stringify(cleanText(region, 60))}; which regions there are is not documented. Seen: ${
              listed(
                regions.map((code) => cleanText(code, 40)),
                10,
              ) || 'none'
            }.`,
          ],
      namesakes: await namesakesIn(Promise.resolve(projects), name),
      create: async ({ approval }) => {
        // The options were held to the documented names and types above.
        const checked = {
          ...fields,
          options: options as EncodingOptions | undefined,
          videoOptions: videoOptions as PlayerOptions | undefined,
        };
        const { record } = await client.projects.create(approval, checked);
        return record && { id: record.id, key: record.key, seen: null, shown: record };
      },
      read: (id) => client.projects.get(id as ProjectId),
      all: () => account.allProjects({}),
    });
  };
}

/** Each text is cleaned before it is quoted: afterwards what can't be seen would stand there spelt out. */
function shownValue(value: unknown): string {
  return cleanText(
    JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'string' ? cleanText(inner, 600) : inner)),
    600,
  );
}

function emptyProblems(fields: Readonly<Record<string, string>>): FieldProblem[] {
  return Object.entries(fields).flatMap(([field, text]) => (text.trim() === '' ? [{ field, problem: 'must not be empty.' }] : []));
}

function optionProblems(field: string, given: Readonly<Record<string, unknown>> | undefined, schema: z.ZodObject): FieldProblem[] {
  if (given === undefined) return [];
  const names = Object.keys(schema.shape);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const parsed = schema.safeParse(given);
  const wrong = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({ field: [field, ...path.map(String)].join('.'), problem: `${message}.` }));
  const missing = Object.entries(given).filter(([name, value]) => value === null && names.includes(name));
  const bad = Object.entries(given).filter(
    ([name, value]) => name.startsWith('bitrate') && typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0),
  );
  return [
    ...unknown.map((name) => ({ field: `${field}.${cleanText(name, 60)}`, problem: `there is no such option.${suggestion(name, names)}` })),
    ...wrong,
    ...missing.map(([name]) => ({ field: `${field}.${name}`, problem: 'must not be null; leave it out.' })),
    ...bad.map(([name]) => ({
      field: `${field}.${name}`,
      problem: 'must be a whole number of at least 0 (0 means the defaults; the unit is not documented).',
    })),
  ];
}

function suggestion(name: string, names: readonly string[]): string {
  const [best] = nearest(name, names, 1);
  return best === undefined ? ` There are: ${names.join(', ')}.` : ` Did you mean ${best}?`;
}
