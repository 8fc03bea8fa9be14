import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { built } from '../../scripts/layout.ts'
import { ArithmeticWindow } from '../support/arithmetic-window.ts'
import { openBrowser } from '../support/browser.ts'
import { ConsolePanel } from '../support/console-panel.ts'
import { ShopWindow } from '../support/shop-window.ts'
import { SampleWindow } from '../support/window.ts'
import { scrollFrames } from './window/frames.ts'
import { longestTask } from './window/long-tasks.ts'
import { typingWork } from './window/typing.ts'

/**
 * Waiting times of a user in the window: its start, the first rows, and frames while a large table is scrolled. The
 * tables come from a driver that computes its rows, so the time is that of the window and the host.
 */

/** The first run is discarded. Of the others the median counts, and a run during other load on the machine does not. */
const rounds = 15

interface Figure {
	readonly what: string
	readonly value: number
	readonly unit: string
	readonly most: number
}

const figures: Figure[] = []
function note(what: string, value: number, unit: string, most: number): void {
	figures.push({ what, value, unit, most })
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Milliseconds from a click on a table to its first rows on the screen, measured in the page. */
async function firstRows(page: Page, list: string, name: string): Promise<number> {
	const taken: number[] = []
	await page.getByRole('list', { name: list }).getByRole('button', { name }).waitFor()
	for (let round = 0; round < rounds; round++) {
		const close = page.getByRole('button', { name: new RegExp(`^Close ${name}`) })
		if ((await close.count()) > 0) await close.first().click()
		await page.waitForTimeout(150)
		const ms = await page.evaluate<number>(
			`new Promise(resolve => {
				const buttons = document.querySelectorAll('[aria-label="${list}"] button')
				const button = [...buttons].find(button => button.textContent.includes('${name}'))
				const since = performance.now()
				const look = () => {
					const cell = document.querySelector('.table-tab:not(.hidden) .grid-row:not(.waiting) .grid-cell')
					if (cell?.checkVisibility() && cell.textContent !== '') resolve(performance.now() - since)
					else requestAnimationFrame(look)
				}
				button.click()
				requestAnimationFrame(look)
			})`,
		)
		if (round > 0) taken.push(ms)
	}
	return median(taken)
}

/** Returns the time from the entry page to a window that answers, with the window's files in the browser cache. */
async function launch({ page, roundhouse }: SampleWindow): Promise<number> {
	const taken: number[] = []
	for (let round = 0; round < rounds; round++) {
		const { url } = await roundhouse.enter()
		const since = performance.now()
		await page.goto(url, { waitUntil: 'commit' })
		await page.getByRole('navigation', { name: 'Connections' }).waitFor()
		if (round > 0) taken.push(performance.now() - since)
	}
	return median(taken)
}

/** Returns the heap of the page in MB after garbage collection. */
async function heapOf(page: Page): Promise<number> {
	const session = await page.context().newCDPSession(page)
	await session.send('HeapProfiler.collectGarbage')
	const { usedSize } = await session.send('Runtime.getHeapUsage')
	await session.detach()
	return usedSize / 1e6
}

/** Opens and scrolls a log with its time range, histogram and list of fields, which shows new rows as they arrive. */
async function onTime(window: SampleWindow, frame: number): Promise<void> {
	const { page } = window
	const events = await window.openTable('events')
	await events.root.getByRole('slider', { name: 'documents by @timestamp' }).waitFor()
	note('first rows with range, histogram and fields open', await firstRows(page, 'Indices', 'events'), 'ms', 60)
	await events.root.getByLabel('Time range').selectOption('Last year (365 days)')
	await events.root.getByLabel('Time range').selectOption('All time')
	await events.root.getByText('24,000 documents', { exact: true }).waitFor()
	await events.root.getByRole('button', { name: 'Live', exact: true }).click()
	await events.root.getByRole('complementary', { name: 'Fields' }).waitFor()
	const { p95 } = await scrollFrames(page, 0, 60)
	note(
		`frames scrolling with range, histogram and fields open, and new rows, p95 (${p95.toFixed(1)} ms)`,
		p95 / frame,
		'of a bare page',
		1.05,
	)
	await page.getByRole('button', { name: 'Close events' }).click()
}

/** @param frame the duration of a frame on a bare page */
async function onTheSample(frame: number): Promise<void> {
	await using window = await SampleWindow.open()
	note('first rows of the sample', await firstRows(window.page, 'Indices', 'books'), 'ms', 60)
	await onTime(window, frame)
	note('launch to interactive, warm', await launch(window), 'ms', 900)
}

/** Pixels of a frame, to the right and down. */
const speeds = {
	down: [0, 60],
	up: [0, -60],
	right: [60, 0],
	left: [-60, 0],
} as const

/** Pixels of a frame at 1,500 rows a second. */
const fast = 700

/** Scrolls a table of 200 columns so fast that each frame shows other rows, beside a page that writes as many texts. */
async function scrollFast(page: Page): Promise<void> {
	const { p95, longest, blank } = await scrollFrames(page, 0, fast)
	const [rows, cells] = await page.evaluate<[number, number]>(
		"['row', 'cell'].map(part => document.querySelectorAll('.table-tab:not(.hidden) .grid-' + part).length)",
	)
	const limit = await bare(fast, { rows, cells: Math.round(cells / rows) })
	const what = 'scrolling 1,000,000 × 200 down, 1,500 rows a second'
	note(`frames ${what}, p95 (${p95.toFixed(1)} ms)`, p95 / limit, 'of a page that writes as many texts', 1.5)
	note(`longest frame ${what}`, longest, 'ms', 51)
	note(`cells that are blank meanwhile, ${what}`, blank * 100, '%', 2)
}

/** @param frame the duration of a frame on a bare page; measured times are multiples of it */
async function onArithmetic(frame: number): Promise<void> {
	await using window = await ArithmeticWindow.open()
	const { page } = window
	note('first rows of 2,500,000', await firstRows(page, 'Series', 'long'), 'ms', 80)
	note('first rows of 1,000,000 × 200', await firstRows(page, 'Series', 'million'), 'ms', 120)
	note('first rows of 2,000,000,000', await firstRows(page, 'Series', 'endless'), 'ms', 120)
	for (const name of ['endless', 'long', 'million']) await page.getByRole('button', { name: `Close ${name}` }).click()
	for (const [name, size, ways] of [
		['million', '1,000,000 × 200', ['down', 'up', 'right']],
		['wide', '100,000 × 1,000', ['down', 'right', 'left']],
	] as const) {
		await window.openTable(name)
		for (const way of ways) {
			const [x, y] = speeds[way]
			const { p95, p99, blank } = await scrollFrames(page, x, y)
			note(`frames scrolling ${size} ${way}, p95 (${p95.toFixed(1)} ms)`, p95 / frame, 'of a bare page', 1.05)
			note(`frames scrolling ${size} ${way}, p99 (${p99.toFixed(1)} ms)`, p99 / frame, 'of a bare page', 2.05)
			note(`cells that are blank meanwhile, ${way}`, blank * 100, '%', 2)
		}
		if (name === 'million') await scrollFast(page)
		await page.getByRole('button', { name: `Close ${name}` }).click()
	}
	const cycle = async () => {
		await window.openTable('long')
		await page.getByRole('button', { name: /^Close long/ }).click()
	}
	for (let round = 0; round < 3; round++) await cycle()
	const before = await heapOf(page)
	for (let round = 0; round < 20; round++) await cycle()
	note('heap after 20 tabs more, beyond what it was', (await heapOf(page)) - before, 'MB', 2)
}

/** Documents and answers of many megabytes, and a long text in a console. */
async function onLarge(): Promise<void> {
	await using window = await ArithmeticWindow.open()
	const { page } = window
	const table = await window.openTable('documents')
	const choose = async (row: number) => (await table.cell(row, 'id')).click()
	const panel = page.getByRole('complementary', { name: 'Row' })
	await choose(3)
	await page.keyboard.press('Space')
	await panel.getByText('small').waitFor()
	note('document of 100,000 keys', await shownAfter(page, 0, 'value of 0', choose), 'ms', 300)
	for (const [row, what, begins] of [
		[1, '20 MB, nested', 'of many megabytes'],
		[2, '20 MB, one text', 'one long text'],
	] as const) {
		await choose(3)
		await panel.getByText('small').waitFor()
		const longest = await longestTask(page, async () => {
			await choose(row)
			await panel.getByText(begins).waitFor()
		})
		note(`longest task, document of ${what}`, longest, 'ms', 100)
	}
	// Beside the row, the sidebar is folded.
	await page.keyboard.press('ControlOrMeta+t')
	const console = page.getByRole('tabpanel', { name: 'Console' })
	await console.getByRole('textbox', { name: 'Console' }).click()
	await page.keyboard.insertText('answer 50')
	const longest = await longestTask(page, async () => {
		await page.keyboard.press('ControlOrMeta+Enter')
		await console.getByText('of the answer').waitFor({ timeout: 120_000 })
	})
	note('longest task, answer of 50 MB, nested', longest, 'ms', 100)
}

/** Sorts and filters the rows of a result, beside a plan and four tabs of results. */
async function onResults(): Promise<void> {
	await using shop = await ShopWindow.open(
		'create table many as select n as id, md5(n::text) as name, n % 97 as part from generate_series(1, 100000) n; alter table many add primary key (id);',
	)
	const { page } = shop
	await page.getByRole('button', { name: 'Console', exact: true }).click()
	const console = new ConsolePanel(page)
	await console.write('select 1; select 2; select 3; select * from many')
	await page.keyboard.press('ControlOrMeta+Shift+Enter')
	const { root } = console
	await root.getByRole('button', { name: /^Read up to/ }).click()
	await root.getByRole('gridcell').first().waitFor()
	await root.getByRole('button', { name: 'Explain' }).click()
	await root.getByText(/ ms run$/).waitFor()
	const header = root.getByRole('columnheader', { name: 'name' })
	const sorting = await longestTask(page, async () => {
		await header.click()
		await header.click()
	})
	note('longest task, 100,000 rows of a result sorted', sorting, 'ms', 50)
	const filtering = await longestTask(page, async () => {
		await root.getByRole('gridcell').nth(2).click()
		await page.keyboard.press('Alt+=')
		await root.getByText('of the 100,000 rows').waitFor()
	})
	note('longest task, 100,000 rows of a result filtered', filtering, 'ms', 50)
}

/** Returns the milliseconds from a click on a row until the panel shows a text, measured in the page. */
async function shownAfter(
	page: Page,
	row: number,
	text: string,
	choose: (row: number) => Promise<void>,
): Promise<number> {
	const taken: number[] = []
	for (let round = 0; round < rounds; round++) {
		await choose(3)
		await page.waitForTimeout(300)
		await page.evaluate(`void (globalThis.shown = new Promise(resolve => {
			let since
			addEventListener('pointerdown', () => { since = performance.now() }, { once: true, capture: true })
			const look = () => {
				const editor = document.querySelector('.row-panel .cm-content')
				if (since !== undefined && editor?.textContent.includes('${text}')) resolve(performance.now() - since)
				else requestAnimationFrame(look)
			}
			look()
		}))`)
		await choose(row)
		const ms = await page.evaluate<number>('shown')
		if (round > 0) taken.push(ms)
	}
	return median(taken)
}

async function onTyping(): Promise<void> {
	await using window = await SampleWindow.open()
	const { page } = window
	await page.getByRole('button', { name: 'Console', exact: true }).click()
	await page.getByRole('tabpanel', { name: 'Console' }).getByRole('textbox', { name: 'Console' }).click()
	const request = 'GET /books/_search\n{\n  "query": { "match": { "title": "sea" } },\n  "size": 5\n}\n'
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(request.repeat(1_000))})`)
	await page.keyboard.press('ControlOrMeta+v')
	await page.waitForTimeout(2_000)
	await page.keyboard.press('ControlOrMeta+Home')
	await page.keyboard.press('End')
	note('work of a key in a console of 5,000 lines, p95', await typingWork(page), 'ms', 20)
}

/**
 * Scrolls a bare page in the same way, as the reference for this machine.
 * @param pixels of a frame
 * @param written rows, and cells of each, that get other texts with each frame
 * @returns its frame, in milliseconds
 */
async function bare(pixels: number, written = { rows: 0, cells: 0 }): Promise<number> {
	const browser = await openBrowser()
	const page = await browser.newPage({ viewport: { width: 1280, height: 820 } })
	await page.setContent(
		'<div class="grid" style="height:700px;overflow:auto"><div style="height:9000000px;width:9000px;position:relative"></div></div>',
	)
	await page.evaluate(`(() => {
		const grid = document.querySelector('.grid')
		const rows = Array.from({ length: ${written.rows} }, () => {
			const row = grid.firstChild.appendChild(document.createElement('div'))
			row.className = 'grid-row'
			row.style.cssText = 'position:absolute;top:0;display:flex;height:28px'
			for (let cell = 0; cell < ${written.cells}; cell++) {
				const text = row.appendChild(document.createElement('div'))
				text.style.cssText = 'width:96px;overflow:hidden;white-space:nowrap;font:13px sans-serif'
				text.append('')
			}
			return row
		})
		grid.onscroll = () => {
			const first = Math.floor(grid.scrollTop / 28)
			for (const [at, row] of rows.entries()) {
				row.dataset.row = first + at
				row.style.transform = 'translateY(' + (first + at) * 28 + 'px)'
				for (const [column, cell] of row.childNodes.entries()) cell.firstChild.data = 'text ' + (first + at) * column
			}
		}
	})()`)
	const { p95, p99 } = await scrollFrames(page, 0, pixels)
	const which =
		written.rows === 0 ? 'A bare page' : `A page that writes ${written.rows} × ${written.cells} texts a frame`
	console.log(`${which}, scrolled the same way on this machine: p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms.\n`)
	await browser.close()
	return p95
}

/** Script and styles that the first frame waits for, and all that the window has. */
async function bundleSize(): Promise<void> {
	const all = (await readdir(built.ui)).filter(name => /\.(js|css)$/.test(name))
	const first = new Set(['main.css'])
	const add = async (name: string): Promise<void> => {
		if (first.has(name)) return
		first.add(name)
		const script = await readFile(join(built.ui, name), 'utf8')
		for (const [, part = ''] of script.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) await add(part)
	}
	await add('main.js')
	for (const [what, files, most] of [
		['script and styles of a start', [...first], 1200],
		['script and styles, all', all, 1700],
	] as const) {
		const sizes = await Promise.all(files.map(async name => (await stat(join(built.ui, name))).size))
		note(what, sizes.reduce((sum, size) => sum + size, 0) / 1e3, 'kB', most)
	}
}

export async function bench(): Promise<void> {
	const frame = await bare(60)
	await onTheSample(frame)
	await onArithmetic(frame)
	await onLarge()
	await onResults()
	await onTyping()
	await bundleSize()
	console.log('| What | figure | at most |\n| - | - | - |')
	for (const { what, value, unit, most } of figures) {
		const verdict = value <= most ? '' : ' — missed'
		console.log(`| ${what} | ${value.toFixed(unit.startsWith('of a') ? 2 : 1)} ${unit} | ${most} ${unit}${verdict} |`)
	}
}
