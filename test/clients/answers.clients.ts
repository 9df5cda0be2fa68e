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

const reportIn = (given: readonly Given[]): string => /video-hosting:\/\/reports\/[\w-]+/.exec(given[1]?.text ?? '')?.[0] ?? '';

const chart: Step = (given) => ({ tool: 'draw_chart', args: { report: reportIn(given) } });

const CALLS = {
  list: { tool: 'list_channels', args: { size: 3 } },
  question: { tool: 'query_analytics', args: QUESTION },
  chart,
  error: { tool: 'get_channel', args: { channel: 'No such channel' } },
} satisfies Record<string, Step>;

type Answers = Readonly<Record<keyof typeof CALLS, Given>>;

const CHANNELS = 200;

interface Told {
  readonly answers: Answers;
  /** What the same calls say in text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly demo: DemoService;
}

async function answersIn(kit: ClientKit): Promise<Told> {
  const names = Object.keys(CALLS);
  return withLab(kit, { steps: Object.values(CALLS), world: { channels: CHANNELS } }, async ({ ask, demo }) => {
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
  });

  test('a list contains the id, key and name of each channel of the page, and the total', () => {
    const newest = [...demo.world.channels.values()].sort((one, other) => other.created.localeCompare(one.created)).slice(0, 3);
    for (const { id, key, name } of newest)
      for (const fact of [id, key, JSON.stringify(name).slice(1, -1)]) expect(answers.list.text).toContain(fact);
    expect(answers.list.text).toContain(String(CHANNELS));
  });

  test('a chart is passed to the model as a PNG picture', () => {
    expect(answers.chart.pictures.map((picture) => picture.subarray(1, 4).toString())).toEqual(['PNG']);
  });

  test('an error says what was wrong, that nothing was changed, and what to do', () => {
    expect(answers.error.text).toContain('No channel has the id, key or exact name');
    expect(answers.error.text).toContain('Nothing was changed.');
    expect(answers.error.text).toContain('Use list_channels, with search');
  });

  test('an answer costs the model at most twice the tokens of its text, and 1.3 times on average', () => {
    // Names of the calls that were made.
    const ratios = [...texts].map(([name, text]) => countTokens(answers[name as keyof Answers].text) / countTokens(text));
    expect(Math.max(...ratios)).toBeLessThan(2);
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeLessThan(1.3);
  });
});
