import { Graph, layout } from '@dagrejs/dagre'
import type { Relation } from './schema-graph.ts'

/** Where the tables and keys of a diagram are drawn, in pixels from the top left corner. Pure. */

export interface Size {
	readonly width: number
	readonly height: number
}

export interface Point {
	readonly x: number
	readonly y: number
}

/** A box, by its top left corner. */
export interface Box extends Point, Size {}

export interface LayoutQuestion {
	/** By the names of the tables. */
	readonly sizes: ReadonlyMap<string, Size>
	readonly relations: readonly Pick<Relation, 'from' | 'to'>[]
}

export interface Layout {
	readonly boxes: ReadonlyMap<string, Box>
	/** By the place of a relation: where its line passes between tables that are not its own. */
	readonly bends: readonly (readonly Point[])[]
	readonly size: Size
}

const between = { nodesep: 28, ranksep: 72, edgesep: 12, marginx: 24, marginy: 24 }
/** Tables without a relation stand in rows below the others. */
const gap = 28

/** How wide a diagram of many groups is for its height, as a window is. */
const wideness = 1.6

/** Returns the layout: what is referred to stands left of what refers to it. Groups without a relation between them stand in rows. */
export function laidOut({ sizes, relations }: LayoutQuestion): Layout {
	const related = new Set(relations.flatMap(({ from, to }) => [from, to]))
	const boxes = new Map<string, Box>()
	const bends: (readonly Point[])[] = relations.map(() => [])
	const groups = groupsOf(relations).map(names => groupOf(names, { sizes, relations }))
	const area = groups.reduce((sum, { size }) => sum + size.width * size.height, 0)
	const most = Math.max(Math.sqrt(area * wideness), ...groups.map(({ size }) => size.width))
	let [left, top, tallest, width] = [0, 0, 0, 0]
	for (const group of groups.toSorted((one, other) => other.size.height - one.size.height)) {
		if (left > 0 && left + group.size.width > most) [left, top, tallest] = [0, top + tallest, 0]
		for (const [name, box] of group.boxes) boxes.set(name, { ...box, x: box.x + left, y: box.y + top })
		for (const [at, points] of group.bends) bends[at] = points.map(({ x, y }) => ({ x: x + left, y: y + top }))
		left += group.size.width
		tallest = Math.max(tallest, group.size.height)
		width = Math.max(width, left)
	}
	const lonely = [...sizes].filter(([name]) => !related.has(name))
	return { boxes, bends, size: placeInRows(lonely, { boxes, width, height: top + tallest }) }
}

/** Returns the tables that relations join, directly or through others. */
function groupsOf(relations: LayoutQuestion['relations']): readonly ReadonlySet<string>[] {
	const groups = new Map<string, Set<string>>()
	for (const { from, to } of relations) {
		const [one, other] = [groups.get(from) ?? new Set([from]), groups.get(to) ?? new Set([to])]
		const joined = one.union(other)
		for (const name of joined) groups.set(name, joined)
	}
	return [...new Set(groups.values())]
}

interface Group {
	readonly boxes: ReadonlyMap<string, Box>
	/** By the place of the relation. */
	readonly bends: ReadonlyMap<number, readonly Point[]>
	readonly size: Size
}

function groupOf(names: ReadonlySet<string>, { sizes, relations }: LayoutQuestion): Group {
	const graph = new Graph({ multigraph: true })
	graph.setGraph({ rankdir: 'LR', ...between })
	graph.setDefaultEdgeLabel(() => ({}))
	// The library keeps its nodes in plain objects, where a table with the name of one of their members would be lost.
	const ids = new Map([...names].map((name, at) => [name, `table ${at}`]))
	const idOf = (name: string) => ids.get(name) ?? ''
	for (const name of names) graph.setNode(idOf(name), { ...sizes.get(name) })
	const lines = [...relations.entries()].filter(([, { from, to }]) => from !== to && names.has(from))
	for (const [at, { from, to }] of lines) graph.setEdge(idOf(to), idOf(from), {}, String(at))
	layout(graph)
	const boxes = [...names].map((name): readonly [string, Box] => {
		const { x, y, width, height } = graph.node(idOf(name))
		return [name, { x: x - width / 2, y: y - height / 2, width, height }]
	})
	const bends = lines.map(([at, { from, to }]): readonly [number, readonly Point[]] => {
		const points: readonly Point[] = graph.edge(idOf(to), idOf(from), String(at)).points
		// The first and the last one are at the borders of the two tables.
		return [at, points.slice(1, -1).map(({ x, y }) => ({ x, y }))]
	})
	const { width = 0, height = 0 } = graph.graph()
	return { boxes: new Map(boxes), bends: new Map(bends), size: { width, height } }
}

function placeInRows(
	lonely: readonly (readonly [string, Size])[],
	{ boxes, width, height }: { readonly boxes: Map<string, Box> } & Size,
): Size {
	const margin = between.marginx
	const most = Math.max(width, lonely.reduce((sum, [, size]) => sum + size.width, 0) / Math.sqrt(lonely.length || 1), 1)
	let [x, y, tallest, widest] = [margin, height === 0 ? margin : height, 0, width]
	for (const [name, size] of lonely) {
		if (x > margin && x + size.width + margin > most) {
			x = margin
			y += tallest + gap
			tallest = 0
		}
		boxes.set(name, { x, y, ...size })
		x += size.width + gap
		tallest = Math.max(tallest, size.height)
		widest = Math.max(widest, x - gap + margin)
	}
	return { width: widest, height: lonely.length === 0 ? height : y + tallest + margin }
}
