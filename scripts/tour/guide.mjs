import assert from 'node:assert/strict';
import { pngSize } from './checks.mjs';

/** What a chapter is told with. */
export function createGuide({ stage, transcript, person, keepChart }) {
  const clients = new Map();
  let steps = 0;
  const clientOf = async (forms) => {
    if (!clients.has(forms)) clients.set(forms, stage.connect({ forms }));
    return clients.get(forms);
  };

  /**
   * One step: what the person wants, the call, its answer. `check` gets `{ data, text, picture }` and throws where the
   * answer or the account isn't as `proves` says. With `forms: false` the client can't show one. A step with `came` is in
   * the short tour too: what came of it, as a text or made of the answer.
   */
  async function ask({ wants, call: [name, args = {}], forms = true, answers = 'tick', refused = false, proves, check, came, wholeForm }) {
    transcript.person(wants);
    transcript.call(name, args);
    const client = await clientOf(forms);
    person.answers = answers;
    const { content, structuredContent: data, isError = false } = await client.callTool({ name, arguments: args });
    const text = content.map((block) => block.text ?? described(block)).join('\n');
    const image = content.find(({ type }) => type === 'image');
    transcript.answer(text);
    assert.equal(isError, refused, refused ? 'This should have been refused.' : 'The call failed.');
    await check?.({ data, text, picture: image && Buffer.from(image.data, 'base64') });
    steps += 1;
    transcript.proved({ proves, came: typeof came === 'function' ? came(data) : came, wholeForm });
    return data;
  }

  return {
    ask,
    steps: () => steps,
    transcript,
    say: transcript.say,
    world: stage.world,
    requests: stage.requests,
    connect: stage.connect,
    filesDir: stage.filesDir,
    keepChart,
    assert,
    clientOf,
  };
}

function described({ type, data }) {
  const { width, height } = pngSize(Buffer.from(data, 'base64'));
  return `(${type}, ${width} × ${height})`;
}
