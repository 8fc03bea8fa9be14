import type { Box, Layout, Point } from './layout.ts'
import { type Detail, type Relation, type SchemaGraph, shownColumns } from './schema-graph.ts'

/** Lines between tables: from the column that is referred to, to the column that refers to it. Pure. */

export const headHeight = 30
export const lineHeight = 22
const radius = 6
/** Length of a mark at the end of a line. */
const mark = 9
/** Lines beside each other in one channel are this far apart. */
const apart = 5

export interface DiagramLine {
	readonly relation: Relation
	/** Data of an SVG path: the line, its bar at one and its crow's foot at the other end. */
	readonly path: string
}

/** Returns the lines of a graph that is laid out. */
export function linesOf({ tables, relations }: SchemaGraph, layout: Layout, detail: Detail): readonly DiagramLine[] {
	const shown = new Map(tables.map(table => [table.name, shownColumns(table, detail).shown]))
	const portAt = (box: Box, table: string, [first]: readonly string[]) => {
		const at = shown.get(table)?.findIndex(({ column }) => column.name === first) ?? -1
		return box.y + (at < 0 ? headHeight / 2 : headHeight + (at + 0.5) * lineHeight)
	}
	return relations.flatMap((relation, at) => {
		const [to, from] = [layout.boxes.get(relation.to), layout.boxes.get(relation.from)]
		if (!to || !from) return []
		const [one, many] = [portAt(to, relation.to, relation.toColumns), portAt(from, relation.from, relation.columns)]
		const shift = ((at % 5) - 2) * apart
		return [{ relation, path: pathBetween({ box: to, y: one }, { box: from, y: many }, layout.bends[at] ?? [], shift) }]
	})
}

interface Port {
	readonly box: Box
	readonly y: number
}

function pathBetween(one: Port, many: Port, bends: readonly Point[], shift: number): string {
	const isRight = many.box.x >= one.box.x + one.box.width + 2 * mark
	const isLeft = one.box.x >= many.box.x + many.box.width + 2 * mark
	const right = ({ box }: Port) => box.x + box.width
	const [start, end]: readonly [Point, Point] = [
		{ x: isLeft ? one.box.x : right(one), y: one.y },
		{ x: isRight ? many.box.x : right(many), y: many.y },
	]
	const [outward, inward] = [isLeft ? -1 : 1, isRight ? -1 : 1]
	// Above each other, or a table that refers to itself: the line goes around at the right.
	const around = [{ x: Math.max(right(one), right(many)) + 3 * mark + Math.abs(shift), y: (one.y + many.y) / 2 }]
	// Between neighbours, the one bend is the channel between them.
	const passing = isRight || isLeft ? (bends.length > 1 ? bends : []) : around
	const corners = [start, ...passing, end].flatMap((point, at, all) => {
		const next = all[at + 1]
		if (!next) return [point]
		const isAround = passing === around
		const x = isAround ? (around[0]?.x ?? point.x) : (point.x + next.x) / 2 + shift
		return [point, { x, y: point.y }, { x, y: next.y }]
	})
	const barAt = start.x + (outward * mark) / 2
	const footAt = end.x + inward * mark
	return [
		rounded(corners),
		`M${barAt} ${start.y - 5}V${start.y + 5}`,
		`M${end.x} ${end.y - 5}L${footAt} ${end.y}L${end.x} ${end.y + 5}`,
	].join('')
}

/** Returns a path through points whose corners are round. Points on one line are passed without a corner. */
function rounded(points: readonly Point[]): string {
	const [first, ...rest] = points.filter(({ x, y }, at) => {
		const before = points[at - 1]
		return before === undefined || x !== before.x || y !== before.y
	})
	if (!first) return ''
	const steps = rest.map((corner, at) => {
		const [before, next] = [at === 0 ? first : rest[at - 1], rest[at + 1]]
		if (!before || !next) return `L${corner.x} ${corner.y}`
		const most = Math.min(radius, distance(before, corner) / 2, distance(corner, next) / 2)
		const [from, to] = [towards(corner, before, most), towards(corner, next, most)]
		return `L${from.x} ${from.y}Q${corner.x} ${corner.y} ${to.x} ${to.y}`
	})
	return `M${first.x} ${first.y}${steps.join('')}`
}

const distance = (one: Point, other: Point) => Math.abs(one.x - other.x) + Math.abs(one.y - other.y)

/** Returns the point between two of one line, `length` from the first. */
const towards = (from: Point, to: Point, length: number): Point => ({
	x: from.x + Math.sign(to.x - from.x) * length,
	y: from.y + Math.sign(to.y - from.y) * length,
})
