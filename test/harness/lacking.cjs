/** Preloaded into the built command (`NODE_OPTIONS=--require`), it takes away what a machine may lack: `LACKS=node` a new Node, `LACKS=home` any home folder. */
const os = require('node:os');

const none = () => {
  throw new Error('ENOENT');
};

if (process.env.LACKS === 'node') Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });
if (process.env.LACKS === 'home') Object.assign(os, { homedir: none, userInfo: none });
