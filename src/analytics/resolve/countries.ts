import { nearest } from '../../platform/nearest.ts';

/** Languages in which a country may be named: those that assistants are mostly spoken to in. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'ja', 'zh'];

/**
 * What people say and no list of names has; codes of three letters among them, which are not the first two letters of the
 * short ones. A part of a country, such as Scotland, is not that country: it stands for nothing here.
 */
const ALIASES: Readonly<Record<string, string>> = {
  uk: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  'united states of america': 'US',
  america: 'US',
  holland: 'NL',
  'the netherlands': 'NL',
  'south korea': 'KR',
  korea: 'KR',
  'north korea': 'KP',
  'czech republic': 'CZ',
  uae: 'AE',
  turkey: 'TR',
  macedonia: 'MK',
  burma: 'MM',
  'ivory coast': 'CI',
  'hong kong': 'HK',
  macau: 'MO',
  macao: 'MO',
  palestine: 'PS',
  myanmar: 'MM',
  swaziland: 'SZ',
  vatican: 'VA',
  bosnia: 'BA',
  'viet nam': 'VN',
  'russian federation': 'RU',
  ...Object.fromEntries(
    'usa:US gbr:GB deu:DE ger:DE fra:FR esp:ES ita:IT nld:NL bel:BE aut:AT che:CH sui:CH swe:SE nor:NO dnk:DK fin:FI pol:PL cze:CZ prt:PT irl:IE can:CA mex:MX bra:BR arg:AR jpn:JP chn:CN kor:KR ind:IN aus:AU nzl:NZ zaf:ZA tur:TR ukr:UA rus:RU'
      .split(' ')
      .map((pair) => pair.split(':')),
  ),
};

let codes: Map<string, string> | undefined;

/** Regions that have a code and are no country. */
const NO_COUNTRIES = ['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'];
/** What is near to the name of a country, or a part of it, and is none. */
const LARGER_OR_SMALLER = ['africa', 'asia', 'europe', 'oceania', 'england'];
const MAX_NAMES = 50;

/** Short codes by folded names, in all languages; made when a name is first asked for. */
function codesByName(): ReadonlyMap<string, string> {
  if (codes !== undefined) return codes;
  codes = new Map(Object.entries(ALIASES));
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const all = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => !NO_COUNTRIES.includes(code));
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    // A code that was given up stands for its successor, as does its name.
    for (const code of all) {
      const name = names.of(code);
      if (name !== undefined && !codes.has(folded(name))) codes.set(folded(name), new Intl.Locale('und', { region: code }).region ?? code);
    }
  }
  return codes;
}

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .trim()
    .toLowerCase();

/** The short code of a country that is called so, whatever the case and accents, or undefined. */
export function countryCode(name: string): string | undefined {
  return codesByName().get(folded(name));
}

/** Short codes of the countries whose names, in any of the languages, come near to what was written; best first. */
export function countriesLike(written: string): readonly string[] {
  const wanted = folded(written);
  if (LARGER_OR_SMALLER.includes(wanted)) return [];
  // A name among other words is another place: Northern Ireland, for one.
  const others = [...codesByName()].filter(([name]) => !wanted.includes(name));
  return [...new Set(nearest(written, others, MAX_NAMES, ([name]) => name).map(([, code]) => code))];
}

const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** A country's English name, folded to lower case. */
export function countryNameOf(code: string): string | undefined {
  return /^[A-Za-z]{2}$/.test(code) && !NO_COUNTRIES.includes(code.toUpperCase())
    ? english.of(code.toUpperCase())?.toLowerCase()
    : undefined;
}
