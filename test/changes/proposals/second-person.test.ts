/** Which changes can be begun by nobody who asked for them, and whose roles let them decide. */
import { expect, test } from 'vitest';
import type { ShownPlan } from '../../../src/changes/plan/plan.ts';
import { CHANGE_KINDS } from '../../../src/changes/plan/traits/index.ts';
import { roleProblem, secondPersonProblem } from '../../../src/changes/proposals/second-person.ts';
import { secondPersonRule } from '../../../src/config/second-person.ts';
import { sentence } from '../../../src/text/sentence.ts';

const preview = { summary: sentence`Any`, notices: [], onFailure: sentence``, undo: { possible: 'no', how: sentence`No.` } } as const;
const planOf = (plan: object) => ({ preview, facts: {}, items: [], ...plan }) as unknown as ShownPlan; // as much of a plan as is asked

const move = { digest: '', targetProjects: [], fromProjects: [] };
const items = (count: number, after: object = { name: 'Other' }) =>
  Array.from({ length: count }, (_, at) => ({ id: `${at}`, label: 'One', seen: {}, before: {}, after }));
const moveOf = (total: number) => planOf({ kind: 'move_videos', facts: { move }, ids: [], total });
const channels = (count: number) => planOf({ kind: 'update_channels', items: items(count) });

const at = '2026-11-01T00:00:00.000Z';
const [ann, bob] = [
  { id: 'person-1', name: 'ann' },
  { id: 'person-2', name: 'bob' },
];
const decided = (by: object | undefined, asker: object | undefined = ann, how = 'page') => ({ how, asked: { at, by: asker }, by }) as never;

const LIST = secondPersonRule('move_videos>1000, update_channels > 20 create_channels export_emails>50');

test.each([
  ['a move of 1,000 videos', moveOf(1000), false],
  ['a move of 1,001 videos', moveOf(1001), true],
  ['20 channels', channels(20), false],
  ['21 channels', channels(21), true],
  ['a new channel', planOf({ kind: 'create_channels', items: items(1) }), true],
  ['a new project', planOf({ kind: 'create_project', items: items(1) }), false],
  ['a copy to 5,000 videos', planOf({ kind: 'copy_cta', facts: { copy: {} }, ids: [], total: 5000 }), false],
  ['an export of 50 records', planOf({ kind: 'export_emails', items: items(1, { records: 50 }) }), false],
  ['an export of 51 records', planOf({ kind: 'export_emails', items: items(1, { records: 51 }) }), true],
  ['an export of so few people that they are not counted', planOf({ kind: 'export_emails', items: items(1, {}) }), true],
  ['the undo of a move of 1,001 videos', planOf({ kind: 'undo_change', facts: { undoes: [], move }, ids: [], total: 1001 }), true],
  ['the undo of a move of 1,000 videos', planOf({ kind: 'undo_change', facts: { undoes: [], move }, ids: [], total: 1000 }), false],
  ['the undo of a change of 21 channels', planOf({ kind: 'undo_change', facts: { undoes: [] }, items: items(21) }), true],
  ['what is left of a move, 1,001 videos', planOf({ kind: 'move_videos', facts: { move }, resumes: 'chg-1', ids: [], total: 1001 }), true],
] as const)('by a list, %s needs somebody else: %#', (_, plan, isNeeded) => {
  expect(secondPersonProblem(LIST, plan, decided(ann)) !== undefined).toBe(isNeeded);
  expect(secondPersonProblem(LIST, plan, decided(bob))).toBeUndefined();
});

test('always is each kind of any size, and never is none', () => {
  for (const kind of CHANGE_KINDS) {
    const plan = planOf({ kind, items: items(1, { records: 1 }) });
    expect([kind, secondPersonProblem(secondPersonRule('always'), plan, decided(ann))]).toEqual([
      kind,
      expect.stringContaining('ann asked for it'),
    ]);
    expect(secondPersonProblem(secondPersonRule('never'), plan, decided(ann))).toBeUndefined();
  }
});

test('a person is the same by their id, whatever the name', () => {
  const rule = secondPersonRule('always');
  expect(secondPersonProblem(rule, moveOf(1), decided({ ...ann, name: 'Anna' }))).toContain(
    'Anna asked for it, so somebody else has to apply it.',
  );
  // Removed and added again.
  expect(secondPersonProblem(rule, moveOf(1), decided({ id: 'person-3', name: 'ann' }))).toBeUndefined();
});

test('where one of the two is not known, nobody can be told to be somebody else', () => {
  const rule = secondPersonRule('always');
  for (const how of ['terminal', 'form', 'token', 'never', 'page'])
    expect(secondPersonProblem(rule, moveOf(1), decided(undefined, ann, how))).toContain(
      'who decides is not known here: somebody else than ann has to apply it',
    );
  for (const asked of [{ at }, { at, by: { name: 'nightly' } }])
    expect(secondPersonProblem(rule, moveOf(1), { how: 'page', asked, by: bob })).toContain(
      'who asked is not known as a person of this server',
    );
});

test('a standing approval is a second person’s word', () => {
  expect(secondPersonProblem(secondPersonRule('always'), moveOf(1), decided(undefined, ann, 'standing'))).toBeUndefined();
});

test('who has not the role approve can’t decide', () => {
  expect(roleProblem({ ...ann, roles: ['read', 'propose'] })).toBe(
    'Only somebody who may approve can apply this, and ann may only read and propose.',
  );
  expect(roleProblem({ ...ann, roles: ['read', 'approve'] })).toBeUndefined();
});
