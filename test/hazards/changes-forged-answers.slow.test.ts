/** Forms that are answered without consent, and answers to forms that were never shown. */
import { describe, expect, test } from 'vitest';
import { envelope } from '../../scripts/raw-client.mjs';
import { confirmPreview } from '../changes/support/confirm.ts';
import { ACCEPTED, at, callWith, FORMS, NO_FORMS } from '../changes/support/raw.ts';
import { besiege } from '../changes/support/siege.ts';
import { writesOf } from '../changes/support/world.ts';
import type { FormResult, Values } from '../harness/client.ts';
import { start, startRaw } from '../harness/start.ts';
import { CHANGE_TOOLS, clientKindsFor } from '../mcp/tools/calls.ts';

/** Answers without consent, as a broken or malicious client sends them. */
const NO_YES: Readonly<Record<string, unknown>> = {
  'nothing chosen': { action: 'accept', content: { decision: 'nothing' } },
  'no content': { action: 'accept' },
  'null for content': { action: 'accept', content: null },
  'empty content': { action: 'accept', content: {} },
  'a boolean for the choice': { action: 'accept', content: { decision: true } },
  'a number for the choice': { action: 'accept', content: { decision: 1 } },
  'the title for the choice': { action: 'accept', content: { decision: 'Change 1 channel' } },
  'a capital letter': { action: 'accept', content: { decision: 'Apply' } },
  'a space after it': { action: 'accept', content: { decision: 'apply ' } },
  'a list for the choice': { action: 'accept', content: { decision: ['apply'] } },
  'a list for the content': { action: 'accept', content: ['apply'] },
  'other fields': { action: 'accept', content: { Decision: 'apply', confirm: true, apply: true } },
  declined: { action: 'decline' },
  'declined with a choice': { action: 'decline', content: { decision: 'apply' } },
  dismissed: { action: 'cancel', content: { decision: 'apply' } },
  'an unknown action': { action: 'approve', content: { decision: 'apply' } },
  nothing: {},
};

describe.each(CHANGE_TOOLS)('%s', (tool) => {
  test.each(clientKindsFor(tool))('is not carried out if the answer to its form does not choose apply (%s)', async (kind) => {
    const { demo, home, sample, attempt } = await besiege(tool);
    let answer: unknown;
    // The answers of a broken or malicious client don't match the type.
    const forms = () => answer as FormResult;
    // The setting keeps the server asking by form, also after a form that the client did not show.
    const { client } = await start({ demo, home, client: kind, forms, env: { VIDEO_HOSTING_CONFIRM: 'form' } });
    for (const [what, sent] of Object.entries(NO_YES)) {
      answer = sent;
      const shown = client.forms.length;
      const reply = await attempt(what, () => client.callTool(tool, sample.args).catch((error: unknown) => error));
      expect(client.forms.length, what).toBeGreaterThan(shown);
      if (!(reply instanceof Error)) expect(reply, what).toMatchObject({ data: { status: 'declined' } });
    }
  });
});

