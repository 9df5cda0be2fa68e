import { useState } from 'preact/hooks';

/** Sends one request at a time, and keeps what went wrong with the last one. */
export function useSending<T>(onAnswer: (answer: T) => void) {
  const [state, setState] = useState<{ isSending: boolean; error?: string }>({ isSending: false });
  return {
    isSending: state.isSending,
    error: state.error,
    send(request: () => Promise<T>): void {
      if (state.isSending) return;
      setState({ isSending: true });
      request().then(
        (answer) => {
          setState({ isSending: false });
          onAnswer(answer);
        },
        (error: Error) => setState({ isSending: false, error: error.message }),
      );
    },
  };
}
