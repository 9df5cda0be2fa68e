/** The second step of a change where no form is shown: the same call with the token. */
import type { ApprovalPage } from '../../../src/changes/confirm/approval-page.ts';
import type { TestClient, ToolReply, Values } from '../../harness/client.ts';

/** For a guard without an approval page. */
export const NO_PAGE: ApprovalPage = {
  unavailable: () => 'This server has no approval page.',
  isMissed: () => false,
  show: () => Promise.reject(new Error('There is no approval page.')),
};

export function tokenIn(reply: ToolReply): string {
  const token = reply.data?.confirmationToken;
  if (typeof token !== 'string') throw new Error(`There is no token in: ${reply.text}`);
  return token;
}

export function changeIdIn(reply: ToolReply): string {
  const changeId = reply.data?.changeId;
  if (typeof changeId !== 'string') throw new Error(`There is no changeId in: ${reply.text}`);
  return changeId;
}

/** Makes a change as a user who agrees: with the token if one is required. */
export async function agree(client: TestClient, tool: string, args: Values): Promise<ToolReply> {
  const first = await client.callTool(tool, args);
  if (first.data?.status !== 'confirmation_required') return first;
  return client.callTool(tool, { ...args, confirmationToken: tokenIn(first) });
}
