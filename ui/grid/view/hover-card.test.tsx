import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openWindow } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'
import { fakeLogs } from '../../testing/logs.ts'

/** The card with the whole text of a cell, or the times of a date. */

test('the card of the focused cell ends when the focus leaves the rows', async () => {
	const window = await openWindow({ tables: [fakeLogs()] })
	const logs = await window.openTable('logs-app')
	await logs.cell(0, '@timestamp').click()
	await press('ArrowDown')
	await expect.element(page.getByRole('tooltip')).toBeVisible()
	// Without the pointer, which leaving the rows would end it too.
	logs.root.getByRole('searchbox', { name: 'Query' }).element().focus()
	await expect.element(page.getByRole('tooltip'), { timeout: 5_000 }).not.toBeInTheDocument()
})
