import { mkdir, rm } from 'node:fs/promises'
import type { Page } from 'playwright'

/** The tested widths of the window, with the heights of typical screens. */
const sizes = [
	{ width: 1440, height: 900 },
	{ width: 1024, height: 768 },
	{ width: 800, height: 600 },
]
/**
 * One picture in each theme, one at the greatest width and one at the smallest. Six pictures take as long as all other
 * steps of a screen.
 */
const usual: ReadonlySet<string> = new Set(['1440-light', '800-dark'])
const wanted = process.env.ROUNDHOUSE_PICTURES

/**
 * Takes pictures of a run, on request: `001-grid-1440-light.jpeg`. `ROUNDHOUSE_PICTURES=1` takes two of each screen,
 * `ROUNDHOUSE_PICTURES=all` six. The pictures of the last run are removed.
 */
export class Pictures {
	readonly #folder: string
	readonly #places = new Map<string, number>()

	private constructor(folder: string) {
		this.#folder = folder
	}

	static async into(folder: string): Promise<Pictures> {
		await rm(folder, { recursive: true, force: true })
		await mkdir(folder, { recursive: true })
		return new Pictures(folder)
	}

	/** Restores the width of the page. */
	async take(page: Page, name: string, colours: 'light' | 'dark'): Promise<void> {
		if (!wanted) return
		const before = page.viewportSize()
		const place = this.#places.get(name) ?? this.#places.size + 1
		this.#places.set(name, place)
		const plain = name.replace(/[^a-z0-9]+/gi, '-').toLowerCase()
		for (const size of sizes.filter(({ width }) => wanted === 'all' || usual.has(`${width}-${colours}`))) {
			await page.setViewportSize(size)
			// Elements that measure themselves are drawn again two frames later.
			await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
			const path = `${this.#folder}/${String(place).padStart(3, '0')}-${plain}-${size.width}-${colours}.jpeg`
			await page.screenshot({ path, type: 'jpeg', quality: 80 })
		}
		if (before) await page.setViewportSize(before)
	}
}
