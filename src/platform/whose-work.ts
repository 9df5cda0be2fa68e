import { AsyncLocalStorage } from 'node:async_hooks';

const working = new AsyncLocalStorage<string>();

/** Runs an action, and all that it begins, as the work of somebody: what several share is then shared fairly. */
export const asWorkOf = <T>(who: string, act: () => T): T => working.run(who, act);

/** Whose work this is; undefined where there is one person alone. */
export const whoseWork = (): string | undefined => working.getStore();
