import { readFileSync } from 'node:fs';
import { send } from './driver-client.ts';

/** The commands of whoever plays the task in a folder. False if there is no such command. */
export async function assist(folder: string, [command, first = '', second = '']: readonly string[]): Promise<boolean> {
  const print = async (answer: Promise<string>): Promise<true> => {
    process.stdout.write(`${await answer}\n`);
    return true;
  };
  switch (command) {
    case 'says':
    case 'tools':
    case 'stop':
      return print(send(folder, { do: command }));
    case 'call':
      return print(send(folder, { do: 'call', tool: first, arguments: await given(second === '' ? '{}' : second) }));
    case 'ask':
      return print(send(folder, { do: 'ask', question: await given(first) }));
    case 'answer':
      return print(send(folder, { do: 'answer', text: await given(first) }));
    default:
      return false;
  }
}

async function given(value: string): Promise<string> {
  if (value.startsWith('@')) return readFileSync(value.slice(1), 'utf8');
  if (value !== '-') return value;
  const chunks: Buffer[] = [];
  // Without an encoding set, stdin gives buffers.
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
