import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { isRunning } from '../support/process.ts'
import { type NpmRegistry, startNpmRegistry } from './npm-registry.ts'
import { Person } from './person.ts'
import { render } from './rendered.ts'

/**
 * What a person does with a published release: installs it from a registry, uses it, upgrades it while it runs, goes back
 * and removes it. It takes minutes and installs a registry, so it runs at a landing and with `npm run test:release`.
 */

describe('a release from the first command to the last', () => {
	let root: string
	let registry: NpmRegistry
	let person: Person
	let browser: Browser
	let host: ChildProcess | undefined
	const figures: string[] = []
	const [older, newer] = ['0.1.0', '0.2.0']

	const roundhouse = (...args: readonly string[]) => person.must('roundhouse', ...args)
	const json = async (...args: readonly string[]) => JSON.parse((await roundhouse(...args, '--json')).stdout)
	const note = (what: string, seconds: number) => figures.push(`${what}: ${seconds.toFixed(1)} s`)

	async function serve(): Promise<void> {
		host = person.spawn('roundhouse', ['serve', '--mcp-port', '0', '--ui-port', '0'])
		const [line] = await once(host.stdout ?? host, 'data')
		expect(JSON.parse(String(line))).toMatchObject({ ready: true })
		host.stderr?.resume()
	}

	beforeAll(async () => {
		root = await mkdtemp(join(tmpdir(), 'roundhouse-walk-'))
		registry = await startNpmRegistry(join(root, 'registry'))
		for (const version of [older, newer]) {
			// The newer release comes with the same Node, so it is packed once.
			await using release = await render({ change: { version }, args: version === older ? ['--node'] : [] })
			for (const name of ['roundhouse-node-linux-x64-26.10.0.tgz', `roundhouse-db-${version}.tgz`])
				if (existsSync(join(release.folder, name))) await registry.publish(join(release.folder, name))
		}
		person = await Person.make(root, registry.url)
		browser = await openBrowser()
	})
	afterAll(async () => {
		host?.kill()
		await browser?.close()
		await registry?.[Symbol.asyncDispose]()
		if (root) await rm(root, { recursive: true, force: true })
		process.stdout.write(`Figures of the release:\n${figures.map(line => `  ${line}\n`).join('')}`)
	})

	test('npx runs it from an empty folder, and writes no path of its cache into a client', async () => {
		const npx = (...args: readonly string[]) => person.must('npx', '-y', `roundhouse-db@${older}`, ...args)
		const cold = await npx('--version')
		expect(cold.stdout.trim()).toBe(older)
		note('npx, cold', cold.seconds)
		note('npx, warm', (await npx('--version')).seconds)
		await npx('mcp', 'install', 'cursor', '--yes')
		const text = await readFile(join(person.home, '.cursor', 'mcp.json'), 'utf8')
		expect(JSON.parse(text).mcpServers.roundhouse).toEqual({
			command: 'npx',
			args: ['-y', `roundhouse-db@${older}`, 'mcp'],
		})
		expect(text).not.toMatch(/_npx|\.npm|node_modules/)
		expect((await npx('mcp', 'test')).stdout).toContain(`The bridge reaches roundhouse ${older}`)
		await npx('mcp', 'uninstall', 'cursor', '--yes')
	})

	test('a global installation has its own Node, and installs its driver without a network', async () => {
		note('npm install --global', (await person.must('npm', 'install', '--global', `roundhouse-db@${older}`)).seconds)
		const { stdout, stderr, seconds } = await roundhouse('--version')
		expect([stdout.trim(), stderr]).toEqual([older, ''])
		note('roundhouse --version', seconds)
		const browsed = await roundhouse('plugin', 'browse')
		expect(browsed.stderr).toContain('Only the drivers that came with Roundhouse are listed')
		note('roundhouse plugin browse', browsed.seconds)
		note('roundhouse plugin install', (await roundhouse('plugin', 'install', 'search-engine')).seconds)
		expect((await roundhouse('doctor')).stdout).toContain('search-engine')
	})

	test('a document of the sample is changed in the window', async () => {
		await json('connection', 'add', '--driver', 'search-engine', '--name', 'Sample', '--sample', '--ai-policy', 'allow')
		await serve()
		const page = await (await browser.newContext({ viewport: { width: 1280, height: 820 } })).newPage()
		await page.goto((await json('open')).fallbackUrl)
		await page.getByRole('button', { name: 'Sample', exact: true }).click()
		await page.getByRole('list', { name: 'Indices' }).getByRole('button', { name: 'books' }).click()
		const grid = page.getByRole('grid', { name: 'books' })
		const header = grid.getByRole('columnheader', { name: 'author.country' })
		const index = await header.getAttribute('aria-colindex')
		await grid.locator(`[role=row][aria-rowindex="3"] [role=gridcell][aria-colindex="${index}"]`).dblclick()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.type('IS')
		await page.keyboard.press('Enter')
		await page.getByRole('button', { name: 'Review and save' }).click()
		await page
			.getByRole('dialog')
			.getByRole('button', { name: /^Save \d+ changes?$/ })
			.click()
		await page.getByText('Saved 1 document.').waitFor()
		await page.close()
	})

	test('an AI client reaches it by the command that was written into its configuration', async () => {
		await roundhouse('mcp', 'install', 'cursor', '--yes')
		const text = await readFile(join(person.home, '.cursor', 'mcp.json'), 'utf8')
		expect(text).not.toMatch(/_npx|\.npm|\.cache/)
		const client = new Client({ name: 'cursor', version: '1' }, { versionNegotiation: { mode: 'auto' } })
		const { env = {}, ...command } = JSON.parse(text).mcpServers.roundhouse
		await client.connect(new StdioClientTransport({ ...command, cwd: person.folder, env: { ...person.env, ...env } }))
		expect(client.getServerVersion()).toMatchObject({ name: 'roundhouse', version: older })
		const { tools } = await client.listTools()
		expect(tools.length).toBeGreaterThan(5)
		const answer = await client.callTool({ name: 'list_connections', arguments: {} })
		expect(JSON.stringify(answer)).toContain('Sample')
		await client.close()
		note('roundhouse mcp test', (await roundhouse('mcp', 'test')).seconds)
	})

	test('an upgrade under the running host is said, and the host gives way to it', async () => {
		await person.must('npm', 'install', '--global', `roundhouse-db@${newer}`)
		expect(host && isRunning(host.pid ?? 0)).toBe(true)
		const listed = await roundhouse('connection', 'list', '--json')
		expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'Sample' }])
		expect(listed.stderr).toContain(`Roundhouse ${older} is running, and this is ${newer}.`)
		// The driver's process ends here; the older host must not start one from the newer one's files.
		await roundhouse('plugin', 'disable', 'search-engine')
		await roundhouse('plugin', 'enable', 'search-engine')
		const refused = await person.run('roundhouse', ['connection', 'test', 'Sample'])
		expect(refused.code).toBe(1)
		expect(refused.stderr).toContain(`were replaced by Roundhouse ${newer} while Roundhouse ${older} runs`)
		const { env = {}, ...command } = JSON.parse(await readFile(join(person.home, '.cursor', 'mcp.json'), 'utf8'))
			.mcpServers.roundhouse
		expect(existsSync(command.command)).toBe(true)
		expect(env).toEqual({})
		expect(await json('stop')).toEqual({ stopped: true, version: older })
		await serve()
		expect(await json('connection', 'test', 'Sample')).toMatchObject({ ok: true })
		expect((await roundhouse('mcp', 'test')).stdout).toContain(`The bridge reaches roundhouse ${newer}`)
	})

	test('a downgrade works with the same files', async () => {
		await roundhouse('stop')
		await person.must('npm', 'install', '--global', `roundhouse-db@${older}`)
		await serve()
		expect(await json('connection', 'test', 'Sample')).toMatchObject({ ok: true })
	})

	test('a host whose package was removed says so, and removal leaves only what belongs to the person', async () => {
		await person.must('npm', 'uninstall', '--global', 'roundhouse-db')
		expect(host && isRunning(host.pid ?? 0)).toBe(true)
		expect(existsSync(join(root, 'npm', 'bin', 'roundhouse'))).toBe(false)
		const sample = ['-y', `roundhouse-db@${older}`, 'connection', 'test', 'Sample']
		await person.run('npx', ['-y', `roundhouse-db@${older}`, 'plugin', 'disable', 'search-engine'])
		await person.run('npx', ['-y', `roundhouse-db@${older}`, 'plugin', 'enable', 'search-engine'])
		const refused = await person.run('npx', sample)
		expect(refused.stderr).toContain('The files of Roundhouse were removed while Roundhouse')
		await person.must('npx', '-y', `roundhouse-db@${older}`, 'stop')
		expect((await person.must('npx', ...sample)).stdout).toContain('Connected to')
	})

	test.each([100, 400])('a first run %d days after the release works from what came with it', async days => {
		const later = await Person.make(join(root, `later-${days}`), registry.url)
		await later.must('npm', 'install', '--global', `roundhouse-db@${older}`)
		const clock = {
			NODE_OPTIONS: `--import=${join(import.meta.dirname, 'shifted-clock.mjs')}`,
			SHIFTED_DAYS: String(days),
		}
		const browsed = await later.run('roundhouse', ['plugin', 'browse'], clock)
		expect(browsed.stderr).toContain('and may be out of date')
		const sample = ['connection', 'add', '--driver', 'search-engine', '--name', 'Sample', '--sample', '--json']
		const added = await later.run('roundhouse', sample, clock)
		expect(added.code, added.stderr).toBe(0)
		expect((await later.run('roundhouse', ['connection', 'test', 'Sample'], clock)).code).toBe(0)
	})

	test('no process and no file of the walk is left', () => {
		expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(join(root, 'npm'))
	})
})
