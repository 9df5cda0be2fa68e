import type { PlantingTarget } from '../records.ts';

/** A text that occurs in one personal field of one record and nowhere else. */
export interface PlantedToken {
  field: string;
  token: string;
}

/** Adds three views and three emails whose personal fields each hold a token that occurs nowhere else. */
export function plantPersonalTokens(world: PlantingTarget): PlantedToken[] {
  const planted: PlantedToken[] = [];
  const videoKey = world.videosByKey.keys().next().value ?? '';
  for (let round = 1; round <= 3; round += 1) {
    const plant = (field: string, token = `pii-${field.toLowerCase().replace('.', '-')}-${round}`): string => {
      planted.push({ field, token });
      return token;
    };
    const date = new Date(world.now - round * 3_600_000).toISOString().replace('Z', '+00:00');
    world.addView({
      date,
      viewerId: plant('viewerId'),
      viewId: plant('viewId'),
      channelViewId: plant('channelViewId'),
      clientUserId: plant('clientUserId'),
      userKey: plant('userKey'),
      geo: { ip: plant('geo.ip', `203.0.113.${250 + round}`), city: 'Berlin', country: 'DE', region: 'BE', continent: 'EU' },
      embed: { url: `https://www.example.com/p?mail=${plant('embed.url')}@example.com`, domain: 'www.example.com', type: 1 },
    });
    world.emails.push({
      fullName: plant('fullName'),
      email: `${plant('email')}@example.com`,
      mobileNumber: plant('mobileNumber'),
      videoKey,
      channelKey: '',
      created: date,
    });
  }
  return planted;
}
