import type { Locator, Page } from 'playwright'

/** The actions of a user in a window, by pointer or by keys only. Both type texts. */
export interface Hand {
	readonly name: string
	/** Activates a control, like a click. */
	use(target: Locator): Promise<void>
	/** Replaces the text of a field. */
	fill(field: Locator, text: string): Promise<void>
	/** Chooses an item of the menu of an element. */
	choose(from: Locator, entry: string): Promise<void>
	/** Chooses an option of a select field. */
	pick(field: Locator, label: string): Promise<void>
}

/** Finds an item by its whole label, which is followed by its shortcut. */
const menuEntry = (page: Page, label: string) =>
	page.getByRole('menuitem').filter({ has: page.getByText(label, { exact: true }) })

function mouse(page: Page): Hand {
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
		// The opened list belongs to the system, and tests cannot click there.
		async pick(field, label) {
			await field.selectOption({ label })
		},
	}
}

/** More steps than any element of the window is away. */
const mostSteps = 120

/** Uses no pointer: moves to an element by Tab, F6 and arrow keys, like a user without a pointer. */
function keyboard(page: Page): Hand {
	const press = (keys: string) => page.keyboard.press(keys)
	const hasFocus = (target: Locator) => target.evaluate(element => element === element.ownerDocument.activeElement)
	/** In parts where Tab has another meaning, F6 moves on. At the end of the page the walk starts again. */
	const next = () =>
		page.evaluate<string>(
			"document.activeElement?.matches('.cm-editor *, .grid, .grid *, body') && !document.querySelector('[role=dialog]') ? 'F6' : 'Tab'",
		)

	/** Elements before the focus, in the same part of the window. */
	const isBehind = (target: Locator) =>
		target.evaluate(element => {
			const parts = 'aside, nav, [role=dialog], .tabs, .console-results'
			const now = element.ownerDocument.activeElement
			const part = now?.closest(parts)
			if (!now || !part || part !== element.closest(parts) || now.closest('.cm-editor')) return false
			return (element.compareDocumentPosition(now) & 4) !== 0
		})

	/** Tabs of the window and buttons of a toolbar are in a row, tabs of a dialog in a column. */
	async function arrow(isBack: boolean): Promise<string> {
		const isInRow = await page.evaluate("document.activeElement?.closest('.tabs, [role=toolbar]') !== null")
		return isInRow ? (isBack ? 'ArrowLeft' : 'ArrowRight') : isBack ? 'ArrowUp' : 'ArrowDown'
	}

	/** The grid keeps the focus, and names the cell that it is on. */
	async function reachCell(cell: Locator): Promise<void> {
		const placeOf = (one: Locator) =>
			one.evaluate(element => ({
				row: Number(element.closest('[role=row]')?.getAttribute('aria-rowindex')),
				column: Number(element.getAttribute('aria-colindex')),
			}))
		const grid = cell.locator('xpath=ancestor::*[@role="grid"]')
		await reach(grid)
		const wanted = await placeOf(cell)
		for (let step = 0; step < mostSteps; step++) {
			const now = await placeOf(page.locator(`[id="${await grid.getAttribute('aria-activedescendant')}"]`))
			if (now.row !== wanted.row) await press(now.row < wanted.row ? 'ArrowDown' : 'ArrowUp')
			else if (now.column !== wanted.column) await press(now.column < wanted.column ? 'ArrowRight' : 'ArrowLeft')
			else return
		}
		throw new Error(`No key leads to ${cell}.`)
	}

	async function reach(target: Locator): Promise<void> {
		await target.waitFor()
		if ((await target.getAttribute('role')) === 'gridcell') return reachCell(target)
		// Only one tab, choice, button of a toolbar or line of a list is a Tab stop. Arrow keys move from there.
		const isOneOfGroup = await target.evaluate(
			element => element.matches('[role=tab], [role=radio], input[type=radio]') || element.tabIndex < 0,
		)
		for (let step = 0; step < mostSteps; step++) {
			if (await hasFocus(target)) return
			const isNear =
				isOneOfGroup &&
				(await target.evaluate(element => {
					const now = element.ownerDocument.activeElement
					const name = element.getAttribute('name')
					const group = element.closest(
						'[role=tablist], [role=radiogroup], [role=toolbar], .tabs, [role=list], ul, [role=rowgroup]',
					)
					if (name !== null) return now?.getAttribute('name') === name
					return now?.getAttribute('role') === element.getAttribute('role') && group?.contains(now) === true
				}))
			const isPassed = await isBehind(target)
			if (isNear) await press(await arrow(isPassed))
			else await press(isPassed ? 'Shift+Tab' : await next())
		}
		throw new Error(`No key leads to ${target}.`)
	}
	return {
		name: 'keyboard',
		async use(target) {
			// Space chooses a line, whose box is for the pointer.
			if (await target.evaluate(element => element.matches('[role=row] input[tabindex="-1"]'))) {
				await reach(target.locator('xpath=ancestor::*[@role="row"]'))
				return press('Space')
			}
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
			// The browser adds letters to those of the last second.
			await page.waitForTimeout(1_100)
			// A keyboard has no other letters.
			await page.keyboard.type(/^[ -~]*[!-~]/.exec(label)?.[0] ?? label)
		},
	}
}

/** The title of a walk, and its hand. */
export const hands = [
	['by mouse alone', mouse],
	['by keyboard alone', keyboard],
] as const
