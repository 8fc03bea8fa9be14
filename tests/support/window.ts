import type { ChildProcess } from 'node:child_process'
import type { Browser, Locator, Page } from 'playwright'
import { openBrowser, openPage } from './browser.ts'
import { run } from './process.ts'
import { Roundhouse } from './roundhouse.ts'

/** The window on the sample cluster, and a second client of that cluster. */
export class SampleWindow implements AsyncDisposable {
	readonly page: Page
	readonly roundhouse: Roundhouse
	readonly clusterUrl: string
	/** What the window threw or logged as an error. */
	readonly faults: readonly string[]
	readonly #browser: Browser
	readonly #sample: ChildProcess

	private constructor(
		browser: Browser,
		page: Page,
		roundhouse: Roundhouse,
		clusterUrl: string,
		faults: readonly string[],
		sample: ChildProcess,
	) {
		this.#sample = sample
		this.#browser = browser
		this.page = page
		this.roundhouse = roundhouse
		this.clusterUrl = clusterUrl
		this.faults = faults
	}

	static async open(): Promise<SampleWindow> {
		const roundhouse = await Roundhouse.make()
		await roundhouse.json(['plugin', 'install', 'search-engine'])
		const sample = roundhouse.spawn(['sample'])
		const [line] = await new Promise<string[]>(resolve => sample.stdout?.once('data', data => resolve([String(data)])))
		const { url } = JSON.parse(line ?? '') as { url: string }
		roundhouse.onDispose(() => sample.kill('SIGTERM'))
		await roundhouse.json([
			...['connection', 'add', '--driver', 'search-engine', '--name', 'Sample'],
			...['--set', `hosts=${url}`, '--set', 'auth=none'],
		])
		await roundhouse.serve()
		const browser = await openBrowser()
		const faults: string[] = []
		const page = await openPage(browser, roundhouse, faults)
		await page.getByRole('button', { name: 'Sample', exact: true }).click()
		return new SampleWindow(browser, page, roundhouse, url, faults, sample)
	}

	/** Opens a table in a tab and waits for its first cells. */
	async openTable(name: string): Promise<TablePanel> {
		await this.page.getByRole('list', { name: 'Indices' }).getByRole('button', { name }).click()
		const panel = new TablePanel(this.page.getByRole('tabpanel', { name, exact: true }))
		await panel.root.getByRole('gridcell').first().waitFor()
		return panel
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
		const children = await run('ps', ['-o', 'pid=,args=', '--ppid', String(this.#sample.pid)])
		const driver = children.split('\n').find(line => line.includes('driver-runtime.js'))
		const pid = Number.parseInt(driver ?? '', 10)
		process.kill(pid, 'SIGSTOP')
		try {
			await work()
		} finally {
			process.kill(pid, 'SIGCONT')
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#browser.close()
		await this.roundhouse[Symbol.asyncDispose]()
	}
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

	/** The cells of a column in view, from the top. */
	async cells(column: string): Promise<Locator> {
		const index = await this.root.getByRole('columnheader', { name: column }).getAttribute('aria-colindex')
		return this.root.locator(`[role=row]:visible > [role=gridcell][aria-colindex="${index}"]`)
	}

	/** The cell of a column in a row, counted from 0. */
	async cell(row: number, column: string): Promise<Locator> {
		const index = await this.root.getByRole('columnheader', { name: column }).getAttribute('aria-colindex')
		return this.root.locator(`[role=row][aria-rowindex="${row + 2}"] > [role=gridcell][aria-colindex="${index}"]`)
	}

	/** Brings a column into view: only those near it are in the page. */
	async scrollTo(column: string): Promise<void> {
		const header = this.root.getByRole('columnheader', { name: column })
		for (let left = 0; (await header.count()) === 0; left += 400) {
			await this.grid.evaluate((element, x) => element.scrollTo(x, element.scrollTop), left)
			await this.root.page().waitForTimeout(30)
		}
	}

	/** Types over a cell and keeps it. */
	async edit(row: number, column: string, text: string): Promise<void> {
		await (await this.cell(row, column)).dblclick()
		await this.root.page().keyboard.press('ControlOrMeta+a')
		await this.root.page().keyboard.type(text)
		await this.root.page().keyboard.press('Enter')
	}

	/** Reviews and saves what is staged. */
	async save(): Promise<void> {
		await this.root.getByRole('button', { name: 'Review and save' }).click()
		await this.root.page().getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
	}
}
