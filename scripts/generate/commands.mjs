/** What the command answers to `--help`, without the settings: those have a table. */
export function commands({ helpText }) {
  const [, usage] = /^(Usage[^]*?)\n+Settings/m.exec(helpText());
  return `\`\`\`text\n${usage}\n\`\`\``;
}
