/** The second step of a change where no form is shown: `confirm_change` with what its preview says. */
import * as z from 'zod';
import type { ApprovalPage } from '../../../src/changes/asking/approval-page.ts';
import { sentence } from '../../../src/text/sentence.ts';
import type { TestClient, ToolReply, Values } from '../../harness/client.ts';

/** For a guard without an approval page. */
export const NO_PAGE: ApprovalPage = {
  unavailable: () => sentence`This server has no approval page.`,
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

const PreviewSchema = z.looseObject({ summary: z.string() });

/** What `confirm_change` is called with after a preview. */
export function agreementIn({ data, text }: ToolReply): Values {
  const { changeId, confirmationToken, preview } = data ?? {};
  if (typeof confirmationToken !== 'string') throw new Error(`There is no token in: ${text}`);
  return { changeId, confirmationToken, summary: PreviewSchema.parse(preview).summary };
}

/** Confirms what a preview showed, as a user who agrees. */
export const confirmPreview = (client: Pick<TestClient, 'callTool'>, preview: ToolReply): Promise<ToolReply> =>
  client.callTool('confirm_change', agreementIn(preview));

/** Makes a change as a user who agrees: confirms its preview if that is required. */
export async function agree(client: TestClient, tool: string, args: Values): Promise<ToolReply> {
  const first = await client.callTool(tool, args);
  return first.data?.status === 'confirmation_required' ? confirmPreview(client, first) : first;
}
