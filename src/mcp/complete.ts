import { type Referable, shownName } from '../account/references.ts';
import { searchIn } from '../account/search.ts';
import type { AppContext } from '../app/workspace.ts';
import { cleanText } from '../text/sanitize-text.ts';
import type { Call } from './app-contract.ts';
import { withinBudget } from './call/budget.ts';
import { prompts } from './prompts/index.ts';

/** Changes are searched from the newest; channels and projects all. */
const MAX_CHANGES = 100;
const MAX_ID = 200;

/** All values of an argument that match what was typed: names for prompts, ids for resource templates. */
export async function complete(
  app: AppContext,
  of: { readonly prompt: string } | { readonly template: string },
  argument: string,
  typed: string,
  call: Call,
): Promise<string[]> {
  if ('template' in of) return idsFor(app, of.template, typed, call);
  const names = prompts.find(({ name }) => name === of.prompt)?.arguments.find(({ name }) => name === argument)?.names;
  if (names === undefined) return [];
  const found = searchIn(await records(app, names, call), typed).found.map(shownName);
  const isPrefixed = (name: string) => name.toLowerCase().startsWith(typed.toLowerCase());
  return [...new Set([...found.filter(isPrefixed), ...found])].filter((name) => name !== '');
}

async function idsFor(app: AppContext, template: string, typed: string, call: Call): Promise<string[]> {
  const what = /^video-hosting:\/\/(channels|projects|changes)\/\{/.exec(template)?.[1];
  if (what === 'changes') {
    const { journal } = await app.open();
    const changes = await journal.list(MAX_CHANGES, { idStart: typed });
    return changes.map(({ intent }) => intent.changeId);
  }
  if (what !== 'channels' && what !== 'projects') return [];
  return searchIn(await records(app, what, call), typed).found.map(({ id }) => cleanText(id, MAX_ID));
}

async function records(app: AppContext, what: 'channels' | 'projects', call: Call): Promise<readonly Referable[]> {
  const { account } = await app.open();
  return withinBudget(call.signal, app.config.settings.callBudgetMs, async (signal) =>
    what === 'channels' ? account.allChannels({ signal }) : account.allProjects({ signal }),
  );
}
