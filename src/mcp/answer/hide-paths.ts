import { realpathSync } from 'node:fs';
import type { PageResponse } from '../../page/api-messages.ts';
import type { ChangeList, ChangeView } from '../../page/contract.ts';
import { PageProblem } from '../../page/page-problem.ts';
import { isObject } from '../../platform/is-object.ts';
import type { App, Call } from '../app-contract.ts';

const INSTEAD = 'a file of the server';

/**
 * An app of which nothing that it answers names a path below one of some folders and files: whoever calls from another machine has no use for
 * it, and it tells of this one. What is known to name paths leaves them out; this is for what an error of the system, or a setting, brings along.
 */
export function withoutPaths(app: App, paths: () => Promise<readonly string[]>): App {
  let hider: { readonly of: string; readonly hidden: Hidden } | undefined;
  async function current() {
    const roots = (await paths()).flatMap((path) => [path, realPathOf(path)]);
    const of = JSON.stringify(roots);
    hider = hider?.of === of ? hider : { of, hidden: createPathHider(roots) };
    return hider.hidden;
  }
  /** An error is made anew, since a message may be told in more than one place. */
  async function answer<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const answered = await ask();
      return (await current())(answered);
    } catch (error) {
      throw error instanceof Error ? new Error((await current())(error.message)) : error;
    }
  }
  /** What is told while a call goes on can’t wait. */
  const quiet = (call: Call): Call => ({
    ...call,
    progress: (done, total, message) => call.progress(done, total, message === undefined ? message : (hider?.hidden(message) ?? '')),
  });
  return {
    ...app,
    callTool: (name, args, call) => answer(() => app.callTool(name, args, quiet(call))),
    readResource: (uri, call) => answer(() => app.readResource(uri, quiet(call))),
    getPrompt: (name, args) => answer(() => app.getPrompt(name, args)),
    async sharedPage() {
      const page = await app.sharedPage();
      return {
        ...page,
        async api(request) {
          try {
            return withoutPathsInProblems(await page.api(request), await current());
          } catch (error) {
            if (!(error instanceof PageProblem)) throw error;
            const hidden = await current();
            throw new PageProblem(error.status, hidden(error.message), hidden(error.again));
          }
        },
      };
    },
    complete: (of, argument, typed, call) => answer(() => app.complete(of, argument, typed, quiet(call))),
  };
}

/** What of the page’s answers an error may have worded. All else is the account’s or a person’s, and shown as it is, since people decide by it. */
const OF_ERRORS: ReadonlySet<string> = new Set(['problem', 'problems', 'problemSteps', 'setup'] satisfies (
  | keyof ChangeView
  | keyof ChangeList
)[]);

function withoutPathsInProblems(answer: PageResponse, hidden: Hidden): PageResponse {
  const { body } = answer;
  if (typeof body !== 'string' || !/"(?:problem|setup)/.test(body)) return answer;
  return { ...answer, body: JSON.stringify(JSON.parse(body, (name, value: unknown) => (OF_ERRORS.has(name) ? hidden(value) : value))) };
}

type Hidden = <T>(value: T) => T;

/** Puts words in the place of each path, in all texts of a value. */
function createPathHider(roots: readonly (string | undefined)[]): Hidden {
  const known = [...new Set(roots.flatMap((root) => (root === undefined ? [] : [root.replace(/[\\/]+$/, '')])))].filter(
    (root) => root !== '',
  );
  if (known.length === 0) return (value) => value;
  const root = known
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');
  // No part of an address or of a longer name; in quotes up to their end, since a path may have spaces.
  const paths = new RegExp(
    String.raw`(?<=")(?:${root})(?:[\\/][^"\n]*)?(?=")|(?<![\w/.:~-])(?:${root})(?![\w~-])(?:[\\/][^\s"'()“”${'`'},;]*)?`,
    'g',
  );
  const inValue = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(paths, INSTEAD);
    if (Array.isArray(value)) return value.map(inValue);
    // A picture is no text, and long.
    if (!isObject(value) || value.type === 'image' || 'blob' in value) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inValue(inner)]));
  };
  // Of the same shape.
  return <T>(value: T) => inValue(value) as T;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
