'use strict';
// Runs the server of a folder, and leaves there what V8 compiled meanwhile. Started by train.mjs, which plays its client.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { load, stampOf } = require('./load-cached.cjs');

const [folder] = process.argv.splice(2, 1);
const scripts = [];
process.on('exit', () => {
  for (const { name, script, id } of scripts) {
    const cache = script.createCachedData();
    writeFileSync(join(folder, `${name}.cache`), Buffer.concat([cache, Buffer.from(stampOf(id, cache), 'latin1')]));
  }
});
load(folder, 'server', (loaded) => scripts.push(loaded));
