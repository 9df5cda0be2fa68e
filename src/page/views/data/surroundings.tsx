import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { PageSession } from '../../contract.ts';
import type { Actions } from './actions.ts';
import type { Connection, DataSource } from './source.ts';

interface Given {
  readonly source: DataSource;
  readonly session: PageSession | undefined;
  readonly connection: Connection;
}

export interface Surroundings extends Given {
  /** Whether what changes something can be offered at all. */
  readonly mayAct: boolean;
  /** Has a screen reader say a sentence. */
  readonly announce: (sentence: string) => void;
}

const SurroundingsContext = createContext<Surroundings | undefined>(undefined);

export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext);
  if (surroundings === undefined) throw new Error('The views have no surroundings.');
  return surroundings;
}

export const useSource = (): DataSource => useSurroundings().source;
/** What a person can do; for the views that a conversation does not have. */
export function useActions(): Actions {
  const { actions } = useSource();
  if (actions === undefined) throw new Error('These views only show.');
  return actions;
}
export const useAnnounce = (): Surroundings['announce'] => useSurroundings().announce;

/** Gives the views what they need to know, and says what they announce. */
export function Surrounded({ source, session, connection, children }: Given & { readonly children: ComponentChildren }) {
  const [sentence, announce] = useState('');
  const surroundings = useMemo(
    () => ({
      source,
      session,
      connection,
      mayAct: source.actions !== undefined && connection === 'open' && session !== undefined,
      announce,
    }),
    [source, session, connection],
  );
  return (
    <SurroundingsContext.Provider value={surroundings}>
      {children}
      <p class="unseen" role="status">
        {sentence}
      </p>
    </SurroundingsContext.Provider>
  );
}
