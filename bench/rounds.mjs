import { median } from './processes.mjs';

/**
 * Measures several things in turn, round by round, so that the load of the machine affects all of them. What the warm-ups measure counts
 * for nothing. `measure` is given a thing and the number of the round. Resolves to a list for each thing: what was measured of it, by round.
 */
export async function inTurn(things, measure, { rounds, warmups = 0 }) {
  const series = things.map(() => []);
  for (let round = -warmups; round < rounds; round += 1)
    for (const [index, thing] of things.entries()) {
      const measured = await measure(thing, round);
      if (round >= 0) series[index].push(measured);
    }
  return series;
}

/** Of what was measured in turn, the median of the ratios of each round, since the load of the machine changes from one to the next. */
export const ratioOf = (ones, others, figureOf = (measured) => measured) =>
  median(ones.map((one, round) => figureOf(one) / figureOf(others[round])));
