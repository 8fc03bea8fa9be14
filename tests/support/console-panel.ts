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
		// Also those that are hidden.
		const results = this.root.locator('article')
		const before = await results.count()
		await this.#page.keyboard.press('ControlOrMeta+Shift+Enter')
		await expect.poll(() => results.count()).toBeGreaterThan(before)
		await this.root.getByText('Running …').waitFor({ state: 'detached' })
	}
}
