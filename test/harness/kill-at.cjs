/**
 * Preloaded into a server (`NODE_OPTIONS=--require`), it kills the process at the n-th write to the journal: just before it (`KILL_AT=7`), or
 * in the middle of a line, or once a file is there with nothing in it (`KILL_AT=7.5`). The journal is written from the decision on, and at nothing else. `KILL_IN` names other folders than the journal’s.
 * `KILL_TEXT` kills it at the first line that has a text (`KILL_AT=0`), or in the middle of that (`KILL_AT=0.5`).
 */
const fs = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const JOURNAL = new RegExp(`[\\\\/](?:${process.env.KILL_IN ?? 'changes'})(?:[\\\\/]|$)`);
const [at, isHalf] = [Math.floor(Number(process.env.KILL_AT)), !Number.isInteger(Number(process.env.KILL_AT))];
const text = process.env.KILL_TEXT;
const opened = new Set();
let step = 0;

const kill = () => process.kill(process.pid, 'SIGKILL');

function watch(object, name, { isOurs, half, textOf = () => '' }) {
  const original = object[name];
  object[name] = (...args) => {
    if (!isOurs(args)) return original.apply(object, args);
    step += 1;
    if (text === undefined ? step === at : textOf(args).includes(text)) {
      if (isHalf && half !== undefined) half(original, args);
      kill();
    }
    return original.apply(object, args);
  };
}

const ofPath = { isOurs: ([path]) => JOURNAL.test(String(path)) };
const ofFile = { isOurs: ([fd]) => opened.has(fd) };

if (isMainThread && (at > 0 || text !== undefined)) {
  const { openSync } = fs;
  fs.openSync = (path, ...rest) => {
    const fd = openSync(path, ...rest);
    if (JOURNAL.test(String(path))) opened.add(fd);
    return fd;
  };
  watch(fs, 'openSync', { ...ofPath, half: (open, args) => open(...args) });
  watch(fs, 'writeSync', {
    ...ofFile,
    textOf: ([, bytes]) => String(bytes),
    half: (write, [fd, bytes, from = 0]) => write(fd, bytes, from, Math.floor((bytes.length - from) / 2)),
  });
  watch(fs, 'fdatasync', ofFile);
  for (const name of ['open', 'writeFile', 'rename', 'link', 'rm']) {
    // A look at a folder writes nothing.
    const isWrite = ([path, flags]) =>
      JOURNAL.test(String(path)) && !(name === 'open' && (flags === undefined || flags === 'r' || flags === fs.constants.O_RDONLY));
    watch(fs.promises, name, { isOurs: isWrite });
  }
}
