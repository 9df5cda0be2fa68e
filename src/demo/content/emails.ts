import { createRandom, instantBefore, itemAt, mix, seedFrom, words } from '../random.ts';
import type { DemoEmail } from '../records.ts';

const FIRST = words('Ada Bruno Chiara Dmitri Elif Farah Göran Hana Igor Jürgen Keiko Luís María Noor Søren');
const LAST = words("Almeida Berg Çelik Dubois Eriksen Fischer García Haddad Ito Jansen O'Neil Łukasik Müller");
const DOMAINS = ['example.com', 'example.org', 'example.net', 'mail.example', 'firma.example', 'uni.test'];

interface Surroundings {
  seed: number;
  now: number;
  /** The videos that collect addresses, each with the keys of its channels. */
  sources: readonly { videoKey: string; channelKeys: readonly string[] }[];
}

/** Made-up people of the last 14 months; every domain and phone number is a reserved one. */
export function generateEmails(count: number, around: Surroundings): DemoEmail[] {
  if (around.sources.length === 0) return [];
  const random = createRandom(seedFrom(around.seed, 'emails'));
  return Array.from({ length: count }, (_, index) => {
    const person = mix(around.seed, random.int(count)) % 100_000;
    const first = itemAt(FIRST, person % FIRST.length);
    const last = itemAt(LAST, person % LAST.length);
    const { videoKey, channelKeys } = itemAt(around.sources, Math.floor(random.next() ** 2 * around.sources.length));
    return {
      fullName: index % 11 === 0 ? '' : `${first} ${last}`,
      email: `${plain(first)}.${plain(last)}${person}@${itemAt(DOMAINS, person % DOMAINS.length)}`,
      mobileNumber: person % 3 === 0 ? `+1 202-555-01${String(person % 100).padStart(2, '0')}` : '',
      videoKey,
      channelKey: channelKeys[0] ?? '',
      created: instantBefore(around.now, random.int(425), random),
    };
  });
}

function plain(name: string): string {
  const letters = name.normalize('NFD').replace(/[^A-Za-z]/g, '');
  return letters.toLowerCase();
}
