import { expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { paste } from './clipboard.ts'
import { press } from './keys.ts'

/** One open console. */
export class ConsolePanel {
	readonly root: Locator

	constructor(name = 'Console') {
		this.root = page.getByRole('tabpanel', { name, exact: true })
	}

	/** Opens the first console of the connection that is open. */
	static async open(): Promise<ConsolePanel> {
		await page.getByRole('button', { name: 'Console', exact: true }).first().click()
		const panel = new ConsolePanel()
		await expect.element(panel.editor).toBeVisible()
		return panel
	}

	get editor(): Locator {
		return this.root.getByRole('textbox', { name: 'Console' })
	}

	/** The result in front, or the outcomes without rows. */
	get runs(): Locator {
		return this.root.getByRole('article')
	}

	/** Returns the text, without the hint of an empty console. */
	text(): string {
		const lines = this.editor.query()?.querySelectorAll('.cm-line') ?? []
		return [...lines].map(line => (line.querySelector('.cm-placeholder') ? '' : line.textContent)).join('\n')
	}

	/** Replaces the text. */
	async write(text: string): Promise<void> {
		// A closing dialog still hides the console.
		await expect.element(this.editor).toBeVisible()
		await this.editor.click()
		await press('ControlOrMeta+a')
		await press('Delete')
		if (text !== '') paste(text)
		await expect.poll(() => this.text()).toBe(text)
	}

	/** Replaces the text, runs all statements, and waits until they have ended. */
	async run(text: string): Promise<void> {
		await this.write(text)
		const before = this.#lastRun()
		await press('ControlOrMeta+Shift+Enter')
		await expect.poll(() => this.#lastRun()).toBeGreaterThan(before)
		await expect.element(this.root.getByText('Running …')).not.toBeInTheDocument()
	}

	/** Shows a result by its name. */
	async choose(name: string): Promise<void> {
		await this.tab(name).click()
	}

	/** A tab of the results. */
	tab(name: string | RegExp): Locator {
		return this.root.getByRole('tab', { name })
	}

	/** The number of the latest run that has ended. */
	#lastRun(): number {
		const shown = this.root.query()?.querySelectorAll<HTMLElement>('[data-run]') ?? []
		return Math.max(0, ...[...shown].map(({ dataset }) => Number(dataset.run)))
	}
}
