/** What people see of every channel of the made-up account: all but the marks that each write leaves. */
export function accountState(world) {
  return [...world.channels.values()].map(({ version: _version, updated: _updated, ...channel }) => structuredClone(channel));
}
