import assert from 'node:assert/strict';
import { startRawClient } from '../raw-client.mjs';
import { CLIENTS } from './clients.mjs';

const QUESTION = { from: 'yesterday', to: 'yesterday', groupBy: ['country'], orderBy: '-views' };

/**
 * With each kind of client: open, list the tools, list channels of a made-up account, count its views of yesterday, draw
 * them, leave. So the two packages with native parts are loaded too. Answers the kinds.
 */
export async function tryEveryClient(server) {
  for (const [kind, open] of Object.entries(CLIENTS)) {
    try {
      await session(open, server);
    } catch (cause) {
      throw new Error(`With the client “${kind}”: ${cause.message}`, { cause });
    }
  }
  return Object.keys(CLIENTS);
}

async function session(open, server) {
  const client = await open(server);
  const call = async (name, args) => {
    const { content, structuredContent, isError } = await client.call(name, args);
    assert.ok(!isError, `${name}: ${JSON.stringify(content)}`);
    return { data: structuredContent, content };
  };
  try {
    const { tools } = await client.listTools();
    assert.ok(tools.length > 0, 'no tools');
    const { data } = await call('list_channels', { size: 3 });
    assert.equal(data.channels.length, 3, 'no channels');
    const { data: answer } = await call('query_analytics', QUESTION);
    assert.ok(answer.coverage.complete && answer.totals.views > 0, 'no views');
    const { content } = await call('draw_chart', { report: answer.report });
    const chart = content.find(({ type }) => type === 'image');
    assert.ok(chart?.data.startsWith('iVBORw0KGgo'), 'no chart');
  } finally {
    await client.close();
  }
}

/** Moves the videos of a made-up account that were seen most, and leaves: it has nothing to complain of on stderr. */
export async function tryMove({ command, args }) {
  const client = startRawClient(command, args, { era: 'legacy' });
  const call = async (name, values) => (await client.request('tools/call', { name, arguments: values })).structuredContent;
  await client.open();
  const { rows } = await call('query_analytics', { from: 'yesterday', to: 'yesterday', groupBy: ['video'], limit: 5 });
  const { projects } = await call('list_projects', { size: 1 });
  const move = { targetProject: projects[0].id, videoIds: rows.map(([key]) => key) };
  const { changeId, confirmationToken, preview } = await call('move_videos', move);
  const { status, moved } = await call('confirm_change', { changeId, confirmationToken, summary: preview.summary });
  assert.deepEqual({ status, moved }, { status: 'applied', moved: rows.length });
  await client.close();
  assert.equal(client.stderr(), '', 'said on stderr');
}
