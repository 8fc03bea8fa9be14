import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../plugins/postgres/servers/server.ts'
import { serveRegistry } from '../../registry/publisher/serve.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { Pictures } from '../support/pictures.ts'
import { builtRegistry } from '../support/registry.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/** What a user does with the result of a statement: export all of it, copy from it, and see much of it. */
describe('the result of a statement', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: Awaited<ReturnType<typeof serveRegistry>>
	let server: TestServer
	let page: Page
	let pictures: Pictures
	const faults: string[] = []

	const dialog = () => page.getByRole('dialog')
	const console = () => page.getByRole('tabpanel', { name: 'Console' }).filter({ visible: true })
	const result = (): Locator => console().getByRole('article').first()

	async function run(statement: string): Promise<void> {
		await console().getByRole('textbox', { name: 'Console' }).click()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.press('Delete')
		await page.keyboard.insertText(statement)
		const before = await console().getByRole('article').count()
		await page.keyboard.press('ControlOrMeta+Shift+Enter')
		await expect.poll(() => console().getByRole('article').count()).toBeGreaterThan(before)
		await console().getByText('Running …').waitFor({ state: 'detached' })
	}

	async function exported(format: string): Promise<string> {
		await dialog().getByLabel('Format').selectOption(format)
		const [file] = await Promise.all([
			page.waitForEvent('download'),
			dialog().getByRole('button', { name: 'Export', exact: true }).click(),
		])
		await dialog()
			.getByText(/^Exported/)
			.waitFor()
		expect(file.suggestedFilename()).toBe(`result.${format}`)
		const text = await readFile(await file.path(), 'utf8')
		await dialog().getByRole('button', { name: 'Close' }).last().click()
		return text
	}

	const picture = (name: string) => pictures.take(page, name, 'light')

	beforeAll(async () => {
		;[server, browser, roundhouse] = await Promise.all([startServer({}), openBrowser(), Roundhouse.make()])
		registry = await serveRegistry((await builtRegistry()).folder)
		const { fingerprint } = await builtRegistry()
		await roundhouse.serve(['--registry', registry.url, '--registry-key', fingerprint])
		const draft = { driverId: 'postgres', name: 'Shop', settings: server.settings, safeMode: 'free' } as const
		await roundhouse.withHost(host => host.call('connections.add', draft))
		pictures = await Pictures.into('test-results/window/statement-results')
		page = await openPage(browser, roundhouse, faults)
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await page.getByRole('button', { name: 'Shop', exact: true }).click()
		await page.getByRole('button', { name: 'Console', exact: true }).click()
	}, 120_000)
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.close()
		await server?.stop()
	})

	test('all rows are exported, of which the result holds the first', async () => {
		await run("select n, 'row ' || n as name from generate_series(1, 25000) n")
		await result().getByText('first 2,000 rows').waitFor()
		await result().getByRole('button', { name: 'Export all rows' }).click()
		await dialog().getByText('The statement runs again, in the session of this console. It may only read.').waitFor()
		await picture('export')
		const lines = (await exported('csv')).trimEnd().split('\n')
		expect([lines.length, lines[0], lines.at(-1)]).toEqual([25_001, 'n,name', '25000,row 25000'])
	})

	test('an export sees temporary tables and the open transaction, which stays open', async () => {
		await run(
			"begin; create temp table mine as select null::text as word; insert into mine values (''); select * from mine",
		)
		const rows = console().getByRole('article', { name: 'select * from mine' })
		await rows.getByText('select * from mine').click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Export all rows' }).click()
		await dialog().getByText('It sees the open transaction, which stays open.').waitFor()
		expect(await exported('ndjson')).toBe('{"word":null}\n{"word":""}\n')
		await console().getByRole('group', { name: 'Transaction' }).getByRole('button', { name: 'Roll back' }).click()
		await console().getByRole('article', { name: 'rollback' }).waitFor()
	})

	test('an export is cancelled while it runs, and the console goes on', async () => {
		await run("select n, repeat('x', 1000) from generate_series(1, 5000000) n")
		await result().getByRole('button', { name: 'Export all rows' }).click()
		await dialog().getByRole('button', { name: 'Export', exact: true }).click()
		await dialog().getByRole('progressbar').waitFor()
		await dialog().getByRole('button', { name: 'Cancel' }).click()
		await dialog().getByText('Cancelled. No file was saved.').waitFor()
		await dialog().getByRole('button', { name: 'Close' }).last().click()
		await run('select 1 as still_here')
		await result().getByRole('columnheader', { name: 'still_here' }).waitFor()
	})

	test('a write is not offered, and its rows are not exported', async () => {
		await run('create table made as select 1; insert into made values (2) returning *')
		const written = console().getByRole('article', { name: 'insert into made values (2) returning *' })
		await written.locator('.run-statement').click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Remove' }).waitFor()
		expect(await page.getByRole('menuitem', { name: 'Export all rows' }).count()).toBe(0)
		await page.keyboard.press('Escape')
		const connection = await roundhouse.withHost(host => host.call('connections.list', {}))
		const refused = roundhouse.withHost(host =>
			host.call('exports.beginStatement', {
				connection: connection[0]?.id ?? '',
				statement: { text: 'insert into made values (3) returning *' },
				options: { format: 'csv' },
			}),
		)
		await expect(refused).rejects.toThrow('Only the rows of a statement that reads can be exported.')
		expect(faults).toEqual([])
	})
})
