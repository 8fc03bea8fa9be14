import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConsolePanel } from '../../support/console-panel.ts'
import { Pictures } from '../../support/pictures.ts'
import { ShopWindow } from '../../support/shop-window.ts'

/** What other sessions of the server do to the window: locks, and the end of the session of a console. */
describe('other sessions', () => {
	let shop: ShopWindow
	let pictures: Pictures

	beforeAll(async () => {
		shop = await ShopWindow.open()
		pictures = await Pictures.into('test-results/window/sessions')
	})
	afterAll(() => shop?.[Symbol.asyncDispose]())

	/** Runs a statement that locks something until the returned function is called. */
	async function lock(statement: string): Promise<() => Promise<void>> {
		const { server } = shop
		const held = server.sql(`begin; ${statement}; select pg_sleep(60)`).catch(() => {})
		const pid = "select pid from pg_stat_activity where wait_event = 'PgSleep'"
		await expect.poll(() => server.sql(pid)).toHaveLength(1)
		return async () => {
			await server.sql(`select pg_terminate_backend(pid) from (${pid}) sleeping`)
			await held
		}
	}

	test('a locked table blocks no list, and facts that are read again are marked as old', async () => {
		const { page, server } = shop
		const unlock = await lock('lock table orders in access exclusive mode')
		await page.locator('.tables-head').getByRole('button', { name: 'Overview' }).click()
		const overview = page.getByRole('tabpanel', { name: /^Overview/ })
		const activity = overview.getByRole('region', { name: 'Activity' })
		const end = activity.getByRole('row').filter({ hasText: 'pg_sleep' }).getByRole('button', { name: 'End session' })
		await end.waitFor()
		const largest = overview.getByRole('region', { name: 'Largest tables' })
		await largest.getByRole('row', { name: /^public\.orders .* locked locked locked$/ }).waitFor()
		// Sessions that do not answer.
		const sessions = await server.sql("select pid from pg_stat_activity where application_name = 'Roundhouse'")
		for (const { pid } of sessions) process.kill(Number(pid), 'SIGSTOP')
		await overview.getByRole('button', { name: 'Reload' }).click()
		await overview.getByText('Reading again …').waitFor()
		expect(await end.isDisabled()).toBe(true)
		for (const { pid } of sessions) process.kill(Number(pid), 'SIGCONT')
		await overview.getByText('Reading again …').waitFor({ state: 'detached' })
		await expect.poll(() => end.isEnabled()).toBe(true)
		await unlock()
	})

	test('all columns of the list of locks fit into a window of a usual width', async () => {
		const { page, server } = shop
		const before = page.viewportSize() ?? { width: 1280, height: 820 }
		const change =
			"update customers set note = 'a note that is long', data = '{}' where name = 'Customer 1' and is_active"
		const unlock = await lock(`set application_name to 'orders-service (worker)'; ${change}`)
		const waiting = server.sql(`${change} and note <> '${'x'.repeat(70)}'`).catch(() => {})
		await expect.poll(() => server.sql("select 1 from pg_stat_activity where wait_event_type = 'Lock'")).toHaveLength(1)
		await page.setViewportSize({ width: 1440, height: 900 })
		const overview = page.getByRole('tabpanel', { name: /^Overview/ })
		await overview.getByRole('button', { name: 'Reload' }).click()
		const locks = overview.getByRole('region', { name: 'Locks' })
		await locks.getByRole('button', { name: 'End the other session' }).waitFor()
		expect(await locks.getByRole('cell', { name: /^(update|begin; set) .*…$/ }).count()).toBe(2)
		await locks.scrollIntoViewIfNeeded()
		await pictures.take(page, 'locks', 'light')
		await page.emulateMedia({ colorScheme: 'dark' })
		await pictures.take(page, 'locks', 'dark')
		await page.emulateMedia({ colorScheme: 'light' })
		const widths = await locks.locator('.fact-list').evaluate(list => [list.scrollWidth, list.clientWidth])
		expect(widths[0]).toBe(widths[1])
		await page.setViewportSize(before)
		await unlock()
		await waiting
	})

	test('a save that waits for a lock shows its time and is cancelled from its review or the bar, and nothing is lost', async () => {
		const { page, server } = shop
		const customers = await shop.openTable('customers')
		await customers.edit(1, 'name', 'Waited')
		const id = await (await customers.cell(1, 'id')).innerText()
		const unlock = await lock(`select 1 from customers where id = ${id} for update`)
		const review = page.getByRole('dialog')
		const isCancelled = async () => {
			await customers.root.getByText('Saved 0 of 1. The save was cancelled.').waitFor()
			await customers.root.getByText('1 change not saved').waitFor()
			await review.waitFor({ state: 'detached' })
		}
		await customers.save()
		await review.getByRole('button', { name: /^Saving … \d+ s$/ }).waitFor()
		await pictures.take(page, 'review of a save that waits', 'light')
		await review.getByRole('button', { name: 'Cancel save' }).click()
		await isCancelled()
		await expect.poll(() => page.evaluate<string>("document.activeElement?.tagName ?? ''")).not.toBe('BODY')
		await customers.save()
		await review.locator('footer').getByRole('button', { name: 'Close' }).click()
		await customers.root.getByText(/^Saving … \d+ s$/).waitFor()
		await pictures.take(page, 'save that waits', 'light')
		await customers.root.getByRole('button', { name: 'Cancel save' }).click()
		await isCancelled()
		await pictures.take(page, 'cancelled save', 'light')
		expect(await customers.grid.evaluate(grid => grid.matches(':focus'))).toBe(true)
		await customers.save()
		await review.locator('footer').getByRole('button', { name: 'Close' }).click()
		await customers.root.getByText('Saving …').waitFor()
		await page.keyboard.press('ControlOrMeta+.')
		await isCancelled()
		expect(await server.sql(`select name from customers where id = ${id}`)).toEqual([{ name: `Customer ${id}` }])
		await unlock()
		await customers.save()
		await customers.nothingStaged()
		expect(await server.sql(`select name from customers where id = ${id}`)).toEqual([{ name: 'Waited' }])
		expect(shop.faults).toEqual([])
	})

	test('a session that the server ends says that its transaction was rolled back, and offers no rest', async () => {
		const { page, server } = shop
		await page.getByRole('button', { name: 'Console', exact: true }).first().click()
		const console = page.getByRole('tabpanel', { name: /^Console/ }).filter({ visible: true })
		const write = async (text: string) => {
			await console.getByRole('textbox', { name: 'Console' }).click()
			await page.keyboard.press('ControlOrMeta+a')
			await page.keyboard.insertText(text)
		}
		const badge = console.getByRole('group', { name: 'Transaction' })
		await write('begin')
		await page.keyboard.press('ControlOrMeta+Enter')
		await badge.waitFor()
		const command = async (name: string) => {
			await page.keyboard.press('ControlOrMeta+Shift+p')
			await page.keyboard.type(name)
			await page.keyboard.press('Enter')
		}
		await command('Commit the transaction')
		await badge.waitFor({ state: 'detached' })
		await write('begin')
		await page.keyboard.press('ControlOrMeta+Enter')
		await badge.waitFor()
		await command('Roll back the transaction')
		await badge.waitFor({ state: 'detached' })
		await write('begin')
		await page.keyboard.press('ControlOrMeta+Enter')
		await badge.waitFor()
		await server.sql(
			"select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and pid <> pg_backend_pid()",
		)
		await write("insert into logs (what) values ('lost');\nselect 1 as rest")
		await page.keyboard.press('ControlOrMeta+Shift+Enter')
		await console
			.getByText(/Its transaction was rolled back/)
			.first()
			.waitFor()
		await badge.waitFor({ state: 'detached' })
		await console
			.getByText(/1 of 2/)
			.first()
			.waitFor()
		expect(await console.getByRole('button', { name: /rest/i }).count()).toBe(0)
		expect(await server.sql("select 1 from logs where what = 'lost'")).toEqual([])
	})

	test('a session that the server ends while it is idle is replaced after one refusal, and a commit that was not sent says so', async () => {
		const { page, server } = shop
		const results = new ConsolePanel(page)
		const end = () =>
			server.sql(
				"select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'Roundhouse%' and pid <> pg_backend_pid()",
			)
		await results.run("set application_name to 'Roundhouse before'")
		await end()
		await results.run("select 4712 as after;\ninsert into logs (what) values ('elsewhere')")
		await results.root.getByText('So this was not sent.').first().waitFor()
		expect(await server.sql("select 1 from logs where what = 'elsewhere'")).toEqual([])
		await results.run('select 4712 as after')
		await results.root.getByText('4712').first().waitFor()
		await results.run('begin')
		await end()
		await results.run('commit')
		await results.root.getByText('The session has ended. Its transaction was rolled back').first().waitFor()
		expect(await results.root.getByText('Check whether').count()).toBe(0)
	})

	test('a copy that cannot run stops the script, and one with its data runs', async () => {
		const { page, server } = shop
		const console = page.getByRole('tabpanel', { name: /^Console/ }).filter({ visible: true })
		const runAll = async (text: string) => {
			await console.getByRole('textbox', { name: 'Console' }).click()
			await page.keyboard.press('ControlOrMeta+a')
			await page.keyboard.insertText(text)
			await page.keyboard.press('ControlOrMeta+Shift+Enter')
		}
		await runAll("copy logs from stdin;\ninsert into logs (what) values ('ran')")
		await console.getByText('COPY from STDIN needs its data').first().waitFor()
		await console
			.getByText(/2 of 2 not run: copy logs from stdin.* does not run in a console/)
			.first()
			.waitFor()
		expect(await server.sql("select 1 from logs where what = 'ran'")).toEqual([])
		await runAll("copy logs (what) from stdin;\nit's\n\\.\nselect 4711 as after")
		await console
			.getByRole('gridcell', { name: '4711' })
			.or(console.getByRole('cell', { name: '4711' }))
			.first()
			.waitFor()
		expect(await server.sql("select what from logs where what like 'it%'")).toEqual([{ what: "it's" }])
	})
})
