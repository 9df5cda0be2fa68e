/** Messages between the server and its child processes; no native part of a package runs in the server's own process. */

export type ToWorker<Task, Config> =
  | { readonly config: Config }
  | { readonly id: number; readonly task: Task }
  | { readonly interrupt: number };

export type FromWorker<Outcome> = { readonly id: number; readonly outcome: Outcome };

/** The outcome of a task whose process ended. */
export interface Died {
  readonly failure: { readonly kind: 'died'; readonly message: string };
}
