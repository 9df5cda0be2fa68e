import { useEffect, useState } from 'preact/hooks';

/** A text may still be typed. */
const DELAY_MS = 150;

/**
 * Asks a moment after the question became another one. While it is undefined nothing is asked, and the last answer is forgotten.
 * Returns the last answer, which is that of an earlier question until `isLatest`, or the error in a sentence for the person.
 */
export function useAnswer<Q, A>(question: Q | undefined, ask: (question: Q) => Promise<A>) {
  const [state, setState] = useState<{ question?: Q; answer?: A; error?: string }>({});
  useEffect(() => {
    if (question === undefined) {
      setState({});
      return undefined;
    }
    let isLatest = true;
    const set = (next: typeof state): void => {
      if (isLatest) setState(next);
    };
    const timer = setTimeout(() => {
      ask(question).then(
        (answer) => set({ question, answer }),
        (error: Error) => set({ question, error: error.message }),
      );
    }, DELAY_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [question]);
  return { ...state, isLatest: question !== undefined && state.question === question };
}
