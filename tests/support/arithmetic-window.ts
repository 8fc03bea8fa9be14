import type { Browser, Page } from 'playwright'
import { openBrowser, openPage } from './browser.ts'
import { Roundhouse } from './roundhouse.ts'
import { TestRegistry } from './test-registry.ts'
import { TablePanel } from './window.ts'

/** A browser window with a test driver whose tables have any number of rows and columns. */
export class ArithmeticWindow implements AsyncDisposable {
	readonly page: Page
	readonly browser: Browser
	readonly roundhouse: Roundhouse
	readonly faults: readonly string[]
	readonly #registry: TestRegistry

	private constructor(
		browser: Browser,
		page: Page,
		roundhouse: Roundhouse,
		registry: TestRegistry,
		faults: readonly string[],
	) {
		this.browser = browser
		this.page = page
		this.roundhouse = roundhouse
		this.#registry = registry
		this.faults = faults
	}

	/** `delayMs` is the time that the driver takes for each page. */
	static async open({ delayMs = 0 }: { readonly delayMs?: number } = {}): Promise<ArithmeticWindow> {
		const registry = await TestRegistry.make()
		await registry.addOwn('arithmetic')
		const roundhouse = await Roundhouse.make()
		const { url, fingerprint } = registry.source
		await roundhouse.serve(['--registry', url, '--registry-key', fingerprint])
		await roundhouse.json(['plugin', 'install', 'arithmetic'])
		const saved = ['--driver', 'arithmetic', '--name', 'Numbers', '--set', `delayMs=${delayMs}`]
		await roundhouse.json(['connection', 'add', ...saved])
		const browser = await openBrowser()
		const faults: string[] = []
		const page = await openPage(browser, roundhouse, faults)
		await page.getByRole('button', { name: 'Numbers', exact: true }).click()
		return new ArithmeticWindow(browser, page, roundhouse, registry, faults)
	}

	/** Opens the table whose name begins with the text, and waits for its first cells. */
	async openTable(name: string): Promise<TablePanel> {
		await this.page.getByRole('list', { name: 'Series' }).getByRole('button', { name }).click()
		const panel = new TablePanel(this.page.getByRole('tabpanel', { name }))
		await panel.root.getByRole('gridcell').first().waitFor()
		return panel
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.browser.close()
		await this.roundhouse[Symbol.asyncDispose]()
		await this.#registry[Symbol.asyncDispose]()
	}
}
