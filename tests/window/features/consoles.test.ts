import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { SampleWindow } from '../../support/window.ts'

/** Users keep several named consoles open. A failure is marked at its line, and past runs can be found again. */
describe('several consoles', () => {
	let window: SampleWindow
	const tab = (name: string) => window.page.getByRole('tab', { name, exact: true })
	const panel = (name: string) => window.page.getByRole('tabpanel', { name, exact: true })
	const editor = (name: string) => panel(name).getByRole('textbox', { name: 'Console' })
	const runs = (name: string) => panel(name).getByRole('article')
	const press = (keys: string) => window.page.keyboard.press(keys)

	beforeAll(async () => {
		window = await SampleWindow.open()
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await window.page.getByRole('list', { name: 'Indices' }).getByRole('button').first().waitFor()
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	async function newConsole(): Promise<void> {
		await press('ControlOrMeta+k')
		await press('c')
	}

	async function write(name: string, text: string): Promise<void> {
		await tab(name).click()
		await editor(name).click()
		await press('ControlOrMeta+a')
		await press('Delete')
		await window.page.keyboard.insertText(text)
	}

	/** Places the cursor at the beginning of a line, counted from 1. */
	async function goTo(line: number): Promise<void> {
		await press('ControlOrMeta+Home')
		for (let at = 1; at < line; at++) await press('ArrowDown')
	}

	test('a new console opens empty beside the first, also after one with text was closed', async () => {
		await newConsole()
		await write('Console', 'GET /_cat/health')
		await newConsole()
		await panel('Console 2').waitFor()
		await write('Console 2', 'GET /_cat/indices')
		await press('ControlOrMeta+k')
		await press('w')
		await tab('Console 2').waitFor({ state: 'detached' })
		await newConsole()
		await panel('Console 3').waitFor()
		expect(await editor('Console 3').innerText()).not.toContain('indices')
		await press('ControlOrMeta+k')
		await press('w')
		await press('ControlOrMeta+k')
		await press('r')
		await press('ControlOrMeta+k')
		await press('r')
		await panel('Console 2').getByText('GET /_cat/indices').waitFor()
	})

	test('a console is renamed by its menu, a double click and F2, and Escape keeps the old name', async () => {
		const name = (of: string) => window.page.getByRole('textbox', { name: `Name of ${of}` })
		await tab('Console').dblclick()
		await name('Console').fill('Health')
		await press('Enter')
		await panel('Health').or(tab('Health')).first().waitFor()
		await tab('Health').click()
		await editor('Health').click()
		await press('F2')
		await name('Health').fill('Nothing')
		await press('Escape')
		await tab('Health').waitFor()
		await tab('Console 2').click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: 'Rename' }).click()
		await name('Console 2').fill('Lists')
		await tab('Health').click()
		await tab('Lists').waitFor()
	})

	test('names and texts are restored after the window is reloaded', async () => {
		await window.page.waitForTimeout(400)
		await window.page.reload()
		await tab('Lists').click()
		await panel('Lists').getByText('GET /_cat/indices').waitFor()
		await tab('Health').click()
		await panel('Health').getByText('GET /_cat/health').waitFor()
	})

	test('Ctrl+Enter runs the request at the cursor, otherwise the next one below, otherwise the last', async () => {
		await write('Health', '# first\n\nGET /_cluster/health\n\n\nGET /books/_count\n{\n}\n\n# the end\n')
		for (const [line, expected] of [
			[1, 'GET /_cluster/health'],
			[5, 'GET /books/_count'],
			[7, 'GET /books/_count'],
			[11, 'GET /books/_count'],
		] as const) {
			await goTo(line)
			const before = await runs('Health').count()
			await press('ControlOrMeta+Enter')
			await expect.poll(() => runs('Health').count()).toBe(before + 1)
			await runs('Health').first().getByText(expected, { exact: true }).waitFor()
			await runs('Health').first().getByText('200 OK').waitFor()
		}
	})

	test('Run all keeps the order of the text, stops at a failure, and reports what did not run', async () => {
		await write(
			'Lists',
			'GET /_cluster/health\n\nGET /nothing/_search\n{ "size": 1 }\n\nGET /books/_count\n\nGET /places/_count',
		)
		await press('ControlOrMeta+Shift+Enter')
		await panel('Lists').getByText('2 of 4 not run: GET /nothing/_search failed.').waitFor()
		const lines = await runs('Lists').evaluateAll(all => all.map(one => one.getAttribute('aria-label')))
		expect(lines).toEqual(['GET /_cluster/health', 'GET /nothing/_search'])
		// The error of the engine is complete: its status, the reason, and its answer.
		const failed = runs('Lists').nth(1)
		await failed.getByText('404 Not Found').waitFor()
		await failed.getByRole('alert').getByText('index_not_found_exception').waitFor()
		await failed.getByText('"error"').waitFor()
		await panel('Lists').getByRole('button', { name: 'Run the rest' }).click()
		await expect.poll(() => runs('Lists').count()).toBe(4)
		await panel('Lists').getByText('2 of 4 not run').waitFor({ state: 'detached' })
	})

	test('a failed request is marked at its line until its text changes', async () => {
		const marked = panel('Lists').locator('.cm-fault')
		expect(await marked.allInnerTexts()).toEqual([])
		await write('Lists', '# one\nGET /books/_count\n\nPOST /books/_search\n{"size": }\n\nGET /nothing/_search')
		await press('ControlOrMeta+Enter')
		await expect.poll(() => marked.allInnerTexts()).toEqual(['GET /nothing/_search'])
		await press('ControlOrMeta+Shift+Enter')
		await expect.poll(() => marked.allInnerTexts()).toEqual(['}'])
		expect(await marked.first().getAttribute('title')).toContain('not valid JSON')
		expect(await panel('Lists').locator('.cm-fault-dot').count()).toBe(1)
		// Text that is typed above moves the mark.
		await goTo(1)
		await press('Enter')
		expect(await marked.allInnerTexts()).toEqual(['}'])
		await goTo(6)
		await press('End')
		await window.page.keyboard.type(' ')
		expect(await marked.allInnerTexts()).toEqual([])
	})

	test('past runs are found by some of their letters, with their results, and are kept over a restart of the host', async () => {
		await write('Health', 'GET /books/_search\n{ "query": { "term": { "password": "hunter22" } } }')
		const before = await runs('Health').count()
		await press('ControlOrMeta+Enter')
		await expect.poll(() => runs('Health').count()).toBe(before + 1)
		await runs('Health').first().getByText('200 OK').waitFor()
		await press('ControlOrMeta+Alt+h')
		const list = window.page.getByRole('dialog', { name: 'History' })
		await list.getByRole('combobox').fill('nothing')
		const line = list.getByRole('option').first()
		await line.getByText(/^404 Not Found · [\d,]+ ms · [\d.]+ (bytes|kB) · /).waitFor()
		await list.getByRole('combobox').fill('password')
		await list.getByText('[redacted]').first().waitFor()
		expect(await list.innerText()).not.toContain('hunter')
		await press('Escape')
		await window.roundhouse.stop()
		await window.roundhouse.serve()
		const page = await openPage(window.page.context().browser() as never, window.roundhouse, [])
		await page.getByRole('tab', { name: 'Health', exact: true }).click()
		await page.getByRole('tabpanel', { name: 'Health' }).getByRole('textbox', { name: 'Console' }).click()
		await page.keyboard.press('ControlOrMeta+End')
		await page.keyboard.press('ControlOrMeta+Alt+h')
		await page.getByRole('dialog', { name: 'History' }).getByRole('combobox').fill('books count')
		await page.keyboard.press('Enter')
		// A closing sheet accepts no keys for the window behind it.
		await page.getByRole('dialog').waitFor({ state: 'detached' })
		const text = page.getByRole('tabpanel', { name: 'Health' }).getByRole('textbox', { name: 'Console' })
		await expect.poll(() => text.innerText()).toContain('GET /books/_count')
		await page.keyboard.press('ControlOrMeta+Enter')
		const health = page.getByRole('tabpanel', { name: 'Health' })
		await health.getByRole('article', { name: 'GET /books/_count' }).getByText('200 OK').waitFor()
	})
})
