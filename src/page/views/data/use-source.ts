import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageSession } from '../../contract.ts';
import type { Connection, DataSource } from './source.ts';

export const SourceContext = createContext<DataSource | undefined>(undefined);

export function useSource(): DataSource {
  const source = useContext(SourceContext);
  if (source === undefined) throw new Error('The views have no data source.');
  return source;
}

export interface Surroundings {
  readonly session: PageSession | undefined;
  readonly connection: Connection;
  /** Whether what changes something can be offered at all. */
  readonly mayAct: boolean;
}

export const SurroundingsContext = createContext<Surroundings>({ session: undefined, connection: 'open', mayAct: false });

export const useSurroundings = (): Surroundings => useContext(SurroundingsContext);
