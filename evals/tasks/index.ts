import type { Task } from '../task.ts';
import { ANALYTICS_TASKS } from './analytics.ts';
import { BULK_TASKS } from './bulk.ts';
import { CHANGE_TASKS } from './changes.ts';
import { CHANNEL_TASKS } from './channels.ts';
import { INTERRUPTION_TASKS } from './interruptions.ts';
import { LARGE_TASKS } from './large.ts';
import { PEOPLE_TASKS } from './people.ts';
import { REPORT_TASKS } from './reports.ts';
import { WISH_TASKS } from './wishes.ts';

export const TASKS: readonly Task[] = [
  ...CHANNEL_TASKS,
  ...CHANGE_TASKS,
  ...BULK_TASKS,
  ...ANALYTICS_TASKS,
  ...PEOPLE_TASKS,
  ...LARGE_TASKS,
  ...WISH_TASKS,
  ...REPORT_TASKS,
  ...INTERRUPTION_TASKS,
];

export function taskNamed(id: string): Task {
  const task = TASKS.find((one) => one.id === id);
  if (task === undefined) throw new Error(`There is no task ${id}.`);
  return task;
}
