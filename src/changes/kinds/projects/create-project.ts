import type * as z from 'zod';
import { throwProblems } from '../../../errors/field-problems.ts';
import type { FieldProblem } from '../../../errors.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import type { ProjectId } from '../../../service/ids.ts';
import { EncodingOptionsSchema, type NewProject, PlayerOptionsSchema, type Project } from '../../../service/resources/projects.ts';
import { hiddenProblem } from '../../../text/hidden-text.ts';
import { nearest } from '../../../text/nearest.ts';
import { asItLooks, cleanText } from '../../../text/sanitize-text.ts';
import { inQuotes, type Sentence, sentence, word, wordList } from '../../../text/sentence.ts';
import { zodProblem } from '../../../text/zod-problem.ts';
import type { Notice } from '../../notices/notices.ts';
import { listText } from '../../plan/list-text.ts';
import type { ChangePlanner } from '../../plan/plan.ts';
import type { PlanDeps } from '../../plan/plan-deps.ts';
import { recordDifferences } from '../../plan/record-difference.ts';
import { type Creation, creationPlan } from '../creation-plan.ts';
import { lookForNew, RETRY_OF_NEW } from '../earlier/new-records.ts';
import type { PlannedKind } from '../kind.ts';

/** All of a description, and all options. */
const MAX_SHOWN = 10_000;

export interface ProjectInput extends Omit<NewProject, 'options' | 'videoOptions'> {
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly videoOptions?: Readonly<Record<string, unknown>> | undefined;
}

const NO_UNDO = sentence`This can’t be undone: a project can’t be deleted from here, only in the service’s dashboard.`;

export const createProject: PlannedKind<ProjectInput> = {
  plan: planNewProject,
  rest: () => ({ never: sentence`A project is created at once or not at all.` }),
  retry: RETRY_OF_NEW,
  undo: () => ({ never: NO_UNDO }),
  lookAgain: lookForNew('project', (account, signal) => account.allProjects({ signal })),
  shares: () => ({ never: sentence`No standing approval covers a new project.` }),
  differences: (items, facts) => recordDifferences(items, facts),
};

/** Plans a new project ("Create project" in the API document). An option that is not documented is refused with the nearest name. */
function planNewProject(project: ProjectInput, { client, account, journal }: PlanDeps): ChangePlanner {
  return async ({ signal, progress }) => {
    const { name, region, planType, description } = project;
    const options = givenOptions(project.options, EncodingOptionsSchema);
    const videoOptions = givenOptions(project.videoOptions, PlayerOptionsSchema);
    throwProblems([
      ...[[sentence`name`, name] as const, [sentence`region`, region] as const].flatMap(([field, text]) => [
        ...(cleanText(text, MAX_SHOWN) === '' ? [{ field, problem: sentence`must not be empty.` }] : []),
        ...hiddenProblem(field, text),
      ]),
      ...hiddenProblem(sentence`description`, description, 'lines'),
      ...optionProblems(sentence`options`, options, EncodingOptionsSchema),
      ...optionProblems(sentence`videoOptions`, videoOptions, PlayerOptionsSchema),
    ]);
    const projects = await account.allProjects({ signal, progress });
    const after = definedFields({ name, region, planType, description, options, videoOptions });
    const creation: Creation = {
      what: 'project',
      name,
      after,
      notices: () => regionNotices(region, projects),
      namesakes: projects.filter((record) => asItLooks(record.name ?? '') === asItLooks(name)),
      create: async ({ approval }) => {
        // `optionProblems` checked the options against these schemas.
        const { record } = await client.projects.create(approval, after as NewProject);
        return record && { id: record.id, key: record.key, seen: null, shown: record };
      },
      read: (id) => client.projects.get(id as ProjectId),
      all: () => account.allProjects({}),
    };
    return creationPlan('create_project', [creation], { journal, noUndo: NO_UNDO });
  };
}

function regionNotices(region: string, projects: readonly Project[]): Notice[] {
  const regions = new Set(projects.flatMap((project) => project.region ?? []));
  if (regions.has(region)) return [];
  const known = [...regions].map((code) => cleanText(code, 40));
  return [{ kind: 'region_unknown', region: inQuotes(region, 60), seen: listText(known, 10) }];
}

/** Without those that hold nothing, as their schema reads it: a null, or an empty text for a number. */
function givenOptions(given: ProjectInput['options'], { shape }: z.ZodObject): ProjectInput['options'] {
  if (given === undefined) return undefined;
  const isNothing = (name: string, value: unknown) => {
    const read = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType | undefined)?.safeParse(value) : undefined;
    return read?.success === true && read.data === undefined;
  };
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isNothing(name, value)));
}

function optionProblems(field: Sentence, given: Readonly<Record<string, unknown>> | undefined, schema: z.ZodObject): FieldProblem[] {
  if (given === undefined) return [];
  const names = Object.keys(schema.shape);
  const { error } = schema.safeParse(given);
  const issues = error?.issues ?? [];
  return [
    ...Object.entries(given).flatMap(([name, value]): FieldProblem[] => {
      const path = sentence`${field}.${word(name, 60)}`;
      if (!names.includes(name)) return [{ field: path, problem: sentence`there is no such option.${suggestion(name, names)}` }];
      if (typeof value === 'string') return hiddenProblem(path, value);
      if (!name.startsWith('bitrate') || typeof value !== 'number' || (Number.isSafeInteger(value) && value >= 0)) return [];
      return [{ field: path, problem: sentence`must be a whole number of at least 0 (0 means the defaults; the unit is not documented).` }];
    }),
    ...issues.map((issue) => ({
      field: sentence`${field}.${word(issue.path.map(String).join('.'))}`,
      problem: sentence`${zodProblem(issue)}.`,
    })),
  ];
}

function suggestion(name: string, names: readonly string[]): Sentence {
  const [best] = nearest(name, names, 1);
  return best === undefined ? sentence` There are: ${wordList(names)}.` : sentence` Did you mean ${word(best)}?`;
}
