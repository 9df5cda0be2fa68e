/** What the models of real clients receive as an answer: the same facts in each client, at about the cost of the text. */
import { countTokens } from 'gpt-tokenizer';
import { beforeAll, describe, expect, test } from 'vitest';
import { closingAtEnd } from '../harness/cleanup.ts';
import type { DemoService } from '../harness/demo.ts';
import { start } from '../harness/start.ts';
import { type ClientKit, NAMED } from './support/kits.ts';
import { withLab } from './support/lab.ts';
import type { Given, Step } from './support/script.ts';

const QUESTION = { from: '2026-10-01', to: '2026-10-07', groupBy: ['day'], metrics: ['views'], limit: 3 };
const PLANS_REFUSED = 'Plans are shown to owners only.';

const reportIn = (given: readonly Given[]): string => /video-hosting:\/\/reports\/[\w-]+/.exec(given[1]?.text ?? '')?.[0] ?? '';

const chart: Step = (given) => ({ tool: 'draw_chart', args: { report: reportIn(given) } });

const CALLS = {
  list: { tool: 'list_channels', args: { size: 3 } },
  question: { tool: 'query_analytics', args: QUESTION },
  chart,
  error: { tool: 'get_channel', args: { channel: 'No such channel' } },
  refusal: { tool: 'list_plans', args: {} },
  cut: { tool: 'get_channel', args: { channel: 'Onboarding' } },
} satisfies Record<string, Step>;

type Answers = Readonly<Record<keyof typeof CALLS, Given>>;

const CHANNELS = 200;

function prepare(demo: DemoService): void {
  demo.world.channelNamed('Onboarding').videoKeys = Array.from({ length: 6000 }, (_, index) => `Video${index}`);
  demo.faults.always({ match: { path: '/v1/plans' }, do: { kind: 'status', code: 403, body: { message: PLANS_REFUSED } } });
}

/** The number of views of each of those days, counted in the account. */
function viewsByDay({ world }: DemoService): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let index = 0; index < world.views.count; index += 1) {
    const day = new Date(world.views.timeAt(index)).toISOString().slice(0, 10);
    if (day >= QUESTION.from && day <= QUESTION.to) counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return counts;
}

interface Told {
  readonly answers: Answers;
  /** What the same calls say in text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly demo: DemoService;
}

async function answersIn(kit: ClientKit): Promise<Told> {
  const names = Object.keys(CALLS);
  return withLab(kit, { steps: Object.values(CALLS), world: { channels: CHANNELS }, prepare }, async ({ ask, demo }) => {
    const given = await ask();
    expect(given).toHaveLength(names.length);
    // There is one answer for each name.
    const answers = Object.fromEntries(names.map((name, index) => [name, given[index]])) as Answers;
    return { answers, texts: await textsFrom(demo, ['list', 'question']), demo };
  });
}

async function textsFrom(demo: DemoService, names: readonly ('list' | 'question')[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  // This runs before the first test, so no test would close it.
  await closingAtEnd(async () => {
    const { client } = await start({ demo });
    for (const name of names) texts.set(name, (await client.callTool(CALLS[name].tool, CALLS[name].args)).text);
  });
  return texts;
}

describe.each(NAMED)('%s', (_, kit) => {
  let answers: Answers;
  let texts: Told['texts'];
  let demo: DemoService;
  beforeAll(async () => {
    ({ answers, texts, demo } = await answersIn(kit));
  }, 120_000);

  test('a list contains the id, key and name of each channel of the page, and the total', () => {
    const newest = [...demo.world.channels.values()].sort((one, other) => other.created.localeCompare(one.created)).slice(0, 3);
    for (const { id, key, name } of newest)
      for (const fact of [id, key, JSON.stringify(name).slice(1, -1)]) expect(answers.list.text).toContain(fact);
    expect(answers.list.text).toContain(String(CHANNELS));
  });

  test('a list shows plan types by name, not by number', () => {
    expect(answers.list.text).toMatch(/Enterprise|Business|Pro\b/);
    expect(answers.list.text).not.toMatch(/"planType":\s*\d/);
  });

  test('an analytics answer contains the correct days, numbers and total', () => {
    const counts = viewsByDay(demo);
    expect(counts.size).toBeGreaterThan(3);
    for (const [day, views] of [...counts].slice(0, 3))
      expect(answers.question.text).toMatch(new RegExp(`${day}"?(?:,| \\|) ?${views}\\b`));
    const total = [...counts.values()].reduce((sum, views) => sum + views, 0);
    expect(answers.question.text).toMatch(new RegExp(`views"?:? ${total}\\b|"views":${total}\\b`));
    expect(answers.question.text).toMatch(new RegExp(`records"?:? ?${total}\\b`));
  });

  test('an analytics answer says how many rows are shown, and names the report with all rows', () => {
    expect(answers.question.text).toMatch(/first 3 of 7 rows/i);
    expect(answers.question.text).toMatch(/video-hosting:\/\/reports\/[\w-]+/);
  });

  test('an analytics answer contains its time span once', () => {
    expect(answers.question.text.match(/2026-10-0[78]/g)).toHaveLength(1);
  });

  test('a chart is passed to the model as a PNG picture', () => {
    expect(answers.chart.pictures.map((picture) => picture.subarray(1, 4).toString())).toEqual(['PNG']);
  });

  test('the text of a chart states the facts of the picture', () => {
    const [day, most] = [...viewsByDay(demo)].sort(([, one], [, other]) => other - one)[0] ?? [];
    for (const fact of [day, String(most), '2026-10-01', '2026-10-07']) expect(answers.chart.text).toContain(fact);
    expect(answers.chart.text).toMatch(/line|bar/i);
  });

  test('an error says what was wrong, that nothing was changed, and what to do', () => {
    expect(answers.error.text).toContain('No channel has the id, key or exact name');
    expect(answers.error.text).toContain('Nothing was changed.');
    expect(answers.error.text).toContain('Use list_channels, with search');
  });

  test('a refusal by the service is reported with its status and message', () => {
    for (const fact of ['403', PLANS_REFUSED, 'Nothing was changed.']) expect(answers.refusal.text).toContain(fact);
  });

  test('a shortened answer says what was left out, and has fewer than 25,000 tokens', () => {
    expect(answers.cut.text).toMatch(/The last \d+ of \d+ in contents\.videoKeys are left out to keep this answer short/);
    expect(countTokens(answers.cut.text)).toBeLessThan(25_000);
  });

  test('an answer costs the model at most twice the tokens of its text, and 1.3 times on average', () => {
    // Names of the calls that were made.
    const ratios = [...texts].map(([name, text]) => countTokens(answers[name as keyof Answers].text) / countTokens(text));
    expect(Math.max(...ratios)).toBeLessThan(2);
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeLessThan(1.3);
  });
});
