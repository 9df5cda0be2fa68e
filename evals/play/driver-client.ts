import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the driver's process is asked to do. */
export type DriverRequest =
  | { do: 'says' | 'tools' | 'listing' | 'stop' }
  | { do: 'call'; tool: string; arguments: string }
  | { do: 'ask'; question: string }
  | { do: 'answer'; text: string };

interface Driver {
  readonly url: string;
  /** Keeps other users of the machine out. */
  readonly secret: string;
  readonly pid: number;
}

function driverIn(folder: string): Driver | undefined {
  const file = join(folder, 'driver.json');
  // The driver wrote it.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Driver) : undefined;
}

export function isRunning(folder: string): boolean {
  const pid = driverIn(folder)?.pid;
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Asks the process that plays the task in this folder; returns what it answers. */
export async function send(folder: string, request: DriverRequest): Promise<string> {
  const driver = driverIn(folder);
  if (driver === undefined) throw new Error(`No task is being played in ${folder}. Begin one with \`start\`.`);
  const response = await fetch(driver.url, { method: 'POST', headers: { authorization: driver.secret }, body: JSON.stringify(request) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
