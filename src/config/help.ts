import { COMMAND_NAMES, COMMANDS } from './commands.ts';
import { settingRows } from './settings.ts';

export function helpText(): string {
  const names = settingRows.map(([, row]) => [row.flag === undefined ? '(variable only)' : `--${row.flag}`, row.variable] as const);
  const [flagWidth, variableWidth] = ([0, 1] as const).map((index) => Math.max(...names.map((name) => name[index].length)));
  const lines = settingRows.map(([, row], index) => {
    const [flag = '', variable = ''] = names[index] ?? [];
    const choices = row.kind === 'choice' ? ` One of: ${row.choices.join(', ')}.` : '';
    const standard = row.default === undefined ? '' : ` Default: ${row.default}.`;
    return `  ${flag.padEnd(flagWidth ?? 0)} ${variable.padEnd(variableWidth ?? 0)} ${row.description}${choices}${standard}`;
  });
  return [
    'video-hosting-mcp: an MCP server over stdio for a video hosting account.',
    '',
    'Usage: video-hosting-mcp [serve] [--demo] [settings]',
    ...COMMAND_NAMES.map((name) => `       video-hosting-mcp ${COMMANDS[name].usage} [settings]`),
    '',
    ...COMMAND_NAMES.map((name) => `  ${name.padEnd(18)} ${COMMANDS[name].does}`),
    '',
    '  --demo             serve an embedded demo account; needs no settings',
    '  -h, --help; -v, --version',
    '',
    'Settings (a flag wins over its variable):',
    ...lines,
    '',
    'HTTPS_PROXY, HTTP_PROXY and NO_PROXY are honoured. This machine is always reached directly.',
    '',
  ].join('\n');
}
