import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { definedFields } from '../../../platform/defined-fields.ts';
import type { ChangeList, ChangeSummary } from '../../contract.ts';
import { useSource } from './page-context.tsx';
import type { SourceEvent } from './source.ts';

export interface Loaded<T> {
  readonly data: T | undefined;
  /** A sentence for the person. */
  readonly error: string | undefined;
  readonly reload: () => void;
  /** Shows what a press was answered, and loads it again. */
  readonly replace: (data: T) => void;
}

/**
 * Loads data and loads it again where an event says that it changed, or the connection came back. `isAffected` may patch the
 * data itself and return what it made of it.
 */
export function useLoaded<T>(
  key: string,
  load: () => Promise<T>,
  isAffected: (event: SourceEvent, data: T | undefined) => boolean | { readonly patched: T },
): Loaded<T> {
  const source = useSource();
  const [state, setState] = useState<{ key: string; data?: T; error?: string }>({ key });
  const latest = useRef({ key, load, isAffected, data: undefined as T | undefined });
  const order = useRef(0);
  const isLoading = useRef(false);
  latest.current.load = load;
  latest.current.isAffected = isAffected;

  const put = useCallback((data: T) => {
    latest.current.data = data;
    setState({ key: latest.current.key, data });
  }, []);
  const reload = useCallback(() => {
    order.current += 1;
    isLoading.current = true;
    const [own, wanted] = [order.current, latest.current.key];
    latest.current.load().then(
      (data) => {
        if (own !== order.current) return;
        isLoading.current = false;
        put(data);
      },
      ({ message: error }: Error) => {
        if (own !== order.current) return;
        isLoading.current = false;
        setState((before) => ({ ...(before.key === wanted ? before : {}), key: wanted, error }));
      },
    );
  }, [put]);
  // What a press was answered may be older by now than what an event told of meanwhile.
  const replace = useCallback(
    (data: T) => {
      if (latest.current.key !== key) return;
      put(data);
      reload();
    },
    [key, put, reload],
  );

  useEffect(() => {
    latest.current.key = key;
    latest.current.data = undefined;
    reload();
    return source.listen((event) => {
      const affected = latest.current.isAffected(event, latest.current.data);
      const isPatched = typeof affected === 'object';
      if (isPatched) put(affected.patched);
      // What is being loaded may be older than a patch.
      if (isPatched ? isLoading.current : affected || (event.type === 'connection' && event.connection === 'open')) reload();
    });
  }, [key, source, reload, put]);

  const isCurrent = state.key === key;
  return { data: isCurrent ? state.data : undefined, error: isCurrent ? state.error : undefined, reload, replace };
}

/** A page of the history, read again when the status of a change becomes another. */
export function useChanges(page: number): Loaded<ChangeList> {
  const source = useSource();
  return useLoaded(`changes ${page}`, () => source.changes(page), affectedList);
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
