import { code, table } from './markdown.mjs';

/** A row for each setting; `--demo` is the command's alone. */
export function settingsTable({ kindOf, SETTINGS }) {
  const rows = Object.values(SETTINGS).map((row) => [
    code(row.variable),
    row.flag === undefined ? 'variable only' : code(`--${row.flag}`),
    `${row.description}${kindOf(row).values?.(row, code) ?? ''}`,
    row.default === undefined ? '–' : code(row.default),
  ]);
  return table(['Variable', 'Flag', 'Meaning', 'Default'], rows);
}

/** Settings that many people need beside the address and key of their account, for README.md; docs/settings.md has all of them. */
const COMMON = ['readOnly', 'confirm', 'filesDirs', 'videoCatalogue'];

export function settingsSummary({ SETTINGS }) {
  const rows = COMMON.map((name) => SETTINGS[name]).map((row) => [
    code(row.variable),
    row.description,
    row.default === undefined ? '–' : code(row.default),
  ]);
  return table(['Variable', 'Meaning', 'Default'], rows);
}
