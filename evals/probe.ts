import type { Connection } from './play/connect.ts';
import { startSession } from './play/session.ts';
import { inParallel } from './replay/in-parallel.ts';
import type { Task } from './task.ts';
import { TASKS } from './tasks/index.ts';

/** Checks, without a model, that every tool and argument that tasks need is there, and that their reading calls work. Returns what is not so. */
export async function probe(tasks: readonly Task[] = TASKS): Promise<string[]> {
  const [first] = tasks;
  if (first === undefined) return [];
  const session = await startSession(first, PLAY);
  const { tools } = session.surface;
  await session.close();
  const needs = tasks.flatMap((task) => missing(task, tools).map((finding) => `${task.id}: ${finding}`));
  const probes = await inParallel(
    tasks.filter((task) => task.probes !== undefined),
    failingProbes,
  );
  return [...needs, ...probes.flat()];
}

const PLAY = { server: 'ours', era: 'legacy', forms: false } as const;

async function failingProbes(task: Task): Promise<string[]> {
  const session = await startSession(task, PLAY);
  const findings: string[] = [];
  try {
    for (const [tool, args] of task.probes ?? []) {
      const { text, isError } = await session.call(tool, args);
      if (isError) findings.push(`${task.id}: ${tool} ${JSON.stringify(args)} fails. ${text}`);
    }
    return findings;
  } finally {
    await session.close();
  }
}

function missing({ needs }: Task, tools: Connection['tools']): string[] {
  return Object.entries(needs).flatMap(([name, args]) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return [`there is no tool ${name}`];
    const properties = 'properties' in tool.inputSchema ? Object(tool.inputSchema.properties) : {};
    return args.filter((argument) => !Object.hasOwn(properties, argument)).map((argument) => `${name} has no argument ${argument}`);
  });
}
