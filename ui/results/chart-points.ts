import type { Cell } from '../../host/api/api.ts'
import { copyText } from '../cells/cell-text.ts'
import type { ResultRows } from './answer.ts'

/** A row as drawn. */
export interface ChartPoint {
	readonly label: string
	/** Position on the axis: an instant, or the index of the key. */
	readonly at: number
	/** Undefined if the row has no number there. */
	readonly value: number | undefined
	/** The number with its original digits. */
	readonly text: string
}

/** More bars than this cannot be told apart. */
export const mostBars = 60
/** A line needs no more points than a screen has columns, and each one is drawn and read out. */
export const mostDots = 2_000

/** Returns the points of one numeric column. A line is drawn from doubles. */
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

/** If there are more points than are drawn, keeps the minimum and maximum of each section, so that no peak is lost. */
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
	// A value that is no date of the browser cannot be formatted.
	return Math.abs(at) <= lastInstant ? at : Number.NaN
}

/** Returns round numbers that span the values and zero. */
export function ticksOf(values: readonly number[]): readonly number[] {
	let [least, most] = [0, 0]
	for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)]
	// Divides first, because the span may exceed a double.
	const rough = most / 4 - least / 4
	const power = 10 ** Math.floor(Math.log10(rough))
	if (power === 0) return [0, 1]
	const step = power * ([1, 2, 5, 10].find(factor => factor * power >= rough) ?? 10)
	const first = Math.floor(least / step)
	const last = Math.ceil(most / step)
	// Repeated addition would add digits.
	return Array.from({ length: last - first + 1 }, (_, index) => {
		const tick = Number(((first + index) * step).toPrecision(12))
		return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, tick))
	})
}

const twoDays = 2 * 86_400_000

/**
 * Formats an instant in UTC, as short as the others allow. In the user's zone, a bucket of a day could show the
 * previous day.
 */
export function shortTime({ label, at }: ChartPoint, points: readonly ChartPoint[]): string {
	const written = /^\d{4}-\d\d-\d\dT/.test(label) ? label : new Date(at).toISOString()
	const isLong = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0) >= twoDays
	return isLong ? written.slice(0, 10) : written.slice(5, 16).replace('T', ' ')
}
