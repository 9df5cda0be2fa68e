import { useState } from 'preact/hooks';

export interface Sending<T> {
  readonly isSending: boolean;
  readonly error: string | undefined;
  readonly send: (request: () => Promise<T>) => void;
}

/** Sends one request at a time, and keeps what went wrong with the last one. */
export function useSending<T>(onAnswer: (answer: T) => void): Sending<T> {
  const [state, setState] = useState<{ isSending: boolean; error?: string }>({ isSending: false });
  return {
    isSending: state.isSending,
    error: state.error,
    send(request) {
      if (state.isSending) return;
      setState({ isSending: true });
      request().then(
        (answer) => {
          setState({ isSending: false });
          onAnswer(answer);
        },
        (thrown: unknown) => setState({ isSending: false, error: thrown instanceof Error ? thrown.message : String(thrown) }),
      );
    },
  };
}
