import { expect, test } from 'vitest';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

test.each([true, false])('check_setup names the addresses of both APIs (they answer: %s)', async (answers) => {
  const demo = await startService({ channels: 2 });
  if (!answers) demo.faults.always({ do: { kind: 'status', code: 403 } });
  const { client } = await start({ demo });
  const { text } = await client.callTool('check_setup', {});
  expect(demo.requests.map(({ path }) => path)).toContain('/v1/channels');
  expect(text).toContain(
    `${answers ? 'ok true. ' : ''}${demo.baseUrl}${answers ? ' answers; 2 channels' : ': The service does not allow'}`,
  );
  expect(text).toContain(`${demo.statsUrl}${answers ? ' answers' : ': The service does not allow'}`);
});
