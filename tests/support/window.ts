import type { Browser, Locator, Page } from 'playwright'
import { expect } from 'vitest'
import type { ParamsOf } from '../../host/api/api.ts'
import { openBrowser, openPage } from './browser.ts'
import { type PausableSample, startPausableSample } from './pausable-sample.ts'
import { type Ready, Roundhouse } from './roundhouse.ts'

/** The window on the sample cluster, and a second client of that cluster. */
export class SampleWindow implements AsyncDisposable {
	readonly page: Page
	readonly roundhouse: Roundhouse
	/** What the host said when it was there. */
	readonly ready: Ready
	/** What the window threw or logged as an error. */
	readonly faults: readonly string[]
	readonly #browser: Browser
	readonly #sample: PausableSample

	private constructor(
		browser: Browser,
		page: Page,
		roundhouse: Roundhouse,
		ready: Ready,
		faults: readonly string[],
		sample: PausableSample,
	) {
		this.#sample = sample
		this.#browser = browser
		this.page = page
		this.roundhouse = roundhouse
		this.ready = ready
		this.faults = faults
	}

	/** `policies`: of the connection. */
	static async open(policies: Partial<ParamsOf<'connections.add'>> = {}): Promise<SampleWindow> {
		const roundhouse = await Roundhouse.make()
		await roundhouse.install()
		// Most of a start is waiting for another process.
		const [ready, browser, sample] = await Promise.all([roundhouse.serve(), openBrowser(), startPausableSample()])
		roundhouse.onDispose(() => sample.close())
		const settings = { hosts: sample.url, auth: 'none' }
		await roundhouse.withHost(host =>
			host.call('connections.add', { driverId: 'search-engine', name: 'Sample', settings, ...policies }),
		)
		const faults: string[] = []
		const page = await openPage(browser, roundhouse, faults)
		await page.getByRole('button', { name: 'Sample', exact: true }).click()
		return new SampleWindow(browser, page, roundhouse, ready, faults, sample)
	}

	/** Opens a table in a tab and waits for its first cells. */
	async openTable(name: string): Promise<TablePanel> {
		await this.page.getByRole('list', { name: 'Indices' }).getByRole('button', { name }).click()
		const panel = new TablePanel(this.page.getByRole('tabpanel', { name, exact: true }))
		await panel.root.getByRole('gridcell').first().waitFor()
		return panel
	}

	get clusterUrl(): string {
		return this.#sample.url
	}

	/** What the cluster answers to a client that is not ours. */
	async cluster<T = Record<string, unknown>>(path: string, init?: { method: string; body: unknown }): Promise<T> {
		const response = await fetch(this.clusterUrl + path, {
			method: init?.method ?? 'GET',
			...(init && { body: JSON.stringify(init.body), headers: { 'content-type': 'application/json' } }),
		})
		return (await response.json()) as T
	}

	/** Keeps the cluster from answering while `work` is done. */
	async pauseCluster(work: () => Promise<void>): Promise<void> {
		this.#sample.pause()
		try {
			await work()
		} finally {
			this.#sample.resume()
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#browser.close()
		await this.roundhouse[Symbol.asyncDispose]()
	}
}

/** Waits until no grid in sight fetches anything, not even ahead of what is seen. */
export async function nothingLoads(page: Page): Promise<void> {
	await page.getByText('Loading …').filter({ visible: true }).first().waitFor({ state: 'hidden' })
}

/** Switches a setting and waits until the host has stored it. */
export async function toggle(box: Locator, isOn: boolean): Promise<void> {
	await box.setChecked(isOn)
	await expect.poll(() => box.getAttribute('aria-busy')).toBe('false')
}

/** One open table. */
export class TablePanel {
	readonly root: Locator
	constructor(root: Locator) {
		this.root = root
	}

	get grid(): Locator {
		return this.root.getByRole('grid')
	}

	/** The header of a column, by its whole name. */
	header(column: string): Locator {
		const name = this.root.page().locator(`.grid-header-name:text-is(${JSON.stringify(column)})`)
		return this.root.getByRole('columnheader').filter({ has: name })
	}

	/** The cells of a column in view, from the top. */
	async cells(column: string): Promise<Locator> {
		const index = await this.header(column).getAttribute('aria-colindex')
		return this.root.locator(`[role=row]:visible > [role=gridcell][aria-colindex="${index}"]`)
	}

	/** The cell of a column in a row, counted from 0. */
	async cell(row: number, column: string): Promise<Locator> {
		const index = await this.header(column).getAttribute('aria-colindex')
		return this.root.locator(`[role=row][aria-rowindex="${row + 2}"] > [role=gridcell][aria-colindex="${index}"]`)
	}

	/** Runs a query and waits for its answer: what was shown before can hold the same texts. `count`: `1 document`. */
	async search(query: string, count: string): Promise<void> {
		const box = this.root.getByRole('searchbox', { name: 'Query' })
		await box.fill(query)
		await box.press('Enter')
		await this.root.getByText(count, { exact: true }).waitFor()
	}

	/** Brings a column into view: only those near it are in the page. */
	async scrollTo(column: string): Promise<void> {
		const header = this.header(column)
		for (let left = 0; (await header.count()) === 0; left += 400) {
			await this.grid.evaluate((element, x) => element.scrollTo(x, element.scrollTop), left)
			await this.root.page().waitForTimeout(30)
		}
		// What is drawn beyond the edge is not in view yet.
		await header.evaluate(element => element.scrollIntoView({ inline: 'center', block: 'nearest' }))
	}

	/** Types over a cell and keeps it. */
	async edit(row: number, column: string, text: string): Promise<void> {
		await (await this.cell(row, column)).dblclick()
		await this.root.page().keyboard.press('ControlOrMeta+a')
		await this.root.page().keyboard.type(text)
		await this.root.page().keyboard.press('Enter')
	}

	/** Waits until all is saved or let go. Behind an open sheet the panel has no role, and so no text that could be found. */
	async nothingStaged(): Promise<void> {
		await this.root.page().getByRole('dialog').waitFor({ state: 'detached' })
		await this.root.waitFor()
		await this.root.getByText('not saved').waitFor({ state: 'detached' })
	}

	/** What the window says in passing, put away once it is read. */
	async told(text: string): Promise<void> {
		const line = this.root
			.page()
			.getByRole('region', { name: 'Messages' })
			.getByRole('listitem')
			.filter({ hasText: text })
		await line.getByRole('button', { name: 'Dismiss' }).click()
		await line.waitFor({ state: 'detached' })
	}

	/** Reviews and saves what is staged. */
	async save(): Promise<void> {
		await this.root.getByRole('button', { name: 'Review and save' }).click()
		const sheet = this.root.page().getByRole('dialog')
		const save = sheet.getByRole('button', { name: 'Save', exact: true })
		await save.waitFor()
		// What destroys wants its name first.
		const name = sheet.getByText(/^Type .* to confirm$/).locator('strong')
		if ((await name.count()) > 0) await sheet.getByLabel(/^Type .* to confirm$/).fill(await name.innerText())
		await save.click()
	}
}
