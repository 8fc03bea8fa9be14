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

/** Returns the layout: what is referred to stands left of what refers to it. */
export function laidOut({ sizes, relations }: LayoutQuestion): Layout {
	const related = new Set(relations.flatMap(({ from, to }) => [from, to]))
	const graph = new Graph({ multigraph: true })
	graph.setGraph({ rankdir: 'LR', ...between })
	graph.setDefaultEdgeLabel(() => ({}))
	// The library keeps its nodes in plain objects, where a table with the name of one of their members would be lost.
	const ids = new Map([...sizes.keys()].map((name, at) => [name, `table ${at}`]))
	const idOf = (name: string) => ids.get(name) ?? ''
	for (const [name, size] of sizes) if (related.has(name)) graph.setNode(idOf(name), { ...size })
	for (const [at, { from, to }] of relations.entries())
		if (from !== to) graph.setEdge(idOf(to), idOf(from), {}, String(at))
	layout(graph)
	const boxes = new Map<string, Box>()
	for (const name of sizes.keys()) {
		if (!related.has(name)) continue
		const { x, y, width, height } = graph.node(idOf(name))
		boxes.set(name, { x: x - width / 2, y: y - height / 2, width, height })
	}
	const bends = relations.map(({ from, to }, at): readonly Point[] => {
		if (from === to) return []
		const points: readonly Point[] = graph.edge(idOf(to), idOf(from), String(at)).points
		// The first and the last one are at the borders of the two tables.
		return points.slice(1, -1).map(({ x, y }) => ({ x, y }))
	})
	const { width = 0, height = 0 } = related.size > 0 ? graph.graph() : {}
	const lonely = [...sizes].filter(([name]) => !related.has(name))
	return { boxes, bends, size: placeInRows(lonely, { boxes, width, height }) }
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
