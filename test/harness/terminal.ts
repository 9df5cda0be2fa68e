/** The built command at a terminal, with a person's answers. */
import { spawn, spawnSync } from 'node:child_process';
import { inject } from 'vitest';
import { atEnd } from './cleanup.ts';
import type { Environment } from './service.ts';

/** A terminal for a process. It types the next answer when the process waits at a prompt, and prints all output at the end. */
const TERMINAL = `
import os, pty, re, select, sys
answers = [a.encode() for a in sys.argv[1].split('|')]
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
seen = b''
# A slow machine takes its time to show what follows an answer.
answered = 0
while True:
    ready, _, _ = select.select([fd], [], [], 0.1)
    if ready:
        try: piece = os.read(fd, 65536)
        except OSError: break
        if not piece: break
        seen += piece
    elif answers and len(seen) > answered and re.search(rb'(:|\\[y/N\\]) (\\x1b\\[\\d+G)?$|ends it[.]\\r\\n$', seen):
        answered = len(seen)
        os.write(fd, answers.pop(0) + b'\\r')
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(status))
`;
export const HAS_TERMINAL = process.platform !== 'win32' && spawnSync('python3', ['-c', 'import pty']).status === 0;

/** Runs the built command at a terminal. No answer may contain `|`. */
export function atTerminal(
  answers: readonly string[],
  argv: readonly string[],
  env: Environment,
): Promise<{ code: number | null; seen: string }> {
  const child = spawn('python3', ['-c', TERMINAL, answers.join('|'), process.execPath, inject('command'), ...argv], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => void child.kill('SIGKILL'));
  let seen = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    seen += piece;
  });
  return new Promise((resolve) => void child.once('close', (code) => resolve({ code, seen })));
}
