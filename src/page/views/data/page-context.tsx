import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { PageSession } from '../../contract.ts';
import type { Actions } from './actions.ts';
import type { ConnectionState, DataSource } from './source.ts';

interface Given {
  readonly source: DataSource;
  readonly session: PageSession | undefined;
  readonly connection: ConnectionState;
  /** Since when there is no connection: ISO 8601. */
  readonly lostAt?: string | undefined;
}

export interface PageContext extends Given {
  /** Whether what changes something can be offered at all. */
  readonly mayAct: boolean;
  /** Has a screen reader say a sentence. */
  readonly announce: (sentence: string) => void;
}

const Context = createContext<PageContext | undefined>(undefined);

export function usePageContext(): PageContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error('The views have no context.');
  return context;
}

export const useSource = (): DataSource => usePageContext().source;
/** What a person can do; for the views that a conversation does not have. */
export function useActions(): Actions {
  const { actions } = useSource();
  if (actions === undefined) throw new Error('These views only show.');
  return actions;
}
/** What whoever looks may do: everything, where there are not several people. */
export function useRoles(): { readonly isShared: boolean; readonly mayPropose: boolean; readonly mayApprove: boolean } {
  const person = usePageContext().session?.person;
  return { isShared: person !== undefined, mayPropose: person?.mayPropose ?? true, mayApprove: person?.mayApprove ?? true };
}
/** Whom what waits is for: where there are several people, for whoever may decide. */
export const useForYou = (): string => (useRoles().isShared ? '' : ' for you');
/** What is shown is what was shown last: nothing tells how it is now, and nothing can be pressed. */
export function useIsLast(): boolean {
  const { connection } = usePageContext();
  return connection === 'ended' || connection === 'signed-out';
}
export const useAnnounce = (): PageContext['announce'] => usePageContext().announce;

/** Gives the views what they need to know, and says what they announce. */
export function PageContextProvider({ source, session, connection, lostAt, children }: Given & { readonly children: ComponentChildren }) {
  const [sentence, announce] = useState('');
  const context = useMemo(
    () => ({
      source,
      session,
      connection,
      lostAt,
      mayAct: source.actions !== undefined && connection === 'open' && session !== undefined,
      announce,
    }),
    [source, session, connection, lostAt],
  );
  return (
    <Context.Provider value={context}>
      {children}
      <p class="unseen" role="status">
        {sentence}
      </p>
    </Context.Provider>
  );
}
