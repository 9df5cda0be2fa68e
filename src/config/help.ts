import { ownCommand, PROGRAM } from '../text/own-command.ts';
import { COMMAND_NAMES, COMMANDS, type CommandName, SERVE } from './commands.ts';
import { settingRows } from './settings.ts';

const usageOf = (name: CommandName): string => `${ownCommand(COMMANDS[name].usage)} [settings]`;

/** The help of a command, or of all. */
export function helpText(command?: CommandName): string {
  if (command !== undefined)
    return [
      `Usage: ${usageOf(command)}`,
      '',
      `  ${command.padEnd(18)} ${COMMANDS[command].does}`,
      '',
      `Settings are given as for the server, by flag or variable; ${ownCommand('--help')} lists them.`,
      '',
    ].join('\n');
  const names = settingRows.map(([, row]) => [row.flag === undefined ? '(variable only)' : `--${row.flag}`, row.variable] as const);
  const [flagWidth, variableWidth] = ([0, 1] as const).map((index) => Math.max(...names.map((name) => name[index].length)));
  const lines = settingRows.map(([, row], index) => {
    const [flag = '', variable = ''] = names[index] ?? [];
    const choices = 'choices' in row ? ` One of: ${row.choices.join(', ')}.` : '';
    const standard = row.default === undefined ? '' : ` Default: ${row.default}.`;
    return `  ${flag.padEnd(flagWidth ?? 0)} ${variable.padEnd(variableWidth ?? 0)} ${row.description}${choices}${standard}`;
  });
  return [
    `${PROGRAM}: an MCP server over stdio for a video hosting account.`,
    '',
    `Usage: ${ownCommand('[serve] [--demo] [settings]')}`,
    `       ${ownCommand(SERVE.usage)} [settings]`,
    ...COMMAND_NAMES.map((name) => `       ${usageOf(name)}`),
    '',
    `  ${SERVE.usage.padEnd(18)} ${SERVE.does}`,
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
