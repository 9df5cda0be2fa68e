import { itemAt } from '../random.ts';
import type { DemoView } from '../records.ts';

type Place = readonly [country: string, continent: string, region: string, city: string, share: number];

/** Places of viewers; shares are out of their sum. */
export const PLACES: readonly Place[] = [
  ['US', 'NA', 'CA', 'San Francisco', 11],
  ['US', 'NA', 'NY', 'New York', 10],
  ['US', 'NA', 'TX', 'Austin', 7],
  ['DE', 'EU', 'BE', 'Berlin', 7],
  ['DE', 'EU', 'BY', 'München', 6],
  ['DE', 'EU', 'HH', 'Hamburg', 3],
  ['GB', 'EU', 'ENG', 'London', 8],
  ['FR', 'EU', 'IDF', 'Paris', 5],
  ['ES', 'EU', 'MD', 'Madrid', 3],
  ['IT', 'EU', '25', 'Milano', 3],
  ['NL', 'EU', 'NH', 'Amsterdam', 3],
  ['AT', 'EU', '9', 'Wien', 2],
  ['CH', 'EU', 'ZH', 'Zürich', 2],
  ['SE', 'EU', 'AB', 'Stockholm', 2],
  ['PL', 'EU', '14', 'Warszawa', 2],
  ['TR', 'AS', '34', 'İstanbul', 2],
  ['IN', 'AS', 'KA', 'Bengaluru', 6],
  ['JP', 'AS', '13', '東京', 4],
  ['KR', 'AS', '11', '서울', 2],
  ['SG', 'AS', '', 'Singapore', 1],
  ['AU', 'OC', 'NSW', 'Sydney', 3],
  ['BR', 'SA', 'SP', 'São Paulo', 4],
  ['MX', 'NA', 'CMX', 'Ciudad de México', 2],
  ['CA', 'NA', 'ON', 'Toronto', 3],
  ['ZA', 'AF', 'WC', 'Cape Town', 1],
  ['NG', 'AF', 'LA', 'Lagos', 1],
];

interface Equipment {
  browser: DemoView['browser'];
  device: DemoView['device'];
  os: DemoView['os'];
  share: number;
}

function desktop(family: string, major: number, os: string, osMajor: number, share: number): Equipment {
  const device = { family: 'Other', type: 'desktop' };
  return { browser: { family, major, minor: 0 }, device, os: { family: os, major: osMajor, processor: 'x86_64' }, share };
}

/** `device` is brand, model and type. */
function mobile(browser: [string, number], device: [string, string, string], os: [string, number], share: number): Equipment {
  const [brand, model, type] = device;
  return {
    browser: { family: browser[0], major: browser[1], minor: 1 },
    device: { family: model, brand, model, type },
    os: { family: os[0], major: os[1] },
    share,
  };
}

/** Browsers and devices; shares are out of their sum. */
export const EQUIPMENT: readonly Equipment[] = [
  desktop('Chrome', 141, 'Windows', 11, 26),
  desktop('Chrome', 140, 'Mac OS X', 15, 11),
  desktop('Edge', 141, 'Windows', 11, 9),
  desktop('Firefox', 143, 'Windows', 10, 5),
  desktop('Firefox', 143, 'Linux', 6, 2),
  desktop('Safari', 18, 'Mac OS X', 15, 7),
  desktop('Opera', 122, 'Windows', 10, 1),
  mobile(['Mobile Safari', 18], ['Apple', 'iPhone', 'mobile'], ['iOS', 18], 17),
  mobile(['Chrome Mobile', 141], ['Samsung', 'SM-S931B', 'mobile'], ['Android', 15], 11),
  mobile(['Chrome Mobile', 139], ['Google', 'Pixel 9', 'mobile'], ['Android', 16], 4),
  mobile(['Mobile Safari', 18], ['Apple', 'iPad', 'tablet'], ['iOS', 18], 4),
  mobile(['Samsung Internet', 28], ['Samsung', 'SM-X710', 'tablet'], ['Android', 15], 1),
  mobile(['Chrome', 120], ['LG', 'webOS TV', 'smarttv'], ['webOS', 8], 2),
];

/** Pages that embed videos, with their shares; the last has no embed (the video was opened directly). */
export const EMBEDS: readonly { embed?: NonNullable<DemoView['embed']>; share: number }[] = [
  { embed: { url: 'https://www.example.com/', domain: 'www.example.com', type: 1 }, share: 24 },
  { embed: { url: 'https://www.example.com/product', domain: 'www.example.com', type: 1 }, share: 12 },
  { embed: { url: 'https://learn.example.org/course/1', domain: 'learn.example.org', type: 1 }, share: 14 },
  { embed: { url: 'https://learn.example.org/course/2?lesson=4', domain: 'learn.example.org', type: 1 }, share: 8 },
  { embed: { url: 'https://blog.example.com/2026/what-is-new', domain: 'blog.example.com', type: 1 }, share: 9 },
  { embed: { url: 'https://partner.example.net/videos', domain: 'partner.example.net', type: 2 }, share: 6 },
  { embed: { url: 'https://social.example/feed', domain: 'social.example', type: 2 }, share: 7 },
  { embed: { url: 'https://intranet.test/wiki/onboarding', domain: 'intranet.test', type: 3 }, share: 5 },
  { embed: { url: '', domain: '', type: 0 }, share: 3 },
  { share: 12 },
];

/** Index in `EMBEDS` of the site that the viral day comes from. */
export const VIRAL_EMBED = 6;

/** An index for each of 1,024 equal parts, so that one look-up draws by share. */
export function shareTable(shares: readonly number[]): Uint8Array {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const table = new Uint8Array(1024);
  let upTo = 0;
  let index = -1;
  for (let part = 0; part < 1024; part += 1) {
    while (part >= upTo) {
      index += 1;
      upTo += (itemAt(shares, index) / total) * 1024;
    }
    table[part] = index;
  }
  return table;
}

/** A viewer's address, always in a range kept for documentation (RFC 5737, RFC 3849); hosts above 200 are left free. */
export function viewerIp(viewer: number): string {
  const host = 1 + (viewer % 200);
  if (viewer % 5 === 0) return `2001:db8::${(viewer % 65_521).toString(16)}`;
  if (viewer % 3 === 0) return `192.0.2.${host}`;
  return viewer % 3 === 1 ? `198.51.100.${host}` : `203.0.113.${host}`;
}
