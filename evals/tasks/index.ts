import type { Task } from '../task.ts';
import { ANALYTICS_TASKS } from './analytics.ts';
import { BULK_TASKS } from './bulk.ts';
import { CHANGE_TASKS } from './changes.ts';
import { CHANNEL_TASKS } from './channels.ts';
import { PEOPLE_TASKS } from './people.ts';

export const TASKS: readonly Task[] = [...CHANNEL_TASKS, ...CHANGE_TASKS, ...BULK_TASKS, ...ANALYTICS_TASKS, ...PEOPLE_TASKS];

export function taskNamed(id: string): Task {
  const task = TASKS.find((one) => one.id === id);
  if (task === undefined) throw new Error(`There is no task ${id}.`);
  return task;
}
