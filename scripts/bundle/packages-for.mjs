import { NATIVE } from '../build/native.mjs';

/**
 * The packages that run on a platform, as the lock file has them: those with native parts, what they need, and the
 * binary of that platform. Name and version of each.
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
