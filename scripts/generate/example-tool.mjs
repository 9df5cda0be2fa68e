/** A tool of the tests' as it would stand among the real ones, in a fence. */
export const exampleTool = (code) =>
  `\`\`\`ts\n${code.trim().replaceAll("'../../../src/mcp/", "'../").replaceAll("'../../../src/", "'../../")}\n\`\`\``;
