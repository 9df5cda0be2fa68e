import type { Account } from '../../../account/account.ts';
import type { FindOptions } from '../../../account/record-finder.ts';
import { labelOf, matchesOf, shownName } from '../../../account/references.ts';
import { throwProblems } from '../../../errors/field-problems.ts';
import { type FieldProblem, undefinedIfRefused, type VideoHostingError } from '../../../errors.ts';
import { shownColumn } from '../../../files/columns.ts';
import type { Project } from '../../../service/resources/projects.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import type { NoticeOf } from '../../notices/notices.ts';
import type { ProjectShare } from '../../plan/facts.ts';
import type { IdRows } from '../../plan/id-files.ts';
import { listText } from '../../plan/list-text.ts';
import type { CollectedIds } from './collect-ids.ts';
import type { FileColumns, ValueCounts } from './distinct-ids.ts';

/** Where the videos of a move are now, as the caller says. */
export interface Origins {
  /** Undefined where no file was read. */
  readonly rows: IdRows | undefined;
  /** The projects, by their numbers in the rows; with one for all of them, its number is 1. */
  readonly projects: readonly ProjectShare[];
  /** How many videos have no project. */
  readonly unnamed: number;
  /** Where no project is named: the columns of the file that hold projects. */
  readonly columns: readonly NoticeOf<'origin_column'>[];
}

const MAX_PROBLEMS = 20;
const MAX_LINES = 5;
const MAX_OFFERED = 5;

/**
 * Finds the projects that a file names in its column `fromProject`, or in the one that the caller names, each once; a video
 * without one is in the project of the argument, where that is given. Throws `invalid_arguments` with the lines of those that
 * can't be found, that contradict the argument, and of one video in two projects.
 */
export async function resolveOrigins(
  { ids, columns }: CollectedIds,
  argument: Project | undefined,
  targetId: string,
  account: Account,
  read: FindOptions,
): Promise<Origins> {
  const names = columns?.projectNames ?? [];
  const found = new Map<string, Project>(argument === undefined ? [] : [[argument.id, argument]]);
  const byName = columns === undefined || names.length === 0 ? [] : await projectsNamed(columns, account, read);
  for (const project of byName) found.set(project.id, project);
  const projects = [...found.values()];
  const numberOf = byName.map(({ id }) => projects.findIndex((project) => project.id === id) + 1);
  const otherwise = argument === undefined ? 0 : 1;
  const numbers = columns?.projectOf.map((name) => (name === 0 ? otherwise : (numberOf[name - 1] ?? 0)));
  if (columns !== undefined && numbers !== undefined)
    throwProblems(contradictions({ ids, columns, numbers, numberOf, projects, argument }));
  const counts = countsOf(numbers, projects.length, ids.length, otherwise);
  const others = projects.length > 0 ? [] : (columns?.others ?? []);
  // A list that can't be read is no reason to refuse what needs none.
  const all = others.length === 0 ? [] : ((await account.allProjects(read).catch(undefinedIfRefused)) ?? []);
  return {
    rows: columns && numbers && { positions: columns.positions, projects: numbers },
    projects: projects.map((project, index) => ({ id: project.id, label: labelOf(project), count: counts[index + 1] ?? 0 })),
    unnamed: counts[0] ?? 0,
    columns: columnsOfProjects(others, all, targetId, ids.length),
  };
}

/** How many videos each number has. */
export function countsOf(numbers: Uint16Array | undefined, projects: number, videos: number, otherwise: number): readonly number[] {
  const counts = new Array<number>(projects + 1).fill(0);
  if (numbers === undefined) counts[otherwise] = videos;
  else for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  return counts;
}

/** The columns whose values all are projects, and not only the target; the projects with most videos first. */
function columnsOfProjects(others: readonly ValueCounts[], all: readonly Project[], targetId: string, videos: number): Origins['columns'] {
  return others.flatMap(({ name, counts }) => {
    const found = new Map<string, { readonly name: Sentence; videos: number }>();
    for (const [value, count] of counts) {
      const [project, another] = matchesOf(value, all);
      if (project === undefined || another !== undefined) return [];
      const share = found.get(project.id) ?? { name: inQuotes(shownName(project)), videos: 0 };
      share.videos += count;
      found.set(project.id, share);
    }
    if (found.size === 0 || (found.size === 1 && found.has(targetId))) return [];
    const projects = [...found.values()].sort((a, b) => b.videos - a.videos);
    const blank = videos - projects.reduce((sum, share) => sum + share.videos, 0);
    const [shown, more] = [projects.slice(0, MAX_OFFERED), Math.max(0, projects.length - MAX_OFFERED)];
    return [{ kind: 'origin_column', column: shownColumn(name), projects: shown, more, blank } as const];
  });
}

