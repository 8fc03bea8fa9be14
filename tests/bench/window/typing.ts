import type { Page } from 'playwright'

/**
 * Measures the work for each of a hundred key presses in the focused editor, in milliseconds. The work includes
 * handling the key and drawing the next frame, but not the wait for that frame.
 * @returns the 95th percentile
 */
export async function typingWork(page: Page): Promise<number> {
	const taken = await page.evaluate<number[]>(`(async () => {
		const taken = []
		for (let key = 0; key < 100; key++) {
			const since = performance.now()
			document.execCommand('insertText', false, 'x')
			let work = performance.now() - since
			await new Promise(resolve => requestAnimationFrame(() => {
				const drawing = performance.now()
				const { port1, port2 } = new MessageChannel()
				port1.onmessage = () => {
					work += performance.now() - drawing
					resolve()
				}
				port2.postMessage(null)
			}))
			taken.push(work)
		}
		return taken
	})()`)
	return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? 0
}
