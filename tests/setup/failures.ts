import { mkdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeEach, expect } from 'vitest'
import { openPages, thrown } from '../support/browser.ts'
import { explain } from './host-logs.ts'

// Files share the modules of their worker, so each file takes the errors of the pages that it opened.
afterAll(() => {
	expect(thrown.splice(0)).toEqual([])
})

/**
 * Saves a picture of a window when its test failed, with its roles and names, in `test-results/failed`. The error gets
 * the alerts that were shown, because a log of CI has no pictures.
 */
beforeEach(({ onTestFailed }) => {
	onTestFailed(async ({ task }) => {
		const folder = 'test-results/failed'
		await mkdir(folder, { recursive: true })
		const plain = `${task.file.name.split('/').at(-1)} ${task.name}`.replace(/[^a-z0-9]+/gi, '-').slice(0, 100)
		for (const [index, page] of [...openPages].entries()) {
			const path = `${folder}/${plain}-${index + 1}`
			// A page that hangs does not cause a second failure.
			await page.screenshot({ path: `${path}.jpeg`, type: 'jpeg', timeout: 5_000 }).catch(() => {})
			const shown = await page.ariaSnapshot({ timeout: 5_000 }).catch(String)
			await writeFile(`${path}.txt`, shown)
			const alerts = await page
				.getByRole('alert')
				.allInnerTexts()
				.catch(() => [])
			if (alerts.length > 0) explain(task, `The window showed: ${alerts.join(' | ')}`)
		}
	})
})
