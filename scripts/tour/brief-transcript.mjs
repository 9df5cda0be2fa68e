import { createPrinter } from './printer.mjs';
import { cut, wrap } from './text-layout.mjs';

const LABEL = 6;
/**
 * The same tour in a page: of each step that says `came`, what was asked, what was answered to a form, and what came of it.
 * Of a whole form, the title and the beginning of what is lost and of each change.
 */
export function createBriefTranscript(options) {
  const { print, tidy } = options;
  const { room, paint, labelled, lines } = createPrinter(options, LABEL);
  let wants = '';
  let forms = [];

  const asked = () => labelled('You', 'cyan', wrap(wants, room), (line) => paint('bold', line));
  const formLines = ({ message, answer }, whole) => {
    const points = whole
      ? tidy(message)
          .split('\n')
          .filter((line, index) => index === 0 || /^[!-] /.test(line))
      : [];
    return [...points, answer.text].map((line) => cut(line, room));
  };

  return {
    chapter(_number, title) {
      print('');
      print(paint('bold', title));
    },
    say() {},
    person(text) {
      wants = text;
      forms = [];
    },
    call() {},
    answer() {},
    form(message, answer) {
      forms.push({ message, answer });
    },
    proved({ came, wholeForm = false }) {
      if (came === undefined) return;
      asked();
      for (const form of forms) labelled('Form', 'yellow', formLines(form, wholeForm));
      labelled('  ✓', 'green', wrap(came, room), (line) => paint('green', line));
    },
    failed(text) {
      asked();
      labelled(
        '  ✗',
        'red',
        text.split('\n').flatMap((line) => wrap(line, room)),
        (line) => paint('red', line),
      );
    },
    closing(text, ok) {
      print('');
      lines(ok ? 'green' : 'red', text);
    },
    last: (text) => lines('bold', text),
  };
}
