import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Has a screen reader say a sentence. */
export type Announce = (sentence: string) => void;

export const AnnounceContext = createContext<Announce>(() => {});

export const useAnnounce = (): Announce => useContext(AnnounceContext);
