import { NATIVE } from '../build/native.mjs';

/**
 * Name and version of the packages that run on a platform, from the lock file: those with native parts, their
 * dependencies, and the binary of that platform.
 */
export function packagesFor({ os, cpu, libc }, lock) {
  const found = new Map();
  const fits = (entry) => (entry.os ?? [os]).includes(os) && (entry.cpu ?? [cpu]).includes(cpu) && (entry.libc ?? [libc]).includes(libc);
  const add = (name) => {
    const entry = lock.packages[`node_modules/${name}`];
    if (found.has(name) || !fits(entry)) return;
    found.set(name, entry.version);
    for (const needed of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(needed);
  };
  for (const name of NATIVE) add(name);
  return [...found].map(([name, version]) => ({ name, version }));
}
