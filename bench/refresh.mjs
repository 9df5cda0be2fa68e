// What is the service asked for when somebody asks about today again and again? An account with 100,000 views a day, whose
// last four days were read once; then a question about today every two minutes, each by a server process of its own whose
// clock is set on, for more than half an hour: within it all of today is read again. In which time zone the service reads
// `from` and `to` isn't documented, so it is asked in three. Counted, not timed: the requests, and the views that the service
// sends for a question, against those of four days. Then the same of an account with 2,000,000 views a day, of which two hours
// were read: each question has the default call budget, and it is told where an answer isn't complete within it.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRawClient } from '../scripts/raw-client.mjs';
import { root } from '../scripts/root.mjs';
import { median, newFolder, OURS, serverEnv } from './processes.mjs';

const DAY_MS = 86_400_000;
const STEP_MS = 120_000;
const MAX_BUDGET_MS = 900_000;
const CLOCK = join(root, 'scripts', 'tour', 'clock.cjs');

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      'views-a-day': { type: 'string', default: '100000' },
      // Minutes east of UTC: UTC itself, and the furthest on both sides.
      zones: { type: 'string', default: '0,840,-720' },
      questions: { type: 'string', default: '17' },
      days: { type: 'string', default: '4' },
      // When the days were read once: at noon, half of today has passed.
      hour: { type: 'string', default: '12' },
      'budget-ms': { type: 'string', default: String(MAX_BUDGET_MS) },
      ours: { type: 'string', default: OURS },
    },
  });
  const common = { questions: Number(values.questions), ours: values.ours };
  const zones = values.zones.split(',').map(Number);
  const account = {
    perDay: Number(values['views-a-day']),
    days: Number(values.days),
    hour: Number(values.hour),
    budgetMs: Number(values['budget-ms']),
  };
  const usual = await medianOf({ ...common, ...account }, zones);
  // Given options are of one account.
  const large = options.length > 0 ? undefined : await medianOf({ ...common, ...LARGE }, [0]);
  const what = questionsOf(account.perDay, zones.length);
  return [
    { what, requests: usual.requests, atMost: 6 },
    {
      what: `${what}: views that the service is asked for`,
      against: `${account.days} days of views`,
      ratio: usual.views / (account.days * account.perDay),
      // Up to 27 minutes, five before them and a quarter of an hour for the time zone, of 96 hours.
      atMost: 0.01,
    },
    // Of a call's budget, 31 seconds are for reading: three requests at a time that take a second each fit.
    ...(large === undefined ? [] : [{ what: questionsOf(LARGE.perDay, 1), requests: large.requests, atMost: 90 }]),
  ];
}

/** As much of a day as fits the memory of the service that is asked; before half an hour has passed, no day is due again. */
const LARGE = { perDay: 2_000_000, days: 1, hour: 2, budgetMs: 45_000, questions: 8 };

const questionsOf = (perDay, zones) =>
  `a question about today on an account with ${perDay.toLocaleString('en')} views a day, asked every two minutes, median, in the worst of ${zones} time zones of the service`;

/** The largest medians of the questions, over the time zones. */
async function medianOf(asked, zones) {
  const medians = [];
  for (const zone of zones) {
    const { first, later } = await measure({ ...asked, zone });
    console.log(`${asked.perDay.toLocaleString('en')} views a day, times read as ${zone / 60} h east of UTC; views sent, in requests:`);
    for (const [name, { views, requests, seconds, complete }] of [
      [`the last ${asked.days} days`, first],
      ...later.map((one) => ['today', one]),
    ])
      console.log(
        `${name.padEnd(20)}${views.toLocaleString('en').padStart(10)}${String(requests).padStart(6)}${seconds.padStart(8)} s${complete ? '' : '  not complete'}`,
      );
    medians.push({ requests: median(later.map(({ requests }) => requests)), views: median(later.map(({ views }) => views)) });
  }
  return { requests: Math.max(...medians.map(({ requests }) => requests)), views: Math.max(...medians.map(({ views }) => views)) };
}

