/** Plan types of accounts, channels and templates ("Plan types" in the API document). */
export const PLAN_TYPES = { 1: 'Free', 2: 'Pro', 3: 'Business', 4: 'Enterprise' } as const;

/** Plan types of projects ("Plan types"). */
export const PROJECT_PLAN_TYPES = { 1: 'standard', 2: 'edge' } as const;

/** The documented status values of channels and of templates ("States and transitions"). */
export const CHANNEL_STATUS = { 1: 'Published' } as const;
export const TEMPLATE_STATUS = { 1: 'Active' } as const;

type Names = Readonly<Record<number, string>>;

/** The documented name of a number, or the number. */
export function nameOf(names: Names, value: number | undefined): string | number | undefined {
  return value === undefined ? undefined : (names[value] ?? value);
}

/** The number that a documented name or number stands for. */
export function numberFor(names: Names, value: string | number): number | undefined {
  const entry = Object.entries(names).find(
    ([number, name]) => number === String(value) || name.toLowerCase() === String(value).toLowerCase(),
  );
  return entry === undefined ? undefined : Number(entry[0]);
}
