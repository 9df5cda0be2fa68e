// The tour: the built server with a made-up account, and what people do with it. Every step is checked against the
// account, and a step that does not do what it says fails the tour.
//
//   node scripts/tour.mjs [chapter …]     all chapters, or those named
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chapters } from './tour/chapters/index.mjs';
import { createGuide } from './tour/guide.mjs';
import { createStage } from './tour/stage.mjs';
import { createTranscript } from './tour/transcript.mjs';

const SEE_THE_PAGE =
  'To see the approval page: run `node dist/main.cjs install --demo`, restart your AI client, and ask it: Show me the channel Onboarding. Or ask for a change, with VIDEO_HOSTING_CONFIRM=page.';
const { stdout, env } = process;
const named = process.argv.slice(2);
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
  print: (line) => stdout.write(`${line}\n`),
  colours: stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
  // The folder is removed when the tour ends, so its path is left out.
  tidy: (text) => text.replaceAll(stage.folder, '…'),
  columns: stdout.columns ?? (Number(env.COLUMNS) || undefined),
});
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
transcript.say(SEE_THE_PAGE);
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
  const file = join(mkdtempSync(join(tmpdir(), 'video-hosting-mcp-chart-')), 'chart.png');
  writeFileSync(file, png);
  return file;
}
