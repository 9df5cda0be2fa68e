/** What bundles are made for: Node's names for the system and the processor, and npm's for the C library. */
export const PLATFORMS = {
  'darwin-arm64': { os: 'darwin', cpu: 'arm64' },
  'darwin-x64': { os: 'darwin', cpu: 'x64' },
  'linux-x64': { os: 'linux', cpu: 'x64', libc: 'glibc' },
  'win32-x64': { os: 'win32', cpu: 'x64' },
};

/** The one of this machine, which need not be among them. */
export const HERE = `${process.platform}-${process.arch}`;
