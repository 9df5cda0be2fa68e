import { VIEW_DATA_URI } from '../../contract.ts';
import { type Fields, fieldsIn } from './fields.ts';
import { type Host, textOf } from './host.ts';

/** Of an answer's text, where nothing else can be shown. */
const MAX_TEXT = 1_200;

/** Reads by the host what the server behind it has. Each way rejects with a sentence where the host or the server refuses. */
export function createReader({ bridge, mayCallTools, mayReadResources, call }: Host) {
  let failed = false;

  async function callTool(name: string, args: object): Promise<Fields> {
    if (!mayCallTools) throw new Error('calls of tools are not offered');
    const result = fieldsIn(await bridge.request('tools/call', { name, arguments: args }));
    if (result.isError === true) throw new Error(textOf(result));
    return result;
  }

  async function structured(name: string, args: object): Promise<Fields> {
    const { structuredContent } = await callTool(name, args);
    if (structuredContent === undefined) throw new Error('the data of the answer did not arrive');
    return fieldsIn(structuredContent);
  }

  async function readResource(path: string): Promise<Fields> {
    if (!mayReadResources) throw new Error('resources are not offered');
    const { contents } = fieldsIn(await bridge.request('resources/read', { uri: VIEW_DATA_URI + path }));
    return fieldsIn(Array.isArray(contents) ? contents[0] : undefined);
  }

  // The server's own types: both sides are built from one contract.
  const read = async <T>(path: string): Promise<T> => JSON.parse(String((await readResource(path)).text)) as T;

  /** The first that works; where none does, why, and what to do. */
  async function firstOf<T>(...ways: readonly (() => Promise<T>)[]): Promise<T> {
    const reasons: string[] = [];
    for (const way of ways) {
      try {
        return await way();
      } catch (error) {
        reasons.push(error instanceof Error ? error.message : String(error));
      }
    }
    failed = true;
    throw new Error(refusal(reasons.at(-1) ?? '', call.result()));
  }

  return { callTool, structured, readResource, read, firstOf, hasFailed: () => failed };
}

function refusal(reason: string, said: string | undefined): string {
  const heard = said === undefined || said === '' ? '' : ` Your assistant’s answer said: “${said.slice(0, MAX_TEXT)}”`;
  return `This conversation’s view could not read it: ${reason.replace(/\.$/, '')}.${heard} Ask your assistant to tell you, or to show it in your browser.`;
}
