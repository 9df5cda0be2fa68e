import { code, table } from './markdown.mjs';

export function promptTable({ listing }) {
  const rows = listing.prompts.map(({ name, description, arguments: args }) => [
    code(name),
    description,
    args.map((arg) => code(`${arg.name}${arg.required ? '' : '?'}`)).join(', '),
  ]);
  return table(['Prompt', 'What it is for', 'Arguments (`?`: optional)'], rows);
}

export function resourceTable({ listing }) {
  const all = [...listing.resources.map(({ uri, ...rest }) => ({ address: uri, ...rest })), ...listing.resourceTemplates];
  const rows = all.map(({ address, uriTemplate, description }) => [code(address ?? uriTemplate), description]);
  return table(['Resource', 'What it holds'], rows);
}
