import type { Page } from 'playwright'

export interface Frames {
	/** Milliseconds between two frames. */
	readonly p95: number
	readonly p99: number
	readonly longest: number
	/** The share of the cells in view that waited for their rows. */
	readonly blank: number
}

const frames = 300

/** Scrolls the visible grid by a number of pixels per frame, and measures each frame. */
export async function scrollFrames(page: Page, x: number, y: number): Promise<Frames> {
	const { taken, waiting, seen } = await page.evaluate<{ taken: number[]; waiting: number; seen: number }>(
		`new Promise(resolve => {
			const grid = [...document.querySelectorAll('.grid')].find(grid => grid.checkVisibility())
			const taken = []
			const height = grid.clientHeight
			let [before, left, waiting, seen] = [undefined, ${frames}, 0, 0]
			const step = now => {
				if (before !== undefined) taken.push(now - before)
				before = now
				// By arithmetic: asking the page where its rows are would be part of what is measured.
				const [first, last] = [grid.scrollTop / 28, (grid.scrollTop + height - 32) / 28]
				for (const row of grid.querySelectorAll('.grid-row')) {
					const index = Number(row.dataset.row)
					if (index < first - 1 || index > last) continue
					seen++
					if (row.classList.contains('waiting')) waiting++
				}
				if (left-- === 0) return resolve({ taken, waiting, seen })
				grid.scrollBy(${x}, ${y})
				requestAnimationFrame(step)
			}
			requestAnimationFrame(step)
		})`,
	)
	const sorted = taken.toSorted((a, b) => a - b)
	const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
	return { p95: at(0.95), p99: at(0.99), longest: sorted.at(-1) ?? 0, blank: seen === 0 ? 0 : waiting / seen }
}
