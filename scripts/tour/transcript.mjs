import stringWidth from 'string-width';
import { createPrinter } from './printer.mjs';
import { laidOut, wrap } from './text-layout.mjs';

const LABEL = 11;
const MAX_LINES = 26;
/** Of a longer answer, lines that are shown of its end. */
const LAST_LINES = 4;

/**
 * What a tour shows: all that was said. `print` takes a finished line, `tidy` what a server or client says before it is laid
 * out; colours are added only where `colours` is true.
 */
export function createTranscript(options) {
  const { print, tidy } = options;
  const { width, room, paint, labelled, lines } = createPrinter(options, LABEL);

  return {
    chapter(number, title) {
      print('');
      print(paint('bold', `━━ ${number}. ${title} ${'━'.repeat(Math.max(3, width - title.length - String(number).length - 6))}`));
      print('');
    },
    say(text) {
      lines('dim', text);
      print('');
    },
    person(text) {
      labelled('You', 'cyan', wrap(text, room), (line) => paint('bold', line));
    },
    call(name, args) {
      labelled('Assistant', 'yellow', callLines(name, shortened(JSON.parse(tidy(JSON.stringify(args)))), room), (line) =>
        paint('yellow', line),
      );
    },
    answer(text) {
      const all = laidOut(tidy(text), room);
      const left = all.length - MAX_LINES;
      const start = all.slice(0, MAX_LINES - LAST_LINES);
      labelled('Server', 'dim', left > 1 ? [...start, `… ${left} more lines …`, ...all.slice(-LAST_LINES)] : all);
    },
    form(message, answer) {
      const inner = room - 2;
      const body = [...laidOut(tidy(message), inner), '', ...laidOut(tidy(answer.text), inner)].map((line) => `│ ${line}`.trimEnd());
      labelled('Form', 'cyan', [`┌${'─'.repeat(inner)}`, ...body, `└${'─'.repeat(inner)}`]);
    },
    proved({ proves }) {
      labelled('  ✓', 'green', wrap(proves, room), (line) => paint('green', line));
      print('');
    },
    failed(text) {
      labelled(
        '  ✗',
        'red',
        text.split('\n').flatMap((line) => wrap(line, room)),
        (line) => paint('red', line),
      );
      print('');
    },
    closing(text, ok) {
      lines(ok ? 'green' : 'red', text);
    },
    last: (text) => lines('dim', text),
  };
}

/** A call in one line, or with an argument a line, and a line for each item of a list of objects and of a longer text. */
function callLines(name, args, width) {
  const entries = Object.entries(args);
  const oneLine = `${name} ${fields(entries)}`.trim();
  if (stringWidth(oneLine) <= width && !oneLine.includes('\\n')) return [oneLine];
  const indented = (text, depth) => wrap(text, width - depth - 2).map((line, index) => `${' '.repeat(depth + (index > 0 ? 2 : 0))}${line}`);
  return [
    name,
    ...entries.flatMap(([field, value]) => {
      if (Array.isArray(value) && value.every(isObject))
        return [`  ${field}:`, ...value.flatMap((item) => indented(`- ${fields(Object.entries(item))}`, 4))];
      if (typeof value === 'string' && value.includes('\n'))
        return [`  ${field}:`, ...value.split('\n').flatMap((line) => indented(line, 4))];
      return indented(`${field}: ${spaced(value)}`, 2);
    }),
  ];
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const fields = (entries) => entries.map(([field, value]) => `${field}: ${spaced(value)}`).join(', ');

function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  return value instanceof More ? `… ${value.count} more` : isObject(value) ? `{${fields(Object.entries(value))}}` : JSON.stringify(value);
}

const MAX_ITEMS = 3;

/** Stands for what is left out of a list. */
class More {
  constructor(count) {
    this.count = count;
  }
}

/** Arguments without the length of their long lists. */
function shortened(value) {
  if (Array.isArray(value)) {
    const left = value.length - MAX_ITEMS;
    const isLong = left > 1 && value.every((item) => typeof item === 'string');
    return isLong ? [...value.slice(0, MAX_ITEMS), new More(left)] : value.map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
