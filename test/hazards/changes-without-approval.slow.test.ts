/** A change that nobody confirmed: its token is missing, made up, used, or belongs to another call or account. */
import { describe, expect, test } from 'vitest';
import { agreementIn, changeIdIn, confirmPreview, tokenIn } from '../changes/support/confirm.ts';
import { besiege } from '../changes/support/siege.ts';
import { writesOf } from '../changes/support/world.ts';
import type { Values } from '../harness/client.ts';
import { start } from '../harness/start.ts';
import { CHANGE_TOOLS, clientKindsFor, DEPENDENT_TOOLS } from '../mcp/tools/calls.ts';

/** Ways in which a token might be copied wrongly. */
const BADLY_COPIED: readonly ((token: string) => string)[] = [
  (token) => ` ${token}`,
  (token) => `${token}\n`,
  (token) => token.toUpperCase(),
  (token) => token.toLowerCase(),
  (token) => `"${token}"`,
  (token) => token.slice(0, -1),
  (token) => `${token}A`,
  (token) => [...token].reverse().join(''),
];

describe.each(CHANGE_TOOLS)('%s', (tool) => {
  test.each(clientKindsFor(tool))('is not carried out without a matching token (%s)', async (kind) => {
    const { demo, home, sample, attempt } = await besiege(tool);
    const { client } = await start({ demo, home, client: kind });
    const asked = await attempt('no token', () => client.callTool(tool, sample.args));
    expect(asked.data?.status).toBe('confirmation_required');
    const call = (more: Values) => client.callTool('confirm_change', { ...agreementIn(asked), ...more });

    await attempt('the changeId for a token', () => call({ confirmationToken: changeIdIn(asked) }));
    await attempt('a made-up token', () => call({ confirmationToken: 'AAAAAAAAAAAAAAAA' }));
    await attempt('an empty token', () => call({ confirmationToken: '' }));
    for (const spoil of BADLY_COPIED) {
      const spoilt = spoil(tokenIn(asked));
      if (spoilt !== tokenIn(asked)) await attempt(`spoilt: ${spoil}`, () => call({ confirmationToken: spoilt }));
    }
    const other = await attempt('another preview', () => client.callTool(tool, sample.other));
    const { confirmationToken, ...crossed } = agreementIn(other);
    if (crossed.changeId !== changeIdIn(asked))
      expect((await attempt('the token of another change', () => call({ confirmationToken }))).text).toContain('another change');
    await attempt('another summary', () => call({ summary: 'Do something else.' }));
    await attempt('a smuggled argument', () => call(sample.other));
    const old = await attempt('the token with its tool', () =>
      client.callTool(tool, { ...sample.args, confirmationToken: tokenIn(asked) }),
    );
    expect(old.text).toContain('confirm_change');
  });

  test('a token works once, also if several calls use it concurrently', async () => {
    const { demo, home, sample, attempt } = await besiege(tool);
    const { client } = await start({ demo, home });
    const asked = await attempt('no token', () => client.callTool(tool, sample.args));
    const before = writesOf(demo);
    const replies = await Promise.all([1, 2, 3].map(() => confirmPreview(client, asked)));
    const sent = writesOf(demo)
      .slice(before.length)
      .map(({ body }) => JSON.stringify(body));
    // One video of a copy goes before the others, so that is two requests.
    expect(sent).toHaveLength(tool === 'copy_cta' ? 2 : 1);
    expect(new Set(sent).size).toBe(sent.length);
    expect(replies.filter(({ data }) => data?.status === 'applied')).toHaveLength(1);
    expect((await attempt('once more', () => confirmPreview(client, asked))).text).toContain('used before');
  });

  test.each(clientKindsFor(tool))('is refused if a form is required and the client has none (%s)', async (kind) => {
    const { demo, home, sample, attempt } = await besiege(tool);
    const { client } = await start({ demo, home, client: kind, env: { VIDEO_HOSTING_CONFIRM: 'form' } });
    const reply = await attempt('no form', () => client.callTool(tool, sample.args));
    expect(reply).toMatchObject({ isError: true, data: { status: 'failed', error: { code: 'not_approved' } } });
    expect(reply.text).toContain('VIDEO_HOSTING_CONFIRM');
    const made = { changeId: 'chg-000000000-none', confirmationToken: 'AAAAAAAAAAAAAAAA', summary: 'Do it.' };
    await attempt('a token', () => expect(client.callTool('confirm_change', made)).rejects.toMatchObject({ code: -32602 }));
  });
});

describe.each(DEPENDENT_TOOLS)('%s', (tool) => {
  test('a token is invalid once the account has changed, and the answer says what changed', async () => {
    const { demo, home, sample, attempt } = await besiege(tool);
    const { client } = await start({ demo, home });
    const asked = await attempt('no token', () => client.callTool(tool, sample.args));
    await sample.disturb?.act();
    const reply = await attempt('moved', () => confirmPreview(client, asked));
    expect(reply.isError).toBe(true);
    expect(reply.data?.status).toBe('failed');
    expect(reply.text).toContain(sample.disturb?.answer);
  });
});

test('the list of tools that change the account is not empty', () => {
  expect(CHANGE_TOOLS).toEqual(expect.arrayContaining(['create_channels', 'create_project', 'undo_change', 'update_channels']));
});
