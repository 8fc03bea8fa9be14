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
	/** The host's ready line. */
	readonly ready: Ready
	/** Errors that the window threw or logged. */
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

	/** `policies` of the connection; at port 0 the window has any free port; `env` is added to the environment. */
	static async open(
		policies: Partial<ParamsOf<'connections.add'>> = {},
		uiPort = 0,
		env: Readonly<Record<string, string>> = {},
	): Promise<SampleWindow> {
		const roundhouse = await Roundhouse.make(env)
		await roundhouse.install()
		// Most of the start is waiting for other processes.
		const [ready, browser, sample] = await Promise.all([
			roundhouse.serve(['--ui-port', String(uiPort)]),
			openBrowser(),
			startPausableSample(),
		])
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

	/** Returns the answer of the cluster to a second client. */
	async cluster<T = Record<string, unknown>>(path: string, init?: { method: string; body: unknown }): Promise<T> {
		const response = await fetch(this.clusterUrl + path, {
			method: init?.method ?? 'GET',
			...(init && { body: JSON.stringify(init.body), headers: { 'content-type': 'application/json' } }),
		})
		return (await response.json()) as T
	}

	/** Pauses the answers of the cluster during `work`. */
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

/** Waits until no visible grid fetches rows, including rows that it fetches ahead. */
export async function nothingLoads(page: Page): Promise<void> {
	await page.getByText('Loading …').filter({ visible: true }).first().waitFor({ state: 'hidden' })
}

/** Changes a setting and waits until the host has stored it. */
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
		return this.root.locator(`[role=columnheader][data-header=${JSON.stringify(column)}]`)
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

	/**
	 * Runs a query and waits for its answer by its `count` (`1 document`), because the previous rows can contain the same
	 * texts.
	 */
	async search(query: string, count: string): Promise<void> {
		const box = this.root.getByRole('searchbox', { name: 'Query' })
		await box.fill(query)
		await box.press('Enter')
		await this.root.getByText(count, { exact: true }).waitFor()
	}

	/** Chooses an entry of the menu of its toolbar. */
	async more(entry: string): Promise<void> {
		await this.root.getByRole('button', { name: 'More', exact: true }).click()
		await this.root.page().getByRole('menuitem', { name: entry }).click()
	}

	/** Scrolls a column into view. Only columns near the view are in the page. */
	async scrollTo(column: string): Promise<void> {
		const header = this.header(column)
		for (let left = 0; (await header.count()) === 0; left += 400) {
			await this.grid.evaluate((element, x) => element.scrollTo(x, element.scrollTop), left)
			await this.root.page().waitForTimeout(30)
		}
		// A column can be drawn outside of the view.
		await header.evaluate(element => element.scrollIntoView({ inline: 'center', block: 'nearest' }))
	}

	/** Types a new value into a cell and commits it. */
	async edit(row: number, column: string, text: string): Promise<void> {
		await (await this.cell(row, column)).dblclick()
		await this.root.page().keyboard.press('ControlOrMeta+a')
		await this.root.page().keyboard.type(text)
		await this.root.page().keyboard.press('Enter')
	}

	/**
	 * Waits until all changes are saved or discarded. Behind an open sheet the panel has no role, so its text could not
	 * be found.
	 */
	async nothingStaged(): Promise<void> {
		await this.root.page().getByRole('dialog').waitFor({ state: 'detached' })
		await this.root.waitFor()
		// While changes are sent, the line says that instead.
		await this.root
			.getByText(/not saved|^Saving …/)
			.first()
			.waitFor({ state: 'detached' })
	}

	/** Waits for this message of the window, and closes it. */
	async dismissMessage(text: string): Promise<void> {
		const line = this.root
			.page()
			.getByRole('region', { name: 'Messages' })
			.getByRole('listitem')
			.filter({ hasText: text })
		await line.getByRole('button', { name: 'Dismiss' }).click()
		await line.waitFor({ state: 'detached' })
	}

	/** Reviews and saves the staged changes. */
	async save(): Promise<void> {
		await this.root.getByRole('button', { name: 'Review and save' }).click()
		const sheet = this.root.page().getByRole('dialog')
		const save = sheet.getByRole('button', { name: /^(Save|Delete) ?/ })
		await save.waitFor()
		// On a production connection, a destructive change requires its name.
		const name = sheet.getByText(/^Type .* to confirm$/).locator('strong')
		if ((await name.count()) > 0) await sheet.getByLabel(/^Type .* to confirm$/).fill(await name.innerText())
		await save.click()
	}
}
