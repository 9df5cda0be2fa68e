/**
 * The shapes that a library's user sees, against those that answers are checked with: the same fields, of the same types.
 * What is tested here is tested by the compiler: a difference makes one of these `true` a mistake.
 */
import { expect, test } from 'vitest';
import type * as Public from '../../src/client/index.ts';
import type { Pager } from '../../src/service/list.ts';
import type { Channel, Template } from '../../src/service/resources/channels.ts';
import type { CollectedEmail } from '../../src/service/resources/emails.ts';
import type { Plan } from '../../src/service/resources/plans.ts';
import type { EncodingOptions, NewProject, PlayerOptions, Project } from '../../src/service/resources/projects.ts';
import type { CtaCopy, Ok } from '../../src/service/resources/videos.ts';
import type { ViewPage } from '../../src/service/resources/view-logs.ts';

/** The fields that have a name, whether or not others may be there; all of them read-only, at every depth. */
type Named<T> = T extends string | number | boolean | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Named<Item>[]
    : { readonly [K in keyof T as string extends K ? never : K]: Named<T[K]> };
type Same<A, B> = (<T>() => T extends Named<A> ? 1 : 2) extends <T>() => T extends Named<B> ? 1 : 2 ? true : false;

const same: {
  readonly channel: Same<Public.Channel, Channel>;
  readonly template: Same<Public.Template, Template>;
  readonly project: Same<Public.Project, Project>;
  readonly newProject: Same<Public.NewProject, NewProject>;
  readonly encodingOptions: Same<Public.EncodingOptions, EncodingOptions>;
  readonly playerOptions: Same<Public.PlayerOptions, PlayerOptions>;
  readonly plan: Same<Public.Plan, Plan>;
  readonly email: Same<Public.CollectedEmail, CollectedEmail>;
  readonly pager: Same<Public.Pager, Pager>;
  readonly viewPager: Same<Public.ViewPage['pager'], ViewPage['pager']>;
  readonly moved: Same<Public.Moved, Ok>;
  readonly copied: Same<Public.CtaCopied, CtaCopy>;
} = {
  channel: true,
  template: true,
  project: true,
  newProject: true,
  encodingOptions: true,
  playerOptions: true,
  plan: true,
  email: true,
  pager: true,
  viewPager: true,
  moved: true,
  copied: true,
};

test('the compiler finds the library’s shapes and the schemas’ to be the same', () => {
  const other: Same<{ a?: string | undefined }, { a: string | undefined }> = false;
  expect([other, ...Object.values(same)]).toEqual([false, ...Object.values(same).map(() => true)]);
});
