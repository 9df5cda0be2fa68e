// The tour: the built server with a made-up account, and what people do with it. Every step is checked against the
// account, and a step that does not do what it says fails the tour.
//
//   node scripts/tour.mjs [--full] [chapter …]     all chapters, or those named; with every call, form and answer
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './root.mjs';
import { createBriefTranscript } from './tour/brief-transcript.mjs';
import { chapters } from './tour/chapters/index.mjs';
import { isChange } from './tour/checks.mjs';
import { createGuide } from './tour/guide.mjs';
import { createStage } from './tour/stage.mjs';
import { createTranscript } from './tour/transcript.mjs';

/** What stays of a tour: one file, each time the same. */
const CHART = join(root, 'dist', 'demo-chart.png');
const AFTER = [
  'To see it: `node dist/main.cjs page --demo` opens the approval page on such an account; with `install --demo` your AI client gets one.',
  'What it can’t do: delete a channel; find, upload or edit videos (it takes ids, or a list from the dashboard); know what a channel holds before you have said it once.',
];
const { stdout, env } = process;
const { full, named } = readArguments(process.argv.slice(2));
const person = { answers: 'tick' };
let leaving = false;
const stage = await createStage({ onForm });
const transcript = (full ? createTranscript : createBriefTranscript)({
  print: (line) => leaving || stdout.write(`${line}\n`),
  colours: stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
  // The folder is removed when the tour ends, so its path is left out.
  tidy: (text) => text.replaceAll(stage.folder, '…'),
  columns: stdout.columns ?? (Number(env.COLUMNS) || undefined),
});
const guide = createGuide({ stage, transcript, person, keepChart });
const failed = [];

// A reader such as `head` may close the pipe early.
stdout.on('error', () => leave(1));
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])
  process.once(signal, () => leave(code));

try {
  for (const [index, { name, title, run }] of chapters.entries()) {
    if (named.length > 0 && !named.includes(name)) continue;
    transcript.chapter(index + 1, title);
    await run(guide).catch((error) => {
      transcript.failed(`This step did not do what it says.\n${error instanceof Error ? error.message : String(error)}`);
      failed.push(title);
    });
  }
} finally {
  await stage.close();
}

if (failed.length > 0) transcript.closing(`Not as it should be: ${failed.join('; ')}.`, false);
else transcript.closing(`Every step did what it says. ${summary()}`, true);
for (const line of AFTER) transcript.last(line);
if (failed.length > 0) process.exitCode = 1;

function readArguments(args) {
  const named = args.filter((name) => name !== '--full');
  const unknown = named.filter((name) => !chapters.some((chapter) => chapter.name === name));
  if (unknown.length > 0) {
    console.error(`No such chapter: ${unknown.join(', ')}. There are: ${chapters.map(({ name }) => name).join(', ')}.`);
    process.exit(2);
  }
  return { full: args.includes('--full'), named };
}

function summary() {
  const requests = stage.requests.length;
  const writes = stage.requests.filter(isChange).length;
  const hint = full ? '' : ' `npm run demo -- --full` shows each call and answer.';
  return `${guide.steps()} steps were checked against the account: ${requests} requests to the service, ${writes} of them changes, each after a yes.${hint}`;
}

/** Ends the tour at once, with its servers and its folder. */
async function leave(code) {
  leaving = true;
  await stage.close().catch(() => {});
  process.exit(code);
}

async function onForm({ message, requestedSchema }) {
  const { decision } = requestedSchema.properties;
  const [, apply] = decision.oneOf;
  const agrees = person.answers === 'tick';
  transcript.form(message, { text: agrees ? `[x] ${apply.title}    → sent` : `[ ] ${apply.title}    → declined` });
  if (agrees) return { action: 'accept', content: { decision: apply.const } };
  // What is declined within half a second was seen by nobody.
  await sleep(600);
  return { action: 'decline' };
}

/** Keeps a chart for the person who watches the tour. Returns its path. */
function keepChart(png) {
  writeFileSync(CHART, png);
  return relative(process.cwd(), CHART);
}
