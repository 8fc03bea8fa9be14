import type { Page } from 'playwright'
import sharp from 'sharp'

/** Joins screenshots of a page to one moving picture: an animated WebP without loss, which repeats. */
export class MovingPicture {
	readonly #frames: Buffer[] = []
	readonly #delaysMs: number[] = []

	/** Adds what the page shows, for a time to read it. */
	async take(page: Page, shownMs: number): Promise<void> {
		this.#frames.push(await page.screenshot())
		this.#delaysMs.push(shownMs)
	}

	/** All pictures must have the same size. @returns the size of the file in bytes and the number of its frames */
	async write(path: string): Promise<{ readonly sizeBytes: number; readonly frames: number }> {
		const { size } = await sharp(this.#frames, { join: { animated: true } })
			.webp({ lossless: true, effort: 6, minSize: true, delay: this.#delaysMs, loop: 0 })
			.toFile(path)
		const { pages = 1 } = await sharp(path).metadata()
		return { sizeBytes: size, frames: pages }
	}
}
