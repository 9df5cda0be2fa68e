import type { Account } from '../../account/account.ts';
import type { ReadOptions } from '../../account/record-finder.ts';
import { findReference, labelOf, matchesOf } from '../../account/references.ts';
import { type FieldProblem, throwProblems, VideoHostingError } from '../../errors.ts';
import type { Project } from '../../service/resources/projects.ts';
import type { ProjectShare } from '../journal/facts.ts';
import type { IdRows } from '../journal/id-files.ts';
import { listed } from '../listed.ts';
import type { CollectedIds, FileColumns } from './collect-ids.ts';

/** Where the videos of a move are now, as the caller says. */
export interface Origins {
  /** Undefined where no file was read. */
  readonly rows: IdRows | undefined;
  /** The projects, by their numbers in the rows; with one for all of them, its number is 1. */
  readonly projects: readonly ProjectShare[];
  /** How many videos have no project. */
  readonly unnamed: number;
}

const MAX_PROBLEMS = 20;
const MAX_LINES = 5;

/**
 * Finds the projects that a file names in its column `fromProject`, each once; a video without one is in the project of the
 * argument, where that is given. Throws `invalid_arguments` with the lines of those that can't be found, that contradict the
 * argument, and of one video in two projects.
 */
export async function resolveOrigins(
  { ids, columns }: CollectedIds,
  argument: Project | undefined,
  account: Account,
  read: ReadOptions,
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
  return {
    rows: columns && numbers && { positions: columns.positions, projects: numbers },
    projects: projects.map((project, index) => ({ id: project.id, label: labelOf(project), count: counts[index + 1] ?? 0 })),
    unnamed: counts[0] ?? 0,
  };
}

/** How many videos each number has. */
function countsOf(numbers: Uint16Array | undefined, projects: number, videos: number, otherwise: number): readonly number[] {
  const counts = new Array<number>(projects + 1).fill(0);
  if (numbers === undefined) counts[otherwise] = videos;
  else for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  return counts;
}

async function projectsNamed(columns: FileColumns, account: Account, read: ReadOptions): Promise<readonly Project[]> {
  const all = await account.allProjects(read);
  const found: Project[] = [];
  const problems: FieldProblem[] = [];
  for (const [index, name] of columns.projectNames.entries()) {
    try {
      // The list may lack a project that can be read by its id.
      const isListed = matchesOf(name, all).length > 0;
      found[index] = isListed ? findReference('project', 'fromProject', name, all) : await account.nameProject(name, read, 'fromProject');
    } catch (error) {
      if (!(error instanceof VideoHostingError) || error.facts.fields === undefined) throw error;
      const field = `videoIdsFile, fromProject in ${linesOf(columns, (number) => number === index + 1)}`;
      problems.push(...error.facts.fields.map(({ problem }) => ({ field, problem })));
    }
    if (problems.length >= MAX_PROBLEMS) break;
  }
  throwProblems(problems);
  return found;
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
    return where === '' ? [] : [`${labelOf(project)} in ${where}`];
  });
  const twice = columns.repeats.filter(({ index, project }) => numbers[index] !== numberOf[project - 1]);
  return [
    ...(argument === undefined || against.length === 0
      ? []
      : [
          {
            field: 'fromProject',
            problem: `is ${labelOf(argument)}, and the file says ${against.join(', ')}. Leave the argument out, or correct the file.`,
          },
        ]),
    ...twice.slice(0, MAX_PROBLEMS).map(({ index, position }) => ({
      field: 'videoIdsFile',
      problem: `names two projects for ${listed([ids[index] ?? ''])}: in ${columns.positionUnit} ${columns.positions[index]} and in ${columns.positionUnit} ${position}.`,
    })),
  ];
}

/** `lines 3, 7 and 12 more`; empty where there is none. */
function linesOf({ positions, positionUnit, projectOf }: FileColumns, isWanted: (name: number) => boolean): string {
  const shown: number[] = [];
  let count = 0;
  for (const [index, name] of projectOf.entries()) {
    if (!isWanted(name)) continue;
    count += 1;
    if (shown.length < MAX_LINES) shown.push(positions[index] ?? 0);
  }
  if (count === 0) return '';
  const [unit, units] = positionUnit === 'line' ? ['line', 'lines'] : ['entry', 'entries'];
  return `${count === 1 ? unit : units} ${shown.join(', ')}${count > shown.length ? ` and ${count - shown.length} more` : ''}`;
}
