import {
  type ChangeView,
  type DecisionRequest,
  type ListRequest,
  READ_LIST,
  type ReadList,
  type RenewedToken,
  type RenewRequest,
  type StandingView,
  type StatementRequest,
} from '../../contract.ts';

export type Actions = ReturnType<typeof actionsBy>;

/** The requests of the contract with which a person acts, by what sends them. */
export function actionsBy(post: <T>(path: string, body?: unknown) => Promise<T>) {
  const id = encodeURIComponent;
  return {
    /** Where the plan moved, nothing was decided, and the change comes back as it is now, waiting. */
    decide: (changeId: string, decision: DecisionRequest) => post<ChangeView>(`changes/${id(changeId)}/decision`, decision),
    stop: (changeId: string) => post<ChangeView>(`changes/${id(changeId)}/stop`),
    undo: (changeId: string) => post<ChangeView>(`changes/${id(changeId)}/undo`),
    /** Proposes to carry it on; `retryFailed`: with what failed. */
    resume: (changeId: string, retryFailed: boolean) => post<ChangeView>(`changes/${id(changeId)}/resume`, { retryFailed }),
    /** Revokes one for good. */
    revoke: (approval: string) => post<StandingView>(`approvals/${id(approval)}/revoke`),
    revokeAll: () => post<StandingView>('approvals/stop'),
    state: (channelId: string, statement: StatementRequest) => post<ChangeView>(`channels/${id(channelId)}/statement`, statement),
    /** Makes the client token of whoever is signed in anew, if it is the one that they saw. */
    renewToken: (seen: RenewRequest) => post<RenewedToken>('client/token', seen),
    readList: (list: ListRequest) => post<ReadList>(READ_LIST, list),
  };
}
