import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { definedFields } from '../../../platform/defined-fields.ts';
import type { ChangeList, ChangeSummary } from '../../contract.ts';
import { useSource } from './page-context.tsx';
import { type Again, PageFailure } from './page-failure.ts';
import type { SourceEvent } from './source.ts';

export interface Loaded<T> {
  readonly data: T | undefined;
  /** A sentence for the person. */
  readonly error: string | undefined;
  /** Whether it helps to load it again, and when. */
  readonly again: Again | undefined;
  readonly reload: () => void;
  /** Shows what a press was answered, and loads it again. */
  readonly replace: (data: T) => void;
}

/** What takes longer to load is not waited for, where something else is true by then. */
const SLOW_MS = 3_000;

/** What is being loaded. */
interface Loading {
  readonly abort: AbortController;
  isSlow: boolean;
  /** It may be older than what an event told of meanwhile, so that it is loaded once more. */
  isDue: boolean;
}

/**
 * Loads data and loads it again where an event says that it changed, or the connection came back: one time after the other, however much happens.
 * `isAffected` may patch the data itself and return what it made of it.
 */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  isAffected: (event: SourceEvent, data: T | undefined) => boolean | { readonly patched: T },
): Loaded<T> {
  const source = useSource();
  const [state, setState] = useState<{ key: string; data?: T; failure?: Error }>({ key });
  const latest = useRef({ key, load, isAffected, data: undefined as T | undefined });
  const loading = useRef<Loading | undefined>(undefined);
  latest.current.load = load;
  latest.current.isAffected = isAffected;

  const put = useCallback((data: T) => {
    latest.current.data = data;
    setState({ key: latest.current.key, data });
  }, []);
  const start = useCallback(() => {
    loading.current?.abort.abort();
    const own: Loading = { abort: new AbortController(), isSlow: false, isDue: false };
    loading.current = own;
    const wanted = latest.current.key;
    const timer = setTimeout(() => {
      own.isSlow = true;
      if (own.isDue && own === loading.current) start();
    }, SLOW_MS);
    /** Ends it. Returns whether it is what is wanted now. */
    const end = (): boolean => {
      clearTimeout(timer);
      if (own !== loading.current) return false;
      loading.current = undefined;
      if (own.isDue) start();
      return true;
    };
    latest.current.load(own.abort.signal).then(
      (data) => {
        if (end()) put(data);
      },
      (failure: Error) => {
        if (end()) setState((before) => ({ ...(before.key === wanted ? before : {}), key: wanted, failure }));
      },
    );
  }, [put]);
  const reload = useCallback(() => {
    if (loading.current === undefined || loading.current.isSlow) start();
    else loading.current.isDue = true;
  }, [start]);
  // What a press was answered may be older by now than what an event told of meanwhile.
  const replace = useCallback(
    (data: T) => {
      if (latest.current.key !== key) return;
      put(data);
      start();
    },
    [key, put, start],
  );

  useEffect(() => {
    latest.current.key = key;
    latest.current.data = undefined;
    start();
    const unlisten = source.listen((event) => {
      const affected = latest.current.isAffected(event, latest.current.data);
      const isPatched = typeof affected === 'object';
      if (isPatched) put(affected.patched);
      // What is being loaded may be older than a patch.
      if (isPatched ? loading.current !== undefined : affected || (event.type === 'connection' && event.connection === 'open')) reload();
    });
    return () => {
      unlisten();
      // Nobody waits for it any more.
      loading.current?.abort.abort();
      loading.current = undefined;
    };
  }, [key, source, reload, start, put]);

  const { data, failure } = state.key === key ? state : {};
  return { data, error: failure?.message, again: failure instanceof PageFailure ? failure.again : undefined, reload, replace };
}

/** A page of the history, read again when the status of a change becomes another. */
export function useChanges(page: number): Loaded<ChangeList> {
  const source = useSource();
  return useLoaded(`changes ${page}`, (signal) => source.changes(page, signal), affectedList);
}

/** Reads the list again where a change in it became another, and moves its bar where it only went on. */
function affectedList(event: SourceEvent, list: ChangeList | undefined): boolean | { readonly patched: ChangeList } {
  if (event.type !== 'change') return false;
  const { changeId, status, progress, paused, unfit } = event;
  if (list?.changes.find((change) => change.changeId === changeId)?.status !== status) return true;
  if (progress === undefined && unfit === undefined) return false;
  const patchedOf = ({ paused: _, ...change }: ChangeSummary): ChangeSummary => ({
    ...change,
    ...definedFields({ progress, paused, unfit: unfit ?? change.unfit }),
  });
  return { patched: { ...list, changes: list.changes.map((change) => (change.changeId === changeId ? patchedOf(change) : change)) } };
}
