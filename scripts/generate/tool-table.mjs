import { code, table } from './markdown.mjs';

const EFFECTS = {
  read: 'reads',
  setup: 'reads',
  control: 'controls work that this server started',
  export: 'writes a file on this machine or shows personal data; a person confirms first',
  change: '✎ changes the account',
  confirm: '✎ carries out what another tool previewed; can lose something',
  statement: 'records on this machine what a person states; a person confirms first',
};

/** A row for each tool. */
export function toolTable({ listing, tools }) {
  const rows = tools.map((tool) => {
    const { description, inputSchema } = listing.tools.find(({ name }) => name === tool.name);
    if (EFFECTS[tool.effect] === undefined)
      throw new Error(`scripts/generate/tool-table.mjs has no words for the effect ${tool.effect} of ${tool.name}.`);
    const effect = `${EFFECTS[tool.effect]}${tool.effect === 'change' && tool.destructive ? '; can lose something' : ''}`;
    return [code(tool.name), description, argumentsOf(inputSchema).join(', ') || '–', effect];
  });
  return table(['Tool', 'What it does', 'Arguments (`?`: optional)', 'Effect'], rows);
}

/** The arguments of an object schema; a list of objects is shown with their fields. */
function argumentsOf({ properties = {}, required = [] }) {
  return Object.entries(properties).map(([name, schema]) => {
    const shown = code(`${name}${schema.type === 'array' ? '[]' : ''}${required.includes(name) ? '' : '?'}`);
    const fields = schema.items?.properties === undefined ? [] : argumentsOf(schema.items);
    return fields.length === 0 ? shown : `${shown} of {${fields.join(', ')}}`;
  });
}

/** A line for each tool: the first clause of its description without what is in brackets, or its title where that says too little. */
export function toolSummary({ listing, tools }) {
  const rows = tools.map(({ name, title, effect }) => {
    const { description } = listing.tools.find((tool) => tool.name === name);
    const [clause] = description.replace(/ \([^)]*\)/g, '').split(/[.;:](?:\s|$)/);
    const words = clause.split(' ').length < 3 ? title : clause;
    return [`${code(name)}${effect === 'change' ? ' ✎' : ''}`, words];
  });
  return table(['Tool', 'What it does'], rows);
}

/** What questions about views ask for, and by what. */
export function questionWords({ listing }) {
  const { metrics, groupBy } = listing.tools.find(({ name }) => name === 'query_analytics').inputSchema.properties;
  const named = ({ items }) => items.enum.map(code).join(', ');
  return `The metrics of ${code('query_analytics')}: ${named(metrics)}. Its dimensions: ${named(groupBy)}.`;
}
