/** A date, a number of at least four digits, or both, at the end of a name: `2026.11.25`, `2026-11-25-000003`, `000017`. */
const ending = /(?<=.)(?:\d{4}(?:[._-]?\d{2}){0,2}(?:[._-]\d{4,})?|\d{4,})$/

/** Returns a name with `*` for a date or a number at its end, as of a table of one day; `undefined` for other names. */
export const seriesOf = (name: string): string | undefined =>
	ending.test(name) ? name.replace(ending, '*') : undefined
