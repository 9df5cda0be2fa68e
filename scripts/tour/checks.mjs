const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The size of a PNG in pixels. Throws when it is no PNG. */
export function pngSize(bytes) {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    throw new Error('This is no PNG.');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Whether a request to the service changes the account. */
export const isChange = ({ method, path }) => method === 'PUT' || (method === 'POST' && !path.includes('/logs/'));

/** Every channel of the demo account, without the fields that each update changes. */
export function accountState(world) {
  return [...world.channels.values()].map(({ version: _version, updated: _updated, ...channel }) => structuredClone(channel));
}