async function measure({ perDay, zone, days, hour, questions, budgetMs, ours }) {
  const home = newFolder();
  const midnightMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const oldestMs = midnightMs - (days - 1) * DAY_MS;
  const { startDemoService } = createRequire(ours)(join(dirname(ours), 'demo.cjs'));
  const demo = await startDemoService({ views: 0, now: new Date(midnightMs).toISOString() });
  demo.behaviour.statsTimezoneOffsetMinutes = zone;
  const addViewsUntil = createViews(demo.world, oldestMs, DAY_MS / perDay);

  const ask = async (clockMs, from, callBudgetMs) => {
    addViewsUntil(clockMs);
    demo.requests.length = 0;
    const env = {
      ...serverEnv(home, demo),
      TOUR_CLOCK_OFFSET_MS: String(clockMs - Date.now()),
      VIDEO_HOSTING_CALL_BUDGET_MS: String(callBudgetMs),
    };
    const client = startRawClient(process.execPath, ['--require', CLOCK, ours], { era: 'legacy', env, timeoutMs: 900_000 });
    let seconds = '';
    let complete = false;
    try {
      await client.open();
      const beganMs = performance.now();
      const { isError, content, structuredContent } = await client.request('tools/call', { name: 'query_analytics', arguments: { from } });
      seconds = ((performance.now() - beganMs) / 1_000).toFixed(1);
      complete = !isError && structuredContent.coverage.complete;
      // Once all of today is due again, an answer doesn’t wait for that.
      if (isError || (!complete && from !== 'today')) throw new Error(content[0].text);
    } finally {
      await client.close();
    }
    return {
      seconds,
      complete,
      requests: demo.requests.length,
      // Whose account it is, is asked without a body.
      views: demo.requests.reduce((sum, { body }) => sum + (body === undefined ? 0 : sentFor(body, demo)), 0),
    };
  };

  const startMs = midnightMs + (hour * DAY_MS) / 24;
  try {
    const first = await ask(startMs, new Date(oldestMs).toISOString().slice(0, 10), MAX_BUDGET_MS);
    const later = [];
    for (let question = 1; question <= questions; question += 1) later.push(await ask(startMs + question * STEP_MS, 'today', budgetMs));
    return { first, later };
  } finally {
    await demo.close();
  }
}

/** Adds views one after the other, `stepMs` apart, up to a moment. */
function createViews(world, fromMs, stepMs) {
  const video = world.videos.values().next().value;
  const geo = { ip: '192.0.2.1', city: 'Berlin', country: 'DE', region: 'BE', continent: 'EU' };
  const common = { videoKey: video.key, accountKey: world.accountKey, planType: 3, started: true, duration: 60, watchTime: 30, geo };
  let added = 0;
  return (untilMs) => {
    for (; fromMs + added * stepMs < untilMs; added += 1) {
      const number = String(added).padStart(12, '0');
      const date = new Date(fromMs + added * stepMs).toISOString().replace('Z', '+00:00');
      world.addRawView({ id: `view-${number}`, viewId: `vew-${number}`, viewerId: `vwr-${added % 5_000}`, date, ...common });
    }
  };
}

/** How many views the service sends for a request. */
function sentFor({ from, to, page, size }, { world, behaviour }) {
  const pageSize = Math.min(size ?? behaviour.statsDefaultSize, behaviour.statsMaxSize);
  const timeOf = (text) => Date.parse(`${text}Z`) - behaviour.statsTimezoneOffsetMinutes * 60_000;
  const span = { from: timeOf(from), to: to === undefined ? Number.MAX_SAFE_INTEGER : timeOf(to) };
  return Math.min(pageSize, Math.max(0, world.views.select(span).length - ((page ?? 1) - 1) * pageSize));
}
