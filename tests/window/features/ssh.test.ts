import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasServer as hasMariadb, startServer as startMariadb } from '../../../plugins/mariadb/servers/server.ts'
import { startServer as startPostgres } from '../../../plugins/postgres/servers/server.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { ConsolePanel } from '../../support/console-panel.ts'
import { Pictures } from '../../support/pictures.ts'
import { serveWithRegistry } from '../../support/registry.ts'
import { Roundhouse } from '../../support/roundhouse.ts'
import { hasSshServer, passphrase, type SshServers, startSshServers } from '../../support/ssh-servers.ts'

/** Two databases behind two hops of real SSH servers: questions, one tunnel for both, and a tunnel that is killed. */
describe.skipIf(!hasSshServer || !hasMariadb)('SSH in the window', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: Awaited<ReturnType<typeof serveWithRegistry>>
	let servers: SshServers
	let postgres: Awaited<ReturnType<typeof startPostgres>>
	let mariadb: Awaited<ReturnType<typeof startMariadb>>
	let programs: string
	let page: Page
	let pictures: Pictures
	const faults: string[] = []

	const schema = 'create table kept (id int primary key); insert into kept values (1)'
	const dialog = (name?: RegExp) => page.getByRole('dialog', name ? { name } : {})
	const picture = (name: string) => pictures.take(page, name, 'light')

	beforeAll(async () => {
		servers = await startSshServers()
		;[postgres, mariadb, browser] = await Promise.all([
			startPostgres({ schema }),
			startMariadb({ schema }),
			openBrowser(),
		])
		// The configuration of the account that runs the tests is not read: ssh finds that file by the account alone.
		programs = await mkdtemp(join(tmpdir(), 'programs-'))
		await writeFile(join(programs, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${servers.config}' "$@"\n`)
		await chmod(join(programs, 'ssh'), 0o755)
		roundhouse = await Roundhouse.make({ PATH: `${programs}${delimiter}${process.env.PATH}` })
		registry = await serveWithRegistry(roundhouse)
		pictures = await Pictures.into('test-results/window/ssh')
		page = await openPage(browser, roundhouse, faults)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.close()
		await Promise.all([postgres?.stop(), mariadb?.stop()])
		if (programs) await rm(programs, { recursive: true, force: true })
		await servers?.[Symbol.asyncDispose]()
	})

	/** Fills the form of a new connection behind the second server. */
	async function fill(
		engine: string,
		name: string,
		{ port, password, database }: Readonly<Record<string, unknown>>,
	): Promise<Locator> {
		await page.getByRole('button', { name: 'New connection' }).first().click()
		await page.getByRole('button', { name: engine }).click()
		await dialog().getByRole('button', { name: 'Download and install' }).click()
		await dialog().getByLabel('Host', { exact: true }).waitFor()
		const values = { Name: name, Host: '127.0.0.1', Port: port, Database: database, Password: password }
		for (const [label, value] of Object.entries(values))
			await dialog().getByLabel(label, { exact: true }).fill(String(value))
		await dialog().getByLabel('Through SSH').check()
		await dialog().getByLabel('SSH server').fill('target')
		return dialog()
	}

	test('a test of a connection asks for host keys and the passphrase, and says each step', async () => {
		const form = await fill('PostgreSQL', 'Shop', postgres.settings)
		await form.getByRole('button', { name: 'Test', exact: true }).click()
		for (const [place, host] of ['jump', 'target'].entries()) {
			await dialog(/^Is this target/)
				.getByText(/ED25519 key fingerprint is SHA256:/)
				.waitFor()
			await picture(`key-of-${host}`)
			await dialog(/^Is this target/)
				.getByRole('button', { name: 'Yes, connect' })
				.click()
			if (place > 0) continue
			const question = dialog(/^ssh asks for target/)
			await question.getByLabel('Answer').fill(passphrase)
			await picture('passphrase')
			await question.getByRole('button', { name: 'Send' }).click()
		}
		await form.getByText(/^Connected to PostgreSQL/).waitFor()
		const steps = await form.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem').allTextContents()
		const hop = ['Connected', 'Host', 'Signed']
		expect(steps.map(step => step.trim().split(' ', 1)[0])).toEqual(['Found', ...hop, ...hop, 'Reached'])
		await picture('steps')
		await form.getByRole('button', { name: 'Save and open' }).click()
		await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'kept' }).click()
		await page.getByRole('tabpanel', { name: 'public.kept' }).getByText('1 row', { exact: true }).waitFor()
	})

	test('a tunnel that is killed in a transaction ends it, and the next run opens it without a question', async () => {
		await page.getByRole('button', { name: 'Console', exact: true }).click()
		const panel = new ConsolePanel(page)
		await panel.run('begin; insert into kept values (2)')
		await panel.root.getByRole('group', { name: 'Transaction' }).waitFor()
		await servers.kill('target')
		await panel.write('insert into kept values (3)')
		await page.keyboard.press('ControlOrMeta+Shift+Enter')
		const failed = dialog(/^The SSH tunnel to target failed/)
		await failed.getByText(/^SSH to target could not reach the next host/).waitFor()
		await picture('killed')
		await failed.getByRole('button', { name: 'Close' }).click()
		await panel.root.getByRole('group', { name: 'Transaction' }).waitFor({ state: 'detached' })
		await servers.start('target')
		const count = 'select count(*) as rows_left from kept'
		await panel.run(count)
		// The settings of the session are gone too, so nothing runs in another one unsaid.
		await panel.root.getByText(/^The session of this console had ended/).waitFor()
		await panel.run(count)
		await panel.root.getByRole('gridcell', { name: '1', exact: true }).first().waitFor()
		await picture('opened-again')
	})

	test('another database behind the same server shares the tunnel, and asks nothing', async () => {
		const form = await fill('MariaDB and MySQL', 'Stock', mariadb.settings)
		await form.getByRole('button', { name: 'Save and open' }).click()
		await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'kept' }).last().click()
		await page.getByRole('tabpanel', { name: 'shop.kept' }).getByText('1 row', { exact: true }).waitFor()
		const { stdout } = await roundhouse.run(['doctor'])
		expect(stdout).toContain('1 open, which only you can reach')
		await picture('both')
		expect(faults).toEqual([])
	})

	test('a command saves a connection through SSH, tries it, and takes the tunnel away', async () => {
		const { password, ...settings } = postgres.settings
		const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])
		const add = ['connection', 'add', '--driver', 'postgres', '--name', 'By command', ...set, '--secrets-stdin']
		const added = await roundhouse.json([...add, '--ssh', 'target'], JSON.stringify({ password }))
		expect(added).toMatchObject({ ssh: { destination: 'target' } })
		const tried = await roundhouse.run(['connection', 'test', 'By command'])
		expect(tried).toMatchObject({ code: 0, stdout: expect.stringContaining('Connected to PostgreSQL') })
		expect(tried.stderr).toContain('Signed in to 127.0.0.1')
		const change = ['connection', 'set', String(added.id)]
		const led = await roundhouse.json([...change, '--ssh-jump', 'jump', '--ssh-key', servers.key])
		expect(led).toMatchObject({ ssh: { destination: 'target', jump: 'jump', identityFile: servers.key } })
		expect(await roundhouse.json([...change, '--no-ssh'])).not.toHaveProperty('ssh')
	})
})
