/** The command's `--help` without the settings, which have a table. */
export function commands({ helpText }) {
  const text = helpText();
  return `\`\`\`text\n${text.slice(text.indexOf('Usage'), text.indexOf('\nSettings')).trimEnd()}\n\`\`\``;
}
