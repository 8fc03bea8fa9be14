import type { Cell } from '../../host/api/api.ts'
import { copyText } from '../cells/cell-text.ts'
import { chartColumns, type ResultRows } from './chart-columns.ts'

/** What a chart draws. Columns are indices, because names may repeat. */
export interface ChartData {
	readonly columns: readonly string[]
	readonly rows: readonly (readonly unknown[])[]
	/** Returns the text of a value in a row; `undefined` for a missing one. */
	textOf(value: unknown): string | undefined
	readonly by: number
	/** The column with the parts of each bar; `undefined` if a bar has one part. */
	readonly stack: number | undefined
	readonly values: readonly number[]
	readonly isTime: boolean
}

const isMissing = (cell: Cell | undefined): cell is undefined | { missing: true } =>
	cell === undefined || (typeof cell === 'object' && cell !== null && 'missing' in cell)

/** Returns the chart of a result. Its driver names the columns, or there are only two; of equal names the first one is meant. */
export function chartOf(result: ResultRows): ChartData | undefined {
	const chart = chartColumns(result)
	if (!chart) return undefined
	const { columns, rows } = result
	const { by, stack, values, isTime } = chart
	const names = columns.map(({ name }) => name)
	return {
		columns: names,
		rows,
		isTime,
		by: names.indexOf(by),
		textOf: value => {
			const cell = value as Cell | undefined
			if (isMissing(cell)) return undefined
			return cell === null ? 'null' : copyText(cell)
		},
		stack: stack === undefined ? undefined : names.indexOf(stack),
		values: values.map(name => names.findIndex((other, index) => other === name && index !== names.indexOf(by))),
	}
}

/** A row as drawn. */
export interface ChartPoint {
	readonly label: string
	/** The part of a bar; empty if bars have one part. */
	readonly part: string
	/** Position on the axis: an instant, or the index of the key. */
	readonly at: number
	/** Where the bar begins: at 0, or at the end of the part before it. */
	readonly from: number
	/** Undefined if the row has no number there. */
	readonly value: number | undefined
	/** The number with its original digits. */
	readonly text: string
}

/** More bars than this cannot be told apart. */
export const mostBars = 200
/** A line needs no more points than a screen has columns, and each one is drawn and read out. */
export const mostDots = 2_000

/** Returns the points of one numeric column: all of bars, the outline of a line. They are drawn from doubles. */
export function chartPoints({ rows, textOf, by, stack, isTime }: ChartData, column: number): readonly ChartPoint[] {
	const isLine = isTime && stack === undefined
	const positions = new Map<string | number, number>()
	/** Bars of one part may have equal labels. */
	const positionOf = (key: string | number) => {
		const position = positions.get(key) ?? positions.size
		positions.set(key, position)
		return position
	}
	const points = rows.flatMap((row, index): ChartPoint[] => {
		const label = textOf(row[by]) ?? ''
		const part = stack === undefined ? '' : textOf(row[stack])
		// A row without a part has the values over all parts.
		if (label === '' || part === undefined) return []
		const at = isTime ? instantOf(row[by], label) : positionOf(stack === undefined ? index : label)
		if (Number.isNaN(at)) return []
		const text = row[column] === null ? '' : (textOf(row[column]) ?? '')
		const number = text === '' ? Number.NaN : Number(text)
		const value = Number.isFinite(number) ? number : undefined
		return [{ label, part, at, from: 0, value, text }]
	})
	if (isTime) points.sort((a, b) => a.at - b.at)
	if (stack !== undefined) return stacked(points)
	return isLine ? outlined(points, mostDots) : points
}

/** Places the parts of each bar on each other, in the same order in all bars. */
function stacked(points: readonly ChartPoint[]): readonly ChartPoint[] {
	const order = new Map(partsOf(points).map((part, place) => [part, place]))
	const ends = new Map<string, number>()
	return points
		.toSorted((a, b) => (order.get(a.part) ?? 0) - (order.get(b.part) ?? 0))
		.map(point => {
			const side = `${point.at} ${(point.value ?? 0) < 0}`
			const from = ends.get(side) ?? 0
			ends.set(side, from + (point.value ?? 0))
			return { ...point, from }
		})
		.sort((a, b) => a.at - b.at)
}

/** Parts with a separate colour. The others are grey. */
export const mostColours = 7

/** Returns the parts of the bars, the largest first. */
export function partsOf(points: readonly ChartPoint[]): readonly string[] {
	const sizes = new Map<string, number>()
	for (const { part, value } of points) sizes.set(part, (sizes.get(part) ?? 0) + Math.abs(value ?? 0))
	return [...sizes].sort(([, a], [, b]) => b - a).map(([part]) => part)
}

/** Number of neighbours of which two are drawn, the least and the most; 1 if all are drawn. */
export const stretchOf = (count: number, limit: number): number => (count <= limit ? 1 : Math.ceil((2 * count) / limit))

/** If there are more points than are drawn, keeps the minimum and maximum of each section, so that no peak is lost. */
function outlined<P extends Pick<ChartPoint, 'at' | 'value'>>(points: readonly P[], limit: number): readonly P[] {
	const stretch = stretchOf(points.length, limit)
	if (stretch === 1) return points
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

/** Parts of all bars together, each of which is a rectangle. */
const mostParts = 10_000

/** Number of bars that are drawn, of so many that have so many points in all. */
export const barsOf = (count: number, points: number): number =>
	Math.min(mostBars, Math.max(2, Math.floor((mostParts * count) / points)))

/** Returns the points of bars that are drawn: the outline of all bars. */
export function drawnBars(points: readonly ChartPoint[], isTime: boolean): readonly ChartPoint[] {
	const totals = new Map<number, number>()
	for (const { at, value } of points) totals.set(at, (totals.get(at) ?? 0) + (value ?? 0))
	const bars = outlined(
		[...totals].map(([at, value]) => ({ at, value })),
		barsOf(totals.size, points.length),
	)
	const places = new Map(bars.map(({ at }, index) => [at, isTime ? at : index]))
	return points.flatMap(point => {
		const at = places.get(point.at)
		return at === undefined ? [] : [{ ...point, at }]
	})
}

const lastInstant = 8.64e15

function instantOf(value: unknown, text: string): number {
	const at = typeof value === 'number' ? value : Date.parse(text)
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

const day = 86_400_000

const dated = /^\d{4}-\d\d-\d\d[T ]\d\d:/

const midnight = /^.{10}[T ]00:00(?::00(?:\.0+)?)?(?![\d:.])/

/** By the clock of the label. Without one, in UTC. */
const isMidnight = ({ label, at }: ChartPoint) => (dated.test(label) ? midnight.test(label) : at % day === 0)

/**
 * Formats an instant as its label does, else in UTC, as short as the others allow. In another zone, a bucket of a day could
 * show the previous day.
 */
export function shortTime({ label, at }: ChartPoint, points: readonly ChartPoint[]): string {
	const written = dated.test(label) ? label : new Date(at).toISOString()
	const isLong = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0) >= 2 * day
	// Buckets of hours in some days would have equal labels.
	return isLong && points.every(point => isMidnight(point))
		? written.slice(0, 10)
		: written.slice(5, 16).replace('T', ' ')
}
