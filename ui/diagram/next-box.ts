import type { Box } from './layout.ts'

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
	ArrowLeft: [-1, 0],
	ArrowRight: [1, 0],
	ArrowUp: [0, -1],
	ArrowDown: [0, 1],
}
/** How much a step to the side counts more than one ahead. */
const aside = 2

/**
 * Returns the name of the nearest box in the direction of an arrow key, or `undefined` for another key and at the edge.
 * Pure.
 */
export function nextBox(boxes: ReadonlyMap<string, Box>, from: string | undefined, key: string): string | undefined {
	const [x, y] = directions[key] ?? []
	const here = from === undefined ? undefined : boxes.get(from)
	if (x === undefined || y === undefined || !here) return undefined
	const middle = (box: Box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
	const start = middle(here)
	let best: { readonly name: string; readonly cost: number } | undefined
	for (const [name, box] of boxes) {
		const there = middle(box)
		const ahead = (there.x - start.x) * x + (there.y - start.y) * y
		if (name === from || ahead <= 1) continue
		const cost = ahead + aside * Math.abs((there.x - start.x) * y + (there.y - start.y) * x)
		if (!best || cost < best.cost) best = { name, cost }
	}
	return best?.name
}
