// The tour: the built server with a made-up account, and what people do with it. Every step is checked against the
// account, and a step that does not do what it says fails the tour.
//
//   node scripts/tour.mjs [chapter …]     all chapters, or those named
//   node scripts/tour.mjs --write         writes its transcripts into README.md and docs/transcripts.md, and its chart
//   node scripts/tour.mjs --check         fails where those files show something else
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstDifference } from './generate/first-difference.mjs';
import { replaceBlocks } from './generate/replace-blocks.mjs';
import { root } from './root.mjs';
import { chapters } from './tour/chapters/index.mjs';
import { pngSize } from './tour/checks.mjs';
import { createTidy } from './tour/excerpt.mjs';
import { createGuide } from './tour/guide.mjs';
import { createStage } from './tour/stage.mjs';
import { createTranscript, shortExcerpt } from './tour/transcript.mjs';

const CHART = 'docs/chart.png';
/** The transcripts of which README.md shows an excerpt, and of which part. docs/transcripts.md shows all of them in full. */
/** The lines of a step in the README, where they are fewer than usual. */
const SHORTER = { stated: 3, analytics: 5 };
const EXCERPTS = { stated: 'Server', reorganise: 'Form', analytics: 'Server', move: 'Server' };
const SEE_THE_PAGE =
  'To see the approval page: run `node dist/main.cjs install --demo`, restart your AI client, and ask it: Show me the channel Onboarding. Or ask for a change, with VIDEO_HOSTING_CONFIRM=page.';
const { stdout, env } = process;
const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith('--'));
const [writing, checking] = [words.includes('--write'), words.includes('--check')];
const quiet = writing || checking;
const unknown = named.filter((name) => !chapters.some((chapter) => chapter.name === name));
if (unknown.length > 0) {
  console.error(`No such chapter: ${unknown.join(', ')}. There are: ${chapters.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

// A reader such as `head` may close the pipe early.
stdout.on('error', () => process.exit(1));
const person = { answers: 'tick' };
const stage = await createStage({ onForm });
const transcript = createTranscript({
  print: quiet ? () => {} : (line) => stdout.write(`${line}\n`),
  colours: !quiet && stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
  // The folder is removed when the tour ends, so its path is left out.
  tidy: quiet ? createTidy(stage) : (text) => text.replaceAll(stage.folder, '…'),
  ...(quiet ? {} : { columns: stdout.columns ?? (Number(env.COLUMNS) || undefined) }),
});
const charts = [];
const guide = createGuide({ stage, transcript, person, keepChart });
const failed = [];

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
else transcript.closing('Every step did what it says.', true);
if (!quiet) transcript.say(SEE_THE_PAGE);
if (quiet && failed.length > 0) console.error(`The tour failed: ${failed.join('; ')}. Run it without options to see where.`);
else if (quiet) updateDocuments();
if (failed.length > 0) process.exitCode = 1;

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
  charts.push(png);
  if (quiet) return CHART;
  const file = join(mkdtempSync(join(tmpdir(), 'video-hosting-mcp-chart-')), 'chart.png');
  writeFileSync(file, png);
  return file;
}

/** Writes the transcripts and the chart, or fails where the documents show something else. A chart's bytes may differ between machines, its size not. */
function updateDocuments() {
  const file = join(root, CHART);
  const [chart] = charts;
  const documents = Object.entries(transcriptBlocks()).map(([name, blocks]) => {
    const path = join(root, name);
    const text = readFileSync(path, 'utf8');
    return { name, path, text, wanted: replaceBlocks(text, blocks) };
  });
  if (writing) {
    for (const { path, wanted } of documents) writeFileSync(path, wanted);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, chart);
    return;
  }
  const stale = [
    ...documents
      .filter(({ text, wanted }) => text !== wanted)
      .map(({ name, text, wanted }) => `${name} does not show what the tour does. ${firstDifference(text, wanted)}`),
    ...(sizeOf(readFileSync(file)) === sizeOf(chart) ? [] : [`${CHART} is not of the size that the tour draws.`]),
  ];
  for (const line of stale) console.error(line);
  if (stale.length > 0) process.exitCode = 1;
}

/** For each document, the blocks that show transcripts. */
function transcriptBlocks() {
  const block = (lines) => `\`\`\`text\n${lines.join('\n').trimEnd()}\n\`\`\``;
  const whole = (steps) => block(steps.flatMap((lines) => lines.map(({ text }) => text)));
  const excerpt = ([name, shows]) => {
    const steps = guide.excerpts[name];
    if (steps === undefined) throw new Error(`No step of the tour makes the transcript "${name}".`);
    return [`generated: excerpt ${name}`, block(steps.flatMap((lines) => shortExcerpt(lines, shows, SHORTER[name])))];
  };
  return {
    'README.md': Object.fromEntries(Object.entries(EXCERPTS).map(excerpt)),
    'docs/transcripts.md': Object.fromEntries(
      Object.entries(guide.excerpts).map(([name, steps]) => [`generated: transcript ${name}`, whole(steps)]),
    ),
  };
}

function sizeOf(png) {
  const { width, height } = pngSize(png);
  return `${width} × ${height}`;
}
