import { nearest } from '../../text/nearest.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'ja', 'zh'];

/**
 * Names that no locale data has, and codes of three letters that don't begin with the two-letter code. Parts of a country, such
 * as Scotland, are not included.
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

const NO_COUNTRIES = ['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'];
/** Continents and parts of countries that resemble the name of a country. */
const OTHER_PLACES = ['africa', 'asia', 'europe', 'oceania', 'england'];
const MAX_NAMES = 50;

/** Two-letter codes by normalised names in all languages; built when first needed. */
function codesByName(): ReadonlyMap<string, string> {
  if (codes !== undefined) return codes;
  codes = new Map(Object.entries(ALIASES));
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const all = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => !NO_COUNTRIES.includes(code));
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    // A withdrawn code and its name stand for the successor.
    for (const code of all) {
      const current = new Intl.Locale('und', { region: code }).region ?? code;
      const name = names.of(code);
      if (name === undefined) continue;
      for (const written of [normalise(name), code.toLowerCase()]) if (!codes.has(written)) codes.set(written, current);
    }
  }
  return codes;
}

const normalise = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .trim()
    .toLowerCase();

export function countryCode(name: string): string | undefined {
  return codesByName().get(normalise(name));
}

let english: Intl.DisplayNames | undefined;

/** The English name of a country as views have it: a code, or a name or longer code of it. */
export function countryName(written: string): string | null {
  const code = /^[A-Za-z]{2}$/.test(written) ? written.toUpperCase() : countryCode(written);
  if (code === undefined) return null;
  english ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return english.of(code) ?? null;
}

/** Two-letter codes of the countries with similar names, in any of the languages; best first. */
export function countriesLike(written: string): readonly string[] {
  const wanted = normalise(written);
  if (OTHER_PLACES.includes(wanted)) return [];
  // A name inside another name is another place, such as Northern Ireland.
  const others = [...codesByName()].filter(([name]) => !wanted.includes(name));
  return [...new Set(nearest(written, others, MAX_NAMES, ([name]) => name).map(([, code]) => code))];
}
