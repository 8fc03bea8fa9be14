import type { Cell } from '../../host/ui-server/api.ts'
import { copyText } from '../cells/cell-text.ts'
import type { ResultRows } from './answer.ts'

/** A row as it is drawn. */
export interface ChartPoint {
	readonly label: string
	/** Along the axis: an instant, or the place of the key. */
	readonly at: number
	/** Nothing where the row has no number there. */
	readonly value: number | undefined
	/** The number as it came. */
	readonly text: string
}

/** More bars than this cannot be told from one another. */
export const mostBars = 60
/** More points of a line than a screen has across are not seen, and each is drawn and read out. */
export const mostDots = 2_000

/** What is drawn of rows, for one column of numbers. A line is drawn for what a double makes of them. */
export function chartPoints({ columns, rows, chart }: ResultRows, column: string): readonly ChartPoint[] {
	if (!chart) return []
	const placeOf = (name: string) => columns.findIndex(other => other.name === name)
	const [by, value] = [placeOf(chart.by), placeOf(column)]
	const points = (chart.isTime ? rows : rows.slice(0, mostBars)).flatMap((row, index): ChartPoint[] => {
		const label = copyText(row[by] ?? null)
		const at = chart.isTime ? instantOf(row[by] ?? null) : index
		if (label === '' || Number.isNaN(at)) return []
		const text = copyText(row[value] ?? null)
		const number = text === '' ? Number.NaN : Number(text)
		return [{ label, at, value: Number.isFinite(number) ? number : undefined, text }]
	})
	return chart.isTime ? outlined(points.sort((a, b) => a.at - b.at)) : points
}

/** Of more points than are drawn the least and the most of each stretch, so that no peak is lost. */
function outlined(points: readonly ChartPoint[]): readonly ChartPoint[] {
	if (points.length <= mostDots) return points
	const stretch = Math.ceil((2 * points.length) / mostDots)
	return Array.from({ length: Math.ceil(points.length / stretch) }, (_, index) => {
		const those = points.slice(index * stretch, (index + 1) * stretch)
		const numbers = those.filter(({ value }) => value !== undefined)
		if (numbers.length === 0) return those.slice(0, 1)
		const [least, most] = [
			numbers.reduce((a, b) => ((b.value ?? 0) < (a.value ?? 0) ? b : a)),
			numbers.reduce((a, b) => ((b.value ?? 0) > (a.value ?? 0) ? b : a)),
		]
		return [...new Set([least, most])].sort((a, b) => a.at - b.at)
	}).flat()
}

const lastInstant = 8.64e15

function instantOf(cell: Cell): number {
	const at = typeof cell === 'number' ? cell : Date.parse(copyText(cell))
	// What is no date of the browser's cannot be written as one.
	return Math.abs(at) <= lastInstant ? at : Number.NaN
}

/** Round numbers that span the values, zero among them. */
export function ticksOf(values: readonly number[]): readonly number[] {
	let [least, most] = [0, 0]
	for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)]
	// Divided first: the whole of it may be more than a double holds.
	const rough = most / 4 - least / 4
	const power = 10 ** Math.floor(Math.log10(rough))
	if (power === 0) return [0, 1]
	const step = power * ([1, 2, 5, 10].find(factor => factor * power >= rough) ?? 10)
	const first = Math.floor(least / step)
	const last = Math.ceil(most / step)
	// What is added up step by step would end in digits that nobody asked for.
	return Array.from({ length: last - first + 1 }, (_, index) => {
		const tick = Number(((first + index) * step).toPrecision(12))
		return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, tick))
	})
}

const twoDays = 2 * 86_400_000

/**
 * An instant in the words of the engine, as short as the others leave it: in the person's own zone a bucket of a day
 * would be named after the day before.
 */
export function shortTime({ label, at }: ChartPoint, points: readonly ChartPoint[]): string {
	const written = /^\d{4}-\d\d-\d\dT/.test(label) ? label : new Date(at).toISOString()
	const isLong = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0) >= twoDays
	return isLong ? written.slice(0, 10) : written.slice(5, 16).replace('T', ' ')
}
