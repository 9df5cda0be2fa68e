import assert from 'node:assert/strict';

/** What a chapter is told with. */
export function createGuide({ stage, transcript, person }) {
  const excerpt = [];
  const clients = new Map();
  const clientOf = async (forms) => {
    if (!clients.has(forms)) clients.set(forms, stage.connect({ forms }));
    return clients.get(forms);
  };

  /**
   * One step: what the person wants, the call, its answer. `check` gets `{ data, text }` and throws where the answer or
   * the account isn't as `proves` says. With `forms: false` the client can't show one.
   */
  async function ask({
    wants,
    call: [name, args = {}],
    forms = true,
    answers = 'tick',
    refused = false,
    proves,
    check,
    forReadme = false,
  }) {
    transcript.taken();
    transcript.person(wants);
    transcript.call(name, args);
    const client = await clientOf(forms);
    person.answers = answers;
    const { content, structuredContent: data, isError = false } = await client.callTool({ name, arguments: args });
    const text = content.map((block) => block.text ?? `(${block.type})`).join('\n');
    transcript.answer(text);
    assert.equal(isError, refused, refused ? 'This should have been refused.' : 'The call failed.');
    await check?.({ data, text });
    transcript.proved(proves);
    if (forReadme) excerpt.push(...transcript.taken());
    return data;
  }

  return {
    ask,
    transcript,
    say: transcript.say,
    world: stage.world,
    requests: stage.requests,
    connect: stage.connect,
    assert,
    clientOf,
    excerpt,
  };
}
