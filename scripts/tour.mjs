// The demo: the built server with a made-up account behind it, and what people do with it. Every step is checked
// against that account; a step that does not do what it says makes this fail.
//
//   node scripts/tour.mjs [chapter …]     all chapters, or those named
//   node scripts/tour.mjs --excerpt       only prints the part that the README shows
//   node scripts/tour.mjs --readme        puts that part into the README
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceBlocks } from './generate/readme-blocks.mjs';
import { root } from './root.mjs';
import { chapters } from './tour/chapters/index.mjs';
import { sameEveryTime } from './tour/excerpt.mjs';
import { createGuide } from './tour/guide.mjs';
import { createStage } from './tour/stage.mjs';
import { createTranscript } from './tour/transcript.mjs';

const { stdout, env } = process;
const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith('--'));
const quiet = words.includes('--excerpt') || words.includes('--readme');
const unknown = named.filter((name) => !chapters.some((chapter) => chapter.name === name));
if (unknown.length > 0) {
  console.error(`No such chapter: ${unknown.join(', ')}. There are: ${chapters.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

// Whoever reads this may stop early, as `head` does.
stdout.on('error', () => process.exit(1));
const transcript = createTranscript({
  print: quiet ? () => {} : (line) => stdout.write(`${line}\n`),
  colours: !quiet && stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
  ...(quiet ? {} : { columns: stdout.columns ?? (Number(env.COLUMNS) || undefined) }),
});
const person = { answers: 'tick' };
const stage = await createStage({ onForm });
const guide = createGuide({ stage, transcript, person });
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
if (quiet && failed.length > 0) console.error(`The tour failed: ${failed.join('; ')}. Run it without options to see where.`);
else if (quiet) showExcerpt();
process.exitCode = failed.length > 0 ? 1 : 0;

function onForm({ message, requestedSchema }) {
  const [[field, { title }]] = Object.entries(requestedSchema.properties);
  const ticked = person.answers === 'tick';
  transcript.form(message, { text: ticked ? `[x] ${title}    → sent` : `[ ] ${title}    → declined` });
  return ticked ? { action: 'accept', content: { [field]: true } } : { action: 'decline' };
}

function showExcerpt() {
  const block = `\`\`\`text\n${sameEveryTime(guide.excerpt.join('\n')).trimEnd()}\n\`\`\``;
  if (words.includes('--excerpt')) stdout.write(`${block}\n`);
  if (!words.includes('--readme')) return;
  const file = join(root, 'README.md');
  writeFileSync(file, replaceBlocks(readFileSync(file, 'utf8'), { transcript: block }));
}
