import { createHash } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { type AxeResults, type RunOptions, source } from 'axe-core'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../support/browser.ts'
import { overHttp } from '../support/clients.ts'
import { Pictures } from '../support/pictures.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { SampleWindow, type TablePanel } from '../support/window.ts'

/** A state of the window: how to show it and how to leave it. */
interface Screen {
	readonly name: string
	show(): Promise<void>
	/** Omitted if the next screen starts from this one. */
	leave?(): Promise<void>
}

/** The rules of WCAG 2.1, levels A and AA, without axe's own best-practice rules. */
const standard: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'], resultTypes: ['violations'] }
/** In the dark theme only contrast is checked, because roles and names are the same in both themes. */
const colours: RunOptions = { runOnly: ['color-contrast'], resultTypes: ['violations'] }

let pictures: Pictures
beforeAll(async () => {
	pictures = await Pictures.into('test-results/window')
})

/** Verifies that axe finds no violation on any screen, in the light and in the dark theme. */
describe('accessibility', () => {
	let window: SampleWindow
	let books: TablePanel
	let client: Client
	let connection = ''
	/** The pending response to an AI client's tool call. */
	let answer: Promise<unknown>

	beforeAll(async () => {
		window = await SampleWindow.open({ externalAccess: 'read-write', aiPolicy: 'ask', isProduction: true })
		// Animations are disabled, because elements do not have their final colours during a fade.
		await window.page.emulateMedia({ reducedMotion: 'reduce' })
		// axe is evaluated through the debugger, because the content security policy of the window blocks injected scripts.
		await window.page.evaluate(source)
		const [saved] = await window.roundhouse.json<{ id: string }[]>(['connection', 'list'])
		connection = saved?.id ?? ''
		client = await overHttp(window.ready.mcp.url, await window.roundhouse.addToken('full'))
	})
	afterAll(async () => {
		await client?.close()
		await window?.[Symbol.asyncDispose]()
	})

	const sheet = () => window.page.getByRole('dialog')
	const press = (...keys: readonly string[]) =>
		keys.reduce((before, key) => before.then(() => window.page.keyboard.press(key)), Promise.resolve())
	const button = (name: string) => window.page.getByRole('button', { name, exact: true })
	const closeSheet = async () => {
		await press('Escape')
		await sheet().waitFor({ state: 'detached' })
	}
	const menu = async () => {
		await window.page.getByRole('menuitem').first().waitFor()
	}
	const closeMenu = async () => {
		await press('Escape')
		await window.page.getByRole('menu').waitFor({ state: 'detached' })
	}
	/** Calls a tool as an AI client, and waits for the consent question. */
	const asked = async (words: string, name: string, args: Record<string, unknown>) => {
		answer = client.callTool({ name, arguments: { connection_id: connection, ...args } })
		await sheet().getByText(words).first().waitFor()
	}
	const refuse = async () => {
		await sheet().getByRole('button', { name: 'Refuse' }).click()
		await answer
	}
	const documentText = () => window.page.getByRole('textbox', { name: 'Document as JSON' })
	/** Opens the find bar of the focused part and searches for the text. */
	const find = async (text: string) => {
		await press('ControlOrMeta+f')
		const bar = window.page.getByRole('search', { name: /^Find in/ })
		await bar.getByRole('textbox').fill(text)
		await bar.getByRole('status').filter({ hasText: '1 of' }).waitFor()
	}
	const page = (title: string): Screen => ({
		name: `settings, ${title}`,
		show: async () => {
			if ((await sheet().count()) === 0) await button('Settings').click()
			await sheet().getByRole('tab', { name: title }).click()
			await sheet().getByRole('tabpanel', { name: title }).waitFor()
			await expect.poll(() => sheet().getByText('Loading …').count()).toBe(0)
		},
	})

	const screens: readonly Screen[] = [
		{
			name: 'start page and list of indices',
			show: () => window.page.getByRole('list', { name: 'Indices' }).waitFor(),
		},
		{
			name: 'grid',
			show: async () => {
				books = await window.openTable('books')
			},
		},
		{
			name: 'selected cells',
			show: async () => {
				await (await books.cell(1, '_id')).click()
				await press('Shift+ArrowDown', 'Shift+ArrowRight')
			},
		},
		{
			name: 'cell during editing',
			show: async () => {
				await (await books.cell(0, 'author.country')).dblclick()
				await books.root.getByRole('textbox', { name: 'Edit author.country' }).waitFor()
			},
			leave: () => press('Escape'),
		},
		{
			name: 'cell during editing, with an invalid value',
			show: async () => {
				await (await books.cell(0, 'author.born')).dblclick()
				await window.page.keyboard.insertText('never')
				await press('Enter')
				await books.root.locator('.cell-editor-hint.fault').waitFor()
			},
			leave: () => press('Escape'),
		},
		{
			name: 'value sheet',
			show: async () => {
				await (await books.cell(0, 'author.name')).click()
				await press('Alt+Enter')
				await sheet().locator('.cm-content:focus').waitFor()
			},
		},
		{
			name: 'find in a value',
			show: async () => find((await sheet().locator('.cm-content').innerText()).slice(0, 1)),
			leave: async () => {
				await press('Escape')
				await closeSheet()
			},
		},
		{
			name: 'new row as JSON',
			show: async () => {
				await books.root.getByRole('button', { name: 'New document' }).click()
				await sheet().getByText('As JSON').click()
				await sheet().getByLabel('Document as JSON').waitFor()
			},
		},
		{
			name: 'new row by field',
			show: async () => {
				await sheet().getByText('By field').click()
				await sheet().getByLabel('author.name', { exact: true }).waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'rows that are new, changed and deleted',
			show: async () => {
				await books.edit(0, 'author.country', 'XX')
				await (await books.cell(1, '_id')).click()
				await press('Delete')
				await books.root.getByRole('button', { name: 'New document' }).click()
				await sheet().getByText('As JSON').click()
				await sheet().getByLabel('Document as JSON').fill('{"title": "New"}')
				await sheet().getByRole('button', { name: 'Add', exact: true }).click()
				await books.root.getByText('3 changes not saved').waitFor()
			},
		},
		{
			name: 'review before saving',
			show: async () => {
				await books.root.getByRole('button', { name: 'Review and save' }).click()
				await sheet().getByRole('button', { name: 'Save', exact: true }).waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'conflict',
			show: async () => {
				const id = await (await books.cell(1, '_id')).innerText()
				await window.cluster(`/books/_update/${id}`, { method: 'POST', body: { doc: { author: { country: 'TT' } } } })
				await books.save()
				await books.root.getByText('A document was changed by another client.').waitFor()
			},
		},
		{
			name: 'mine beside theirs',
			show: async () => {
				await books.root.getByRole('button', { name: 'Compare' }).click()
				await sheet().getByText('TT', { exact: true }).waitFor()
			},
			leave: async () => {
				await closeSheet()
				await books.root.getByRole('button', { name: 'Discard' }).click()
			},
		},
		{
			name: 'filter bar',
			show: async () => {
				await books.root.getByRole('button', { name: 'Filter', exact: true }).click()
				const bar = books.root.getByRole('form', { name: 'Filters' })
				await bar.getByLabel('Column').selectOption('author.country')
				await bar.getByLabel('Value').fill('PE')
				await bar.getByRole('button', { name: 'Apply' }).click()
				await books.root.getByRole('gridcell').first().waitFor()
			},
		},
		{
			name: 'filters as chips',
			show: async () => {
				await books.root.getByRole('button', { name: 'Filter', exact: true }).click()
				await books.root.getByRole('list', { name: 'Filters' }).waitFor()
			},
		},
		{
			name: 'nothing found',
			show: async () => {
				await books.root.getByRole('searchbox', { name: 'Query' }).fill('_id:nowhere')
				await press('Enter')
				await books.root.getByText('No documents', { exact: true }).first().waitFor()
			},
		},
		{
			name: 'invalid query',
			show: async () => {
				await books.root.getByRole('searchbox', { name: 'Query' }).fill('title:(')
				await press('Enter')
				await books.root.getByRole('alert').waitFor()
			},
			leave: async () => {
				await books.root.getByRole('searchbox', { name: 'Query' }).fill('')
				await books.root.getByRole('button', { name: /^Remove/ }).click()
				await books.root.getByText(/^3,0\d\d documents$/).waitFor()
			},
		},
		{
			name: 'previous rows after a failed reload',
			show: async () => {
				await books.root.getByRole('searchbox', { name: 'Query' }).fill('title:(')
				await press('Enter')
				await books.root.getByRole('alert').waitFor()
				await books.root.getByRole('gridcell').first().waitFor()
			},
			leave: async () => {
				await books.root.getByRole('searchbox', { name: 'Query' }).fill('')
				await press('Enter')
				await books.root.getByRole('alert').waitFor({ state: 'detached' })
			},
		},
		{
			name: 'closing a tab with staged changes',
			show: async () => {
				await books.edit(0, 'author.country', 'XX')
				await button('Close books').click()
				await sheet().waitFor()
			},
			leave: async () => {
				await closeSheet()
				await books.root.getByRole('button', { name: 'Discard' }).click()
				await books.dismissMessage('Discarded 1 change.')
			},
		},
		{
			name: 'columns',
			show: async () => {
				await books.root.getByRole('button', { name: 'Columns', exact: true }).click()
				await window.page.getByLabel('Search columns').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'row panel',
			show: async () => {
				await books.root.getByRole('button', { name: 'Document', exact: true }).click()
				await documentText().waitFor()
			},
		},
		{
			name: 'find in the document',
			show: async () => {
				await documentText().focus()
				await find('a')
			},
			leave: () => press('Escape'),
		},
		{
			name: 'document with invalid JSON',
			show: async () => {
				await documentText().click()
				await window.page.keyboard.type('x')
				await press('ControlOrMeta+Enter')
				await window.page.getByRole('alert').getByText('This is not JSON').waitFor()
			},
			leave: () => press('Escape'),
		},
		{
			name: 'document as a tree',
			show: async () => {
				await window.page.getByText('Tree', { exact: true }).click()
				await window.page.getByRole('treeitem').filter({ hasText: 'author' }).click()
			},
			leave: async () => {
				await window.page.getByText('JSON', { exact: true }).click()
				await button('Close document').click()
			},
		},
		{
			name: 'two documents side by side',
			show: async () => {
				await (await books.cell(0, '_id')).click()
				await press('Shift+ArrowDown')
				await (await books.cell(0, '_id')).click({ button: 'right' })
				await window.page.getByRole('menuitem', { name: 'Compare the two documents' }).click()
				await sheet()
					.getByText(/^\d+ differences$/)
					.waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'menu of a cell',
			show: async () => (await books.cell(0, 'author.name')).click({ button: 'right' }).then(menu),
			leave: closeMenu,
		},
		{
			name: 'menu of a column',
			show: async () => books.header('author.name').click({ button: 'right' }).then(menu),
			leave: closeMenu,
		},
		{
			name: 'menu of a connection',
			show: async () => button('Sample').click({ button: 'right' }).then(menu),
			leave: closeMenu,
		},
		{
			name: 'removal of a connection',
			show: async () => {
				await button('Sample').click({ button: 'right' })
				await window.page.getByRole('menuitem', { name: 'Remove' }).click()
				await sheet().getByText('Remove Sample?').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'first use of a connection by an AI client',
			show: () => asked('wants to use a connection', 'list_tables', {}),
			leave: async () => {
				await sheet().getByRole('button', { name: 'Allow' }).click()
				await answer
			},
		},
		{
			name: 'write of an AI client',
			show: () => {
				const query = 'POST /books/_update/1\n{"doc":{"author":{"country":"ZZ"}}}'
				return asked('POST /books/_update/1', 'execute_query', { query })
			},
			leave: refuse,
		},
		{
			name: 'destructive statement of an AI client',
			show: () => asked('It destroys the index', 'confirm_destructive_operation', { query: 'DELETE /books' }),
			leave: refuse,
		},
		{
			name: 'program that asks for a token',
			show: async () => {
				const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url')
				await window.roundhouse.json(['pair', 'link', `roundhouse://pair?client=Editor&challenge=${challenge}`])
				await sheet().getByText('A program asks for access').waitFor()
			},
		},
		{
			name: 'code for a program',
			show: async () => {
				await sheet().getByRole('button', { name: 'Pair' }).click()
				await sheet().getByText('Give this code to the program').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'export',
			show: async () => {
				await books.root.getByRole('button', { name: 'Export' }).click()
				await sheet().waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'copy as',
			show: async () => {
				await (await books.cell(0, 'author.name')).click()
				await press('Control+Shift+c')
				await sheet().waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'commands',
			show: () => press('ControlOrMeta+Shift+p').then(() => window.page.keyboard.type('col')),
			leave: closeSheet,
		},
		{
			name: 'quick open',
			show: () => press('ControlOrMeta+p').then(() => window.page.keyboard.type('b')),
			leave: closeSheet,
		},
		{
			name: 'console with answers',
			show: async () => {
				await press('ControlOrMeta+t')
				const tab = window.page.getByRole('tabpanel', { name: 'Console' })
				await tab.waitFor()
				await window.page.keyboard.insertText(
					'# what is there\nGET /books/_search?size=3\n\nGET /_cat/health\n\nGET /nowhere/_doc/1\n\nGET /books/_count\n',
				)
				await tab.getByRole('button', { name: 'Run all' }).click()
				await tab.getByRole('columnheader', { name: 'title' }).waitFor()
				await tab.getByRole('article', { name: 'GET /_cat/health' }).getByText('200').waitFor()
				await tab.getByText('1 of 4 not run').waitFor()
			},
		},
		{
			name: 'what was run',
			show: async () => {
				await button('History').click()
				await sheet().getByText('404 Not Found').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'name for a saved request',
			show: async () => {
				await press('ControlOrMeta+Shift+s')
				await sheet().getByLabel('Name').fill('reports//')
				await press('Enter')
				await sheet().getByRole('alert').waitFor()
			},
			leave: async () => {
				await sheet().getByLabel('Name').fill('reports/What is there')
				await press('Enter')
				await sheet().waitFor({ state: 'detached' })
			},
		},
		{
			name: 'saved requests beside a console',
			show: async () => {
				await window.page.getByRole('list', { name: 'Saved requests' }).getByText('What is there').waitFor()
			},
		},
		{
			name: 'variables of a connection',
			show: async () => {
				await button('Variables').click()
				await sheet().getByLabel('Name of variable 1').fill('index')
			},
			leave: closeSheet,
		},
		{
			name: 'saved request that was changed on disk',
			show: async () => {
				const requests = join(window.roundhouse.home, 'requests')
				const [connection = ''] = await readdir(requests)
				await writeFile(join(requests, connection, 'reports', 'What is there.es'), 'GET /_cat/indices\n')
				await press('ControlOrMeta+s')
				await sheet().getByText('GET /_cat/indices').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'offer of a request to AI clients',
			show: async () => {
				const requests = join(window.roundhouse.home, 'requests')
				const [connection = ''] = await readdir(requests)
				await writeFile(join(requests, connection, 'reports', 'What is there.es'), 'GET /{{index}}/_count\n')
				const saved = window.page.getByRole('list', { name: 'Saved requests' })
				await saved.getByText('What is there').click({ button: 'right' })
				await window.page.getByRole('menuitem', { name: 'Offer to AI' }).click()
				await sheet().getByLabel('Type').selectOption('One of a list')
			},
			leave: closeSheet,
		},
		{
			name: 'renaming a console',
			show: async () => {
				await window.page.getByRole('tab', { name: 'What is there' }).dblclick()
				await window.page.getByRole('textbox', { name: 'Name of What is there' }).waitFor()
			},
			leave: async () => {
				await window.page.getByRole('textbox', { name: 'Name of What is there' }).fill('Console')
				await press('Enter')
			},
		},
		{
			name: 'answer as JSON, filtered by an expression',
			show: async () => {
				const run = window.page.getByRole('article', { name: 'GET /books/_search' })
				await run.getByText('JSON', { exact: true }).click()
				await run.getByRole('textbox', { name: /^Filter of the answer/ }).fill('hits.hits[*]._id')
				const answer = run.getByRole('textbox', { name: 'the answer', exact: true })
				await expect.poll(() => answer.innerText()).toMatch(/^\[\s+"\d+",/)
			},
		},
		{
			name: 'answer as a chart, with values over all rows',
			show: async () => {
				const tab = window.page.getByRole('tabpanel', { name: 'Console' })
				await tab.getByRole('textbox', { name: 'Console' }).click()
				await press('ControlOrMeta+End')
				await window.page.keyboard.insertText(
					'\n\nPOST /events/_search\n{"size": 0, "aggs": {"most": {"max": {"field": "bytes"}}, "levels": {"terms": {"field": "level"}}}}',
				)
				await press('ControlOrMeta+Enter')
				const run = window.page.getByRole('article', { name: 'POST /events/_search' })
				await run.getByRole('region', { name: 'Over all rows' }).waitFor()
				await run.getByText('Chart', { exact: true }).click()
				await run.getByRole('img', { name: /^doc_count by levels/ }).waitFor()
			},
		},
		{
			name: 'statements that wait for consent',
			show: async () => {
				const tab = window.page.getByRole('tabpanel', { name: 'Console' })
				await tab.getByRole('textbox', { name: 'Console' }).click()
				await press('ControlOrMeta+End')
				await window.page.keyboard.insertText('\n\nDELETE /places')
				await press('ControlOrMeta+Enter')
				await sheet().getByText('This deletes').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'facts of the cluster',
			show: async () => {
				await button('Overview').click()
				await window.page.getByRole('region', { name: 'Health' }).getByText('green').waitFor()
			},
		},
		{
			name: 'facts of an index',
			show: async () => {
				await window.page.getByRole('tab', { name: 'books' }).click()
				await books.root.getByRole('button', { name: 'About this index' }).click()
				await window.page.getByRole('region', { name: 'Fields' }).getByRole('table').waitFor()
			},
		},
		page('General'),
		page('Plugins'),
		page('AI access'),
		{
			name: 'settings, AI access, groups of tools of a token',
			show: async () => {
				await sheet().getByText('Visible tools').last().click()
				await sheet().getByText('list_connections').waitFor()
			},
		},
		page('Activity'),
		{ ...page('Appearance'), leave: closeSheet },
		{
			name: 'choice of a driver',
			show: async () => {
				await button('New connection').click()
				await sheet().getByRole('button', { name: 'Search engine' }).waitFor()
			},
		},
		{
			name: 'connection form',
			show: async () => {
				await sheet().getByRole('button', { name: 'Search engine' }).click()
				await sheet().getByLabel('Hosts').waitFor()
			},
		},
		{
			name: 'connection form with missing values',
			show: async () => {
				await sheet().getByLabel('Hosts').fill('127.0.0.1:1')
				await sheet().getByRole('button', { name: 'Test' }).click()
				await sheet().getByRole('alert').waitFor()
			},
			leave: closeSheet,
		},
		{
			name: 'messages',
			show: async () => {
				await window.page.getByRole('tab', { name: 'books', exact: true }).click()
				await books.edit(0, 'author.country', 'YY')
				await books.save()
				await window.page.getByRole('region', { name: 'Messages' }).getByText('Saved 1 document.').waitFor()
				// The sheet hides the window from screen readers until it is closed.
				await sheet().waitFor({ state: 'detached' })
				await window.page.locator('.app:not([aria-hidden])').waitFor()
			},
		},
		{
			name: 'host that stopped',
			show: async () => {
				await window.roundhouse.stop('SIGKILL')
				await window.page.getByText('Roundhouse stopped.').waitFor()
			},
		},
	]

	test('no animation runs if the user prefers reduced motion', async () => {
		await button('Settings').click()
		await sheet().waitFor()
		expect(await window.page.evaluate<number>('document.getAnimations().length')).toBe(0)
		await closeSheet()
	})

	test('the selected segment has a different background, in the light and the dark theme', async () => {
		await button('Settings').click()
		await sheet().locator('.segmented').waitFor()
		const groundOf = (selector: string) =>
			window.page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
		for (const colorScheme of ['light', 'dark'] as const) {
			await window.page.emulateMedia({ colorScheme })
			expect(await groundOf('.segment.active'), colorScheme).not.toBe(await groundOf('.segmented'))
		}
		await closeSheet()
	})

	test.for(screens)('$name', async ({ name, show, leave }) => {
		await show()
		const found = await findings(window.page, name)
		await leave?.()
		expect(found).toEqual({ inLight: [], inDark: [] })
	})
})

/** Screens of the first run: without a connection and without an installed driver. */
describe('accessibility of the first run', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let page: Page

	beforeAll(async () => {
		roundhouse = await Roundhouse.make()
		await roundhouse.serve()
		browser = await openBrowser()
		page = await openPage(browser, roundhouse, [])
		await page.emulateMedia({ reducedMotion: 'reduce' })
		await page.evaluate(source)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
	})

	const screens: readonly Screen[] = [
		{
			name: 'window without a connection',
			show: () => page.getByRole('main').getByRole('button', { name: 'New connection' }).waitFor(),
		},
		{
			name: 'choice of a driver that is not installed',
			show: async () => {
				await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
				await page.getByRole('button', { name: 'Search engine' }).getByText('Not installed').waitFor()
			},
		},
		{
			name: 'offer of a download',
			show: async () => {
				await page.getByRole('button', { name: 'Search engine' }).click()
				await page.getByRole('button', { name: 'Download and install' }).waitFor()
			},
		},
	]

	test.for(screens)('$name', async ({ name, show }) => {
		await show()
		expect(await findings(page, name)).toEqual({ inLight: [], inDark: [] })
	})
})

/**
 * Returns the violations that axe finds on a screen, one line per element, for both themes. Saves a screenshot in each
 * theme.
 */
async function findings(page: Page, name: string) {
	const find = async (options: RunOptions) => {
		const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
		return violations.flatMap(({ id, nodes }) =>
			nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary})`),
		)
	}
	await page.emulateMedia({ colorScheme: 'light' })
	const inLight = await find(standard)
	await pictures.take(page, name, 'light')
	await page.emulateMedia({ colorScheme: 'dark' })
	const inDark = await find(colours)
	await pictures.take(page, name, 'dark')
	return { inLight, inDark }
}
