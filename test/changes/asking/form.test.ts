/** The fields of a form for each client, and which answers approve the change. */
import { describe, expect, test } from 'vitest';
import { confirmationForm, type FormAnswer, isApproval } from '../../../src/changes/asking/form.ts';
import { formStyleOf } from '../../../src/changes/asking/form-clients.ts';
import pinned from '../../clients/clients.json' with { type: 'json' };

test('a choice field offers "Change nothing" first, and then the change', () => {
  const { requestedSchema } = confirmationForm('Change 30 channels.', 'Change 30 channels', { field: 'choice', hasNote: true });
  expect(requestedSchema.required).toEqual(['decision']);
  expect(requestedSchema.properties.decision).toMatchObject({
    type: 'string',
    oneOf: [
      { const: 'nothing', title: 'Change nothing' },
      { const: 'apply', title: 'Change 30 channels' },
    ],
  });
  expect(Object.keys(requestedSchema.properties)).toEqual(['decision', 'note']);
});

test('a checkbox replaces the choice only for a client that shows it unticked', () => {
  const { properties } = confirmationForm('Change 30 channels.', 'Change 30 channels', { field: 'box', hasNote: false }).requestedSchema;
  expect(properties).toEqual({ decision: { type: 'boolean', title: 'Change 30 channels' } });
  expect(formStyleOf({ name: 'claude-code', version: '' })).toEqual({
    field: 'box',
    hasNote: false,
    version: pinned['claude-code'].versions.at(-1),
  });
  expect(formStyleOf({ name: 'codex-mcp-client', version: '' })).toEqual({
    field: 'choice',
    hasNote: false,
    version: pinned.codex.versions.at(-1),
  });
  for (const name of ['somebody-else', '', 'constructor', 'Claude-Code'])
    expect(formStyleOf({ name, version: '1.0.0' })).toEqual({ field: 'choice', hasNote: true });
});

describe('the answer', () => {
  const accept = (decision: unknown): FormAnswer => ({ action: 'accept', content: { decision } });
  test.each([
    [accept('apply'), true, false],
    [accept(true), false, true],
    [accept('nothing'), false, false],
    [accept(undefined), false, false],
    [accept('true'), false, false],
    [accept(['apply']), false, false],
    [{ action: 'accept', content: { confirm: true } } as const, false, false],
    [{ action: 'decline', content: { decision: 'apply' } } as const, false, false],
    [{ action: 'cancel', content: { decision: true } } as const, false, false],
    [{ action: 'unanswered', reason: '' } as const, false, false],
  ])('%j approves a choice: %s, a checkbox: %s', (answer, toChoice, toBox) => {
    expect([isApproval(answer, 'choice'), isApproval(answer, 'box')]).toEqual([toChoice, toBox]);
  });
});
