import type { Page } from 'playwright'

/** Longest of the tasks that held the page while `work` was done and for a moment after, in milliseconds; 0 where none was of 50. */
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
