import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What a program prints. Fails with the last line that it wrote as an error. */
export async function run(command, args, options = {}) {
  try {
    const { stdout } = await execute(command, args, { maxBuffer: 64 * 1024 * 1024, ...options });
    return stdout;
  } catch (error) {
    const said = String(error.stderr ?? '')
      .trim()
      .split('\n')
      .at(-1);
    throw new Error(said || (error.code === 'ENOENT' ? `there is no ${command}` : error.message));
  }
}

/** Where something is; empty, with the reason printed, where it can’t be had. */
export async function had(name, get) {
  try {
    const found = await get();
    console.log(`${name}: ${found}`);
    return found;
  } catch (error) {
    console.log(`SKIPPED: ${name} can’t be had here: ${error.message}`);
    return '';
  }
}
