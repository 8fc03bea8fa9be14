import { expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'

/** Chooses an entry of the menu at the end of a toolbar. */
export async function chooseMore(within: Pick<Locator, 'getByRole'>, entry: string): Promise<void> {
	await within.getByRole('button', { name: 'More', exact: true }).click()
	// Its keys are a part of its name.
	await chooseEntry(new RegExp(`^${entry}`))
	// It gives the focus back when it has gone.
	await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
}

/** Chooses an entry of the menu of a connection in the sidebar. */
export async function chooseOfConnection(name: string, entry: string): Promise<void> {
	await page.getByRole('button', { name: `Actions for ${name}` }).click()
	await chooseEntry(entry)
	await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
}

/** Chooses an entry of the open menu, also one under *More*. */
export async function chooseEntry(name: string | RegExp): Promise<void> {
	const entry = page.getByRole('menuitem', { name, exact: typeof name === 'string' }).first()
	await expect.element(page.getByRole('menuitem').first()).toBeVisible()
	if (entry.query() === null) {
		const more = page.getByRole('menuitem', { name: 'More', exact: true })
		await more.hover()
		await expect.element(entry).toBeVisible()
		// Within the entry towards its menu, as a hand does: a jump would be taken for a way past it.
		const [from, to] = [more.element().getBoundingClientRect(), entry.element().getBoundingClientRect()]
		await more.hover({ position: { x: to.left < from.left ? 4 : from.width - 4, y: from.height / 2 } })
	}
	await entry.click()
}
