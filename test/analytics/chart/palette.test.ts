import { expect, test } from 'vitest';
import {
  DARK_TEXT_FROM,
  HEAT_COLORS,
  INK,
  MIDDLE_COLOR,
  NEGATIVE_COLORS,
  OTHERS_COLOR,
  SERIES_COLORS,
} from '../../../src/analytics/chart/palette.ts';

type Vector = readonly [number, number, number];
/** Row by row. */
type Matrix = readonly [...Vector, ...Vector, ...Vector];

/** Simulations of colour vision after Machado, Oliveira and Fernandes (2009), at full severity, on linear RGB. */
const EYES: Readonly<Record<string, Matrix>> = {
  'normal vision': [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

const LMS: Matrix = [
  0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376, 0.6299787005,
];
const LAB: Matrix = [
  0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371, 0.7827717662, -0.808675766,
];

const times = ([a, b, c, d, e, f, g, h, i]: Matrix, [x, y, z]: Vector): Vector => [
  a * x + b * y + c * z,
  d * x + e * y + f * z,
  g * x + h * y + i * z,
];
const each = ([a, b, c]: Vector, change: (value: number) => number): Vector => [change(a), change(b), change(c)];

function linear(color: string): Vector {
  const value = Number.parseInt(color.slice(1), 16);
  return each([value >> 16, (value >> 8) & 255, value & 255], (channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}

function oklab(color: string, eyes: Matrix): Vector {
  const seen = each(times(eyes, linear(color)), (value) => Math.min(1, Math.max(0, value)));
  return times(LAB, each(times(LMS, seen), Math.cbrt));
}
const distance = ([a, b, c]: Vector, [x, y, z]: Vector): number => Math.hypot(a - x, b - y, c - z);

test.each(Object.entries(EYES))('any two series colours can be distinguished with %s', (_, eyes) => {
  const colors = [...SERIES_COLORS, OTHERS_COLOR].map((color) => oklab(color, eyes));
  for (const [index, one] of colors.entries()) {
    for (const other of colors.slice(index + 1)) expect(distance(one, other)).toBeGreaterThan(0.059);
    expect(one[0]).toBeLessThan(0.8);
  }
});

test('heatmap colours go from light to dark, and labels on them have enough contrast', () => {
  const luminance = (color: string): number =>
    linear(color).reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);
  for (const colors of [HEAT_COLORS, NEGATIVE_COLORS]) {
    const shades = [MIDDLE_COLOR, ...colors].map(luminance);
    expect(shades).toEqual(shades.toSorted((a, b) => b - a));
  }
  const contrast = (ink: string, shade: number): number => {
    const pair = [luminance(ink) + 0.05, shade + 0.05];
    return Math.max(...pair) / Math.min(...pair);
  };
  expect(contrast(INK.title, DARK_TEXT_FROM)).toBeGreaterThan(4);
  expect(contrast(INK.card, DARK_TEXT_FROM)).toBeGreaterThan(4);
});

test.each(Object.entries(EYES))('positive and negative values of a heatmap can be distinguished with %s', (_, eyes) => {
  for (const [index, color] of HEAT_COLORS.entries()) {
    const [one, other] = [oklab(color, eyes), oklab(NEGATIVE_COLORS[index] ?? '', eyes)];
    // The lightest are next to zero.
    expect(distance(one, other)).toBeGreaterThan(index === 0 ? 0.03 : 0.059);
  }
});
