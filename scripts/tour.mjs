// The demo: the built server with a made-up account behind it, and what people do with it. Every step is checked
// against that account; a step that does not do what it says makes this fail.
//
//   node scripts/tour.mjs [chapter …]     all chapters, or those named
//   node scripts/tour.mjs --readme        puts what the README shows of it there, and its chart into docs/
//   node scripts/tour.mjs --check         fails where that is not what the README shows
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { firstDifference } from './generate/first-difference.mjs';
import { replaceBlocks } from './generate/readme-blocks.mjs';
import { root } from './root.mjs';
import { chapters } from './tour/chapters/index.mjs';
import { createTidy } from './tour/excerpt.mjs';
import { createGuide } from './tour/guide.mjs';
import { pngSize } from './tour/png-size.mjs';
import { createStage } from './tour/stage.mjs';
import { createTranscript } from './tour/transcript.mjs';

const CHART = 'docs/chart.png';
const { stdout, env } = process;
const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith('--'));
const [writing, checking] = [words.includes('--readme'), words.includes('--check')];
const quiet = writing || checking;
const unknown = named.filter((name) => !chapters.some((chapter) => chapter.name === name));
if (unknown.length > 0) {
  console.error(`No such chapter: ${unknown.join(', ')}. There are: ${chapters.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

// Whoever reads this may stop early, as `head` does.
stdout.on('error', () => process.exit(1));
const person = { answers: 'tick' };
const stage = await createStage({ onForm });
const transcript = createTranscript({
  print: quiet ? () => {} : (line) => stdout.write(`${line}\n`),
  colours: !quiet && stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
  // The folder is gone when the tour ends: where it was is of no use to anybody.
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
if (quiet && failed.length > 0) console.error(`The tour failed: ${failed.join('; ')}. Run it without options to see where.`);
else if (quiet) updateReadme();
if (failed.length > 0) process.exitCode = 1;

function onForm({ message, requestedSchema }) {
  const [[field, { title }]] = Object.entries(requestedSchema.properties);
  const ticked = person.answers === 'tick';
  transcript.form(message, { text: ticked ? `[x] ${title}    → sent` : `[ ] ${title}    → declined` });
  return ticked ? { action: 'accept', content: { [field]: true } } : { action: 'decline' };
}

/** Keeps a picture for the person who watches; answers where. */
function keepChart(png) {
  charts.push(png);
  if (quiet) return CHART;
  const file = join(mkdtempSync(join(tmpdir(), 'video-hosting-mcp-chart-')), 'chart.png');
  writeFileSync(file, png);
  return file;
}

/** Puts what the README shows into place, or fails where it shows something else. A chart's bytes may differ between machines, its size not. */
function updateReadme() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const block = (lines) => `\`\`\`text\n${lines.join('\n').trimEnd()}\n\`\`\``;
  const blocks = Object.entries(guide.excerpts).map(([name, lines]) => [name, block(lines)]);
  const wanted = replaceBlocks(readme, Object.fromEntries(blocks));
  const [chart] = charts;
  const file = join(root, CHART);
  if (writing) {
    writeFileSync(join(root, 'README.md'), wanted);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, chart);
    return;
  }
  const stale = [
    ...(readme === wanted ? [] : [`README.md does not show what the tour does. ${firstDifference(readme, wanted)}`]),
    ...(sizeOf(readFileSync(file)) === sizeOf(chart) ? [] : [`${CHART} is not of the size that the tour draws.`]),
  ];
  for (const line of stale) console.error(line);
  if (stale.length > 0) process.exitCode = 1;
}

function sizeOf(png) {
  const { width, height } = pngSize(png);
  return `${width} × ${height}`;
}
