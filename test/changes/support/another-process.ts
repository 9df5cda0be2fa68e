import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisProcess } from '../../../src/platform/process-liveness.ts';
import { atEnd } from '../../harness/cleanup.ts';

/** Another process of this machine, and the contents of a lock file of that process. */
export function anotherProcess() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' });
  atEnd(() => void child.kill('SIGKILL'));
  const { host, machine } = thisProcess();
  return { child, mark: { pid: child.pid, host, machine, started: new Date().toISOString(), ...startOf(child.pid) } };
}

const startOf = (pid: number | undefined) =>
  process.platform === 'linux' ? { startTicks: readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] } : {};

/** Has another process hold the lock of a key in a folder. Returns its id, and what ends it. */
export function holdLock(folder: string, key: string) {
  const { child, mark } = anotherProcess();
  const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
  writeFileSync(join(folder, `${name}.lock`), JSON.stringify(mark));
  const end = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  return { pid: child.pid, end };
}