async function projectsNamed(columns: FileColumns, account: Account, read: FindOptions): Promise<readonly Project[]> {
  const { projectNames: names } = columns;
  const all = await account.allProjects(read);
  const problems: FieldProblem[] = [];
  const found = new Map<string, Project>();
  const unlisted: string[] = [];
  for (const name of names) {
    const [listed, another] = matchesOf(name, all);
    if (listed !== undefined && another === undefined) found.set(name, listed);
    else unlisted.push(name);
  }
  // The list may lack a project that can be read by its id.
  for (let from = 0; from < unlisted.length && problems.length === 0; from += MAX_PROBLEMS) {
    const asked = unlisted.slice(from, from + MAX_PROBLEMS);
    const results = await account.readProjects(
      asked.map((reference) => ({ reference, field: sentence`fromProject` })),
      all,
      read,
    );
    for (const [index, result] of results.entries()) {
      const name = asked[index] ?? '';
      if ('record' in result) found.set(name, result.record);
      else problems.push(...problemsWith(name, columns, result.refusal));
    }
    const left = unlisted.length - from - asked.length;
    if (problems.length > 0 && left > 0)
      problems.push({ field: sentence`and`, problem: sentence`${left} more values of that column are no listed projects either.` });
  }
  throwProblems(problems);
  return names.flatMap((name) => found.get(name) ?? []);
}

function problemsWith(name: string, columns: FileColumns, { message }: VideoHostingError): FieldProblem[] {
  const number = columns.projectNames.indexOf(name) + 1;
  const where = linesOf(columns, (other) => other === number);
  const problem = name.includes('\uFFFD')
    ? sentence`${inQuotes(name)} has letters that are lost, since the file is not UTF-8: save it as UTF-8.`
    : message;
  return [{ field: sentence`videoIdsFile, ${word(columns.projectColumn)} in ${where}`, problem }];
}

interface Resolved {
  readonly ids: readonly string[];
  readonly columns: FileColumns;
  /** Of each id, the number of its project. */
  readonly numbers: Uint16Array;
  /** Of each name in the file, the number of its project. */
  readonly numberOf: readonly number[];
  readonly projects: readonly Project[];
  readonly argument: Project | undefined;
}

function contradictions({ ids, columns, numbers, numberOf, projects, argument }: Resolved): FieldProblem[] {
  const others = argument === undefined ? [] : projects.slice(1, MAX_PROBLEMS + 1);
  const against = others.flatMap((project) => {
    const names = new Set(numberOf.flatMap((number, index) => (projects[number - 1]?.id === project.id ? [index + 1] : [])));
    const where = linesOf(columns, (name) => names.has(name));
    return where === '' ? [] : [sentence`${labelOf(project)} in ${where}`];
  });
  const twice = columns.repeats.filter(({ index, project }) => numbers[index] !== numberOf[project - 1]);
  return [
    ...(argument === undefined || against.length === 0
      ? []
      : [
          {
            field: sentence`fromProject`,
            problem: sentence`is ${labelOf(argument)}, and the file says ${joined(against, ', ')}. Leave the argument out, or correct the file.`,
          },
        ]),
    ...twice.slice(0, MAX_PROBLEMS).map(({ index, position }) => ({
      field: sentence`videoIdsFile`,
      problem: sentence`names two projects for ${listText([ids[index] ?? ''])}: in ${columns.positionUnit} ${columns.positions[index] ?? 0} and in ${columns.positionUnit} ${position}.`,
    })),
  ];
}

/** `lines 3, 7 and 12 more`; empty where there is none. */
function linesOf({ positions, positionUnit, projectOf }: FileColumns, isWanted: (name: number) => boolean): Sentence {
  const shown: number[] = [];
  let count = 0;
  for (const [index, name] of projectOf.entries()) {
    if (!isWanted(name)) continue;
    count += 1;
    if (shown.length < MAX_LINES) shown.push(positions[index] ?? 0);
  }
  if (count === 0) return sentence``;
  const [unit, units] = positionUnit === 'line' ? (['line', 'lines'] as const) : (['entry', 'entries'] as const);
  return sentence`${count === 1 ? unit : units} ${joined(
    shown.map((line) => sentence`${line}`),
    ', ',
  )}${count > shown.length ? sentence` and ${count - shown.length} more` : ''}`;
}
