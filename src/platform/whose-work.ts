import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

const working = new AsyncLocalStorage<string>();

/** Runs an action, and all that it begins, as the work of somebody: what several share is then shared fairly. */
export const asWorkOf = <T>(who: string, act: () => T): T => working.run(who, act);

/** Whose work this is; undefined where there is one person alone. */
export const whoseWork = (): string | undefined => working.getStore();

/** The server itself, which several people share: what it looks at by the clock takes turns with what they ask for. */
export const SERVER = 'server';

/** An action as the work of whoever is at work now, whoever calls it later: what it begins, as a timer, outlasts that call. */
export const asWorkOfNow = <T>(act: () => T): (() => T) => AsyncResource.bind(act);