// Every change takes the same way through the guard; `changes-without-approval.slow.test.ts` walks through all tools.
describe.each(['update_channels', 'move_videos'])('%s', (tool) => {
  test.each(['raw lines', 'raw lines, modern'] as const)('is not carried out if the client fails to show its form (%s)', async (kind) => {
    const { demo, home, sample, attempt } = await besiege(tool);
    const { client } = await start({ demo, home, client: kind, forms: 'throws' });
    const reply = await attempt('fails', () => client.callTool(tool, sample.args).catch((error: unknown) => error));
    if (kind === 'raw lines') expect(reply).toMatchObject({ data: { status: 'declined' } });
  });

  test('is not carried out by an answer that belongs to no open form of the call (2026-era client)', async () => {
    const { demo, home, sample, attempt } = await besiege(tool);
    // The setting keeps the server asking by form after one that the client declined at once.
    const { client } = await startRaw({ demo, home, era: 'modern', env: { VIDEO_HOSTING_CONFIRM: 'form' } });
    const base = { name: tool, arguments: sample.args, _meta: envelope(FORMS) };
    const ask = async (params: Values) => at(await callWith(client, { ...base, ...params }), 'result', 'requestState');

    await attempt('no state', () => ask({ inputResponses: ACCEPTED }));
    for (const requestState of ['', 'AAAAAAAAAAAAAAAA', 'null', '{}'])
      await attempt(`made-up state ${requestState}`, () => ask({ inputResponses: ACCEPTED, requestState }));

    const ofOther = await attempt('another call', () => ask({ arguments: sample.other }));
    expect(ofOther).toEqual(expect.any(String));
    await attempt('state of other arguments', () => ask({ inputResponses: ACCEPTED, requestState: ofOther }));

    for (const other of CHANGE_TOOLS.filter((name) => name !== tool)) {
      const state = await attempt('a form', () => ask({}));
      await attempt('of another tool', () => callWith(client, { ...base, name: other, inputResponses: ACCEPTED, requestState: state }));
    }

    const declined = await attempt('a form', () => ask({}));
    await attempt('declined', () => ask({ inputResponses: { confirm: { action: 'decline' } }, requestState: declined }));
    await attempt('accepted after it was declined', () => ask({ inputResponses: ACCEPTED, requestState: declined }));

    const named = await attempt('a form', () => ask({}));
    expect(named).toEqual(expect.any(String));
    await attempt('an answer to a form of another name', () =>
      ask({ inputResponses: { Confirm: ACCEPTED.confirm, approve: ACCEPTED.confirm }, requestState: named }),
    );
  });

  test('an accepted form applies the change once (2026-era client)', async () => {
    const { demo, home, sample, attempt } = await besiege(tool);
    const { client } = await startRaw({ demo, home, era: 'modern', forms: 'decline' });
    const params = { name: tool, arguments: sample.args, _meta: envelope(FORMS) };
    const state = await attempt('a form', async () => at(await callWith(client, params), 'result', 'requestState'));
    const answered = { ...params, inputResponses: ACCEPTED, requestState: state };
    const before = writesOf(demo).length;
    await Promise.all([callWith(client, answered), callWith(client, answered)]);
    expect(writesOf(demo).length).toBe(before + 1);
    await attempt('replayed', () => callWith(client, answered));
  });

  test('a token is not accepted as a form’s state, nor a form’s state as a token', async () => {
    const { demo, home, sample, attempt } = await besiege(tool);
    const { client } = await startRaw({ demo, home, era: 'modern', forms: 'decline' });
    const withForms = { name: tool, arguments: sample.args, _meta: envelope(FORMS) };
    const without = { ...withForms, _meta: envelope(NO_FORMS) };
    const asked = await attempt('a token', () => callWith(client, without));
    const token = at(asked, 'result', 'structuredContent', 'confirmationToken');
    expect(token).toEqual(expect.any(String));
    const changeId = at(asked, 'result', 'structuredContent', 'changeId');
    const summary = at(asked, 'result', 'structuredContent', 'preview', 'summary');
    await attempt('a token for a state', () => callWith(client, { ...withForms, inputResponses: ACCEPTED, requestState: token }));
    const state = at(await attempt('a form', () => callWith(client, withForms)), 'result', 'requestState');
    expect(state).toEqual(expect.any(String));
    const confirmation = { ...without, name: 'confirm_change', arguments: { changeId, confirmationToken: state, summary } };
    await attempt('a state for a token', () => callWith(client, confirmation));
    await attempt('the same, with a form', () => callWith(client, { ...confirmation, _meta: envelope(FORMS), inputResponses: ACCEPTED }));
  });

  test('a 2025-era client can’t confirm by adding the newer era’s form fields to its call', async () => {
    const { demo, home, sample, attempt } = await besiege(tool);
    const { client } = await startRaw({ demo, home, era: 'legacy', forms: 'none' });
    const params = { name: tool, arguments: sample.args, _meta: envelope(FORMS) };
    const first = await attempt('the envelope', () => callWith(client, { ...params, inputResponses: ACCEPTED }));
    const token = at(first, 'result', 'structuredContent', 'confirmationToken');
    await attempt('a token for a state', () => callWith(client, { ...params, inputResponses: ACCEPTED, requestState: token }));
    await attempt('in the arguments', () =>
      callWith(client, { ...params, arguments: { ...sample.args, inputResponses: ACCEPTED, decision: 'apply' }, requestState: 'x' }),
    );
  });

  test('a 2025-era client that shows forms is asked by form, even if its call contains an answer', async () => {
    const { demo, home, sample, attempt } = await besiege(tool);
    const { client } = await startRaw({ demo, home, era: 'legacy', forms: 'nothing' });
    const params = { name: tool, arguments: sample.args, inputResponses: ACCEPTED, requestState: 'AAAAAAAAAAAAAAAA' };
    await attempt('volunteered', () => callWith(client, params));
    await attempt('volunteered with an envelope', () => callWith(client, { ...params, _meta: envelope(FORMS) }));
    expect(client.forms).toHaveLength(2);
  });

  test.each(['never', 'none'] as const)('a token does not replace a required form (forms: %s)', async (which) => {
    const { demo, home, sample, attempt } = await besiege(tool);
    const forms = which === 'never' ? ('decline' as const) : ('none' as const);
    const other = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
    const asked = await attempt('a token', () => other.client.callTool(tool, sample.args));
    const { client } = await start({ demo, home, forms, env: { VIDEO_HOSTING_CONFIRM: 'form' } });
    await attempt('a token', () => expect(confirmPreview(client, asked)).rejects.toMatchObject({ code: -32602 }));
  });
});
