import type { Behaviour } from '../behaviour.ts';
import { itemAt, mix } from '../random.ts';
import type { DemoView } from '../records.ts';
import { EMBEDS, EQUIPMENT, PLACES, shareTable, viewerIp } from './audience.ts';
import { NO_CHANNEL, placeOf, type ViewColumns } from './columns.ts';
import type { ViewSource } from './sources.ts';

const EQUIPMENT_TABLE = shareTable(EQUIPMENT.map((entry) => entry.share));

/** The switches of `Behaviour` for how a record is written. */
export type ViewFormat = Pick<Behaviour, 'sparseViews' | 'viewDateOffsets' | 'viewDateFractionDigits'>;

export interface Generated {
  columns: ViewColumns;
  sources: readonly ViewSource[];
  seed: number;
  accountKey: string;
}

/** A date in one of the offsets, e.g. `2026-03-01T05:12:33.123+00:00`. */
function writeDate(time: number, row: number, { viewDateOffsets: offsets, viewDateFractionDigits: digits }: ViewFormat): string {
  const offset = offsets.length > 1 ? itemAt(offsets, mix(row, 5) % offsets.length) : (offsets[0] ?? 0);
  const local = new Date(time + offset * 60_000).toISOString();
  const minutes = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  return `${local.slice(0, 20)}${local.slice(20, 23).padEnd(digits, '0').slice(0, digits)}${zone}`;
}

/** The record of generated view `row`. Ids of viewers and views begin with `vwr-`, `vew-`, `cvw-`, `cli-`, `usr-`. */
export function writeView(generated: Generated, row: number, format: ViewFormat): DemoView {
  const { columns, sources } = generated;
  const source = itemAt(sources, itemAt(columns.source, row));
  const viewer = itemAt(columns.viewer, row);
  const flags = itemAt(columns.flags, row);
  const equipment = itemAt(EQUIPMENT, itemAt(EQUIPMENT_TABLE, mix(viewer, 13) & 1023));
  const view: DemoView = {
    id: token(generated.seed, row, 1),
    videoKey: source.videoKey,
    accountKey: generated.accountKey,
    projectKey: source.projectKey,
    viewerId: `vwr-${token(generated.seed, viewer, 2).slice(0, 16)}`,
    viewId: `vew-${token(generated.seed, row, 3).slice(0, 16)}`,
    planType: 3,
    date: writeDate(itemAt(columns.time, row), row, format),
    started: (flags & 1) !== 0,
    ended: (flags & 2) !== 0,
    muted: (flags & 4) !== 0,
    duration: source.seconds,
    watchTime: itemAt(columns.watchSeconds, row),
    browser: equipment.browser,
    device: equipment.device,
    os: equipment.os,
    geo: writeGeo(viewer, row, format.sparseViews),
  };
  addOptionalKeys(view, generated, row, format.sparseViews);
  return view;
}

function writeGeo(viewer: number, row: number, sparse: boolean): DemoView['geo'] {
  const [country, continent, region, city] = itemAt(PLACES, placeOf(viewer));
  const geo = { ip: viewerIp(viewer), country, continent };
  return sparse && mix(row, 17) % 8 === 0 ? geo : { ...geo, city, region };
}

function addOptionalKeys(view: DemoView, generated: Generated, row: number, sparse: boolean): void {
  const { columns, sources, seed } = generated;
  const luck = sparse ? mix(row, 23) : 0;
  const viewer = itemAt(columns.viewer, row);
  const channel = itemAt(columns.channel, row);
  if (channel !== NO_CHANNEL) {
    const key = itemAt(sources, itemAt(columns.source, row)).channelKeys[channel];
    if (key !== undefined) view.channelKey = key;
    view.channelViewId = `cvw-${token(seed, row, 4).slice(0, 16)}`;
  }
  const embed = itemAt(EMBEDS, itemAt(columns.embed, row)).embed;
  if (embed !== undefined) view.embed = embed;
  if (luck % 4 === 0) view.clientUserId = `cli-${token(seed, viewer, 6).slice(0, 12)}`;
  if ((luck >>> 3) % 3 === 0) view.userKey = sparse && (luck >>> 6) % 2 === 0 ? '' : `usr-${token(seed, viewer, 7).slice(0, 12)}`;
  if ((luck >>> 8) % 10 !== 9) view.region = view.geo.continent === 'EU' ? 'eu' : 'us';
}

/** 24 hexadecimal digits that depend on the arguments alone. */
function token(seed: number, number: number, salt: number): string {
  return hexWord(mix(seed, number, salt)) + hexWord(mix(seed, number, salt + 100)) + hexWord(mix(seed, number, salt + 200));
}

function hexWord(word: number): string {
  return word.toString(16).padStart(8, '0');
}
