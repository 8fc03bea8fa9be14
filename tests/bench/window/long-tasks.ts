import type { Page } from 'playwright'

/**
 * Returns the longest task of the page during `work` and shortly afterwards, in milliseconds, or 0 if no task took 50
 * ms.
 */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
	await page.evaluate(`(() => {
		globalThis.longTasks = []
		globalThis.longTaskObserver = new PerformanceObserver(list => longTasks.push(...list.getEntries().map(entry => entry.duration)))
		longTaskObserver.observe({ entryTypes: ['longtask'] })
	})()`)
	await work()
	await page.waitForTimeout(3_000)
	return page.evaluate<number>('longTaskObserver.disconnect(), Math.max(0, ...longTasks)')
}
