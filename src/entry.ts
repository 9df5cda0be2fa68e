import { isTooOld, OLDEST_NODE } from './config/oldest-node.ts';

/** The built command begins with this, and ends with it where it is so: an old Node can’t run what follows. It reads it, so all of the file is built for it. */
export const isRefused = isTooOld(process.versions.node);
if (isRefused) refuseOldNode();

/** A command ends with the reason. A client would show no reason, so a server answers each call with it. */
function refuseOldNode(): void {
  const reason = `Node ${process.versions.node} (${process.execPath}) is too old: video-hosting-mcp needs Node ${OLDEST_NODE} or later.`;
  process.stderr.write(`video-hosting-mcp: ${reason}\n`);
  process.exitCode = 1;
  const [command = 'serve'] = process.argv.slice(2);
  if (process.stdin.isTTY || !/^(?:serve|--(?!help$|version$).*)$/.test(command)) return;
  void import('./mcp/protocol/old-node.ts').then(({ refuseEverything }) => {
    const { stdin: input, stdout: output } = process;
    refuseEverything({ input, output, reason: `${reason} In the client’s configuration of this server, name a newer one as its command.` });
  });
}
