import type { Locator, Page } from 'playwright'

/** How a person works a window: with a pointer, or with keys alone. Both type what has letters. */
export interface Hand {
	readonly name: string
	/** Does what a click on it does. */
	use(target: Locator): Promise<void>
	/** Puts a text into a field in place of what is there. */
	fill(field: Locator, text: string): Promise<void>
	/** Chooses from the menu of something. */
	choose(from: Locator, entry: string): Promise<void>
	/** Chooses an option of a field that has a list. */
	pick(field: Locator, label: string): Promise<void>
}

/** By its whole label, beside which its keys stand. */
const menuEntry = (page: Page, label: string) =>
	page.getByRole('menuitem').filter({ has: page.getByText(label, { exact: true }) })

export function mouse(page: Page): Hand {
	return {
		name: 'mouse',
		use: target => target.click(),
		async fill(field, text) {
			await field.click({ clickCount: 3 })
			await page.keyboard.insertText(text)
		},
		async choose(from, entry) {
			await from.click({ button: 'right' })
			await menuEntry(page, entry).click()
			await page.getByRole('menu').waitFor({ state: 'detached' })
		},
		// The list that opens belongs to the system, where no test points.
		async pick(field, label) {
			await field.selectOption({ label })
		},
	}
}

/** More steps than anything in the window is away. */
const mostSteps = 120

/** Nothing here points: what is wanted is gone to, by Tab, F6 and arrows, as a person without a pointer would. */
export function keyboard(page: Page): Hand {
	const press = (keys: string) => page.keyboard.press(keys)
	const hasFocus = (target: Locator) => target.evaluate(element => element === element.ownerDocument.activeElement)
	/** Where Tab has another meaning F6 moves on, and at the end of the page the walk starts again. */
	const next = () =>
		page.evaluate<string>(
			"document.activeElement?.matches('.cm-editor *, [role=grid], [role=grid] *, body') && !document.querySelector('[role=dialog]') ? 'F6' : 'Tab'",
		)

	/** What stands before the focus in the same part of the window. */
	const isBehind = (target: Locator) =>
		target.evaluate(element => {
			const parts = 'aside, nav, [role=dialog], .tabs'
			const now = element.ownerDocument.activeElement
			const part = now?.closest(parts)
			if (!now || !part || part !== element.closest(parts) || now.closest('.cm-editor')) return false
			return (element.compareDocumentPosition(now) & 4) !== 0
		})

	/** Tabs of the window stand in a line, those of a dialog one below the other. */
	const arrow = () => page.evaluate<string>("document.activeElement?.closest('.tabs') ? 'ArrowRight' : 'ArrowDown'")

	async function reach(target: Locator): Promise<void> {
		await target.waitFor()
		// Of tabs and choices one alone is a stop of Tab; arrows go on from there.
		const isOneOfGroup = await target.evaluate(element =>
			element.matches('[role=tab], [role=radio], input[type=radio]'),
		)
		for (let step = 0; step < mostSteps; step++) {
			if (await hasFocus(target)) return
			const isNear =
				isOneOfGroup &&
				(await target.evaluate(element => {
					const now = element.ownerDocument.activeElement
					const name = element.getAttribute('name')
					const group = element.closest('[role=tablist], [role=radiogroup], .tabs')
					if (name !== null) return now?.getAttribute('name') === name
					return now?.getAttribute('role') === element.getAttribute('role') && group?.contains(now) === true
				}))
			await press(isNear ? await arrow() : (await isBehind(target)) ? 'Shift+Tab' : await next())
		}
		throw new Error(`No key leads to ${target}.`)
	}
	return {
		name: 'keyboard',
		async use(target) {
			await reach(target)
			const isChoice = await target.evaluate(element =>
				element.matches('input[type=radio], input[type=checkbox], [role=radio]'),
			)
			await press(isChoice ? 'Space' : 'Enter')
		},
		async fill(field, text) {
			await reach(field)
			await press('ControlOrMeta+a')
			await press('Delete')
			await page.keyboard.insertText(text)
		},
		async choose(from, entry) {
			await reach(from)
			await press('Shift+F10')
			const wanted = menuEntry(page, entry)
			await wanted.waitFor()
			for (let step = 0; step < mostSteps && !(await hasFocus(wanted)); step++) await press('ArrowDown')
			await press('Enter')
			await page.getByRole('menu').waitFor({ state: 'detached' })
		},
		async pick(field, label) {
			await reach(field)
			await page.keyboard.type(label)
		},
	}
}
