import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'

/** The console in front, as a user writes and runs in it. */
export class ConsolePanel {
	readonly #page: Page

	constructor(page: Page) {
		this.#page = page
	}

	get root(): Locator {
		return this.#page.getByRole('tabpanel', { name: 'Console' }).filter({ visible: true })
	}

	/** Replaces the text. */
	async write(text: string): Promise<void> {
		// Nothing behind a dialog that closes is found yet, so the click waits for that.
		await this.root.getByRole('textbox', { name: 'Console' }).click()
		// Chromium keeps the style of text that is typed over, which the content security policy blocks with an error.
		await this.#page.keyboard.press('ControlOrMeta+a')
		await this.#page.keyboard.press('Delete')
		await this.#page.keyboard.insertText(text)
	}

	/** Replaces the text, and runs all of its statements, which need no answer of the user. */
	async run(text: string): Promise<void> {
		await this.write(text)
		const before = await this.#lastRun()
		await this.#page.keyboard.press('ControlOrMeta+Shift+Enter')
		await expect.poll(() => this.#lastRun()).toBeGreaterThan(before)
		await this.root.getByText('Running …').waitFor({ state: 'detached' })
	}

	/** The number of the latest run that has ended. */
	async #lastRun(): Promise<number> {
		const numbers = await this.root
			.locator('[data-run]')
			.evaluateAll(shown => shown.map(one => one.getAttribute('data-run')))
		return Math.max(0, ...numbers.map(Number))
	}
}
