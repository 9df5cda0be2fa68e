import { table } from './markdown.mjs';

/** Settings that a link has the client ask for, or take from its environment. */
const TOLD = ['baseUrl', 'statsUrl', 'apiKey'];

/** Links that install the server in clients that take such links: the same entry that `install` writes there. */
export function installLinks({ clientOf, entryFor, packageJson: { name, version }, SERVER, SETTINGS }) {
  const entry = (client, env) => {
    const launch = { command: 'npx', args: ['-y', `${name}@${version}`], fetched: true };
    return entryFor(clientOf(client), launch, { demo: env === undefined, env: env ?? {}, forwarded: [] });
  };
  const settings = TOLD.map((setting) => SETTINGS[setting]);
  const valued = (write) => Object.fromEntries(settings.map((setting) => [setting.variable, write(setting)]));

  const inputId = ({ variable }) => variable.toLowerCase().replaceAll('_', '-');
  const inputs = settings.map((setting) => ({
    type: 'promptString',
    id: inputId(setting),
    description: setting.title,
    ...(setting.secret ? { password: true } : {}),
  }));
  const vscode = (env, quality) => {
    const parameters = {
      name: SERVER,
      ...(env && { inputs: JSON.stringify(inputs) }),
      config: JSON.stringify(entry('vscode', env)),
      ...quality,
    };
    return `https://insiders.vscode.dev/redirect/mcp/install?${query(parameters)}`;
  };
  const cursor = (env) => {
    const config = Buffer.from(JSON.stringify(entry('cursor', env))).toString('base64');
    return `https://cursor.com/en/install-mcp?${query({ name: SERVER, config })}`;
  };

  const asked = valued((setting) => `\${input:${inputId(setting)}}`);
  const { write } = clientOf('cursor').secrets;
  const insiders = { quality: 'insiders' };
  const rows = [
    ['VS Code', vscode(asked), vscode()],
    ['VS Code Insiders', vscode(asked, insiders), vscode(undefined, insiders)],
    ['Cursor', cursor(valued(({ variable }) => write(variable))), cursor()],
  ];
  return table(
    ['With one click', 'Your account', 'A made-up account'],
    rows.map(([title, own, demo]) => [`**${title}**`, `[Install](${own})`, `[Try it](${demo})`]),
  );
}

/** With spaces as `%20`: not everybody takes a plus for one. */
const query = (parameters) => new URLSearchParams(parameters).toString().replaceAll('+', '%20');
