import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSupportDirectory } from '../../base/support-directory.ts'
import { connectToHost, type HostClient } from '../../host/api/client.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/** `roundhouse driver dev`, as an author uses it: files are changed while it runs. */

let folder: string
let author: Roundhouse

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-author-'))
	author = await Roundhouse.make()
})

afterEach(async () => {
	await author[Symbol.asyncDispose]()
	await rm(folder, { recursive: true, force: true })
})

type Event = Readonly<Record<string, unknown>> & { readonly event?: string }

class Development implements AsyncDisposable {
	readonly #child: ChildProcess
	readonly #events: Event[] = []
	#seen = 0

	constructor(child: ChildProcess) {
		this.#child = child
		child.stderr?.resume()
		if (child.stdout) createInterface(child.stdout).on('line', line => this.#events.push(JSON.parse(line)))
	}

	/** Waits for the next event of a kind, past those that were returned before. */
	async next(event: string): Promise<Event> {
		await expect.poll(() => this.#find(event), { timeout: 40_000 }).not.toBe(-1)
		const at = this.#find(event)
		this.#seen = at + 1
		return this.#events[at] ?? {}
	}

	#find(event: string): number {
		return this.#events.findIndex((one, at) => at >= this.#seen && one.event === event)
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#child.kill('SIGTERM')
		if (this.#child.exitCode === null) await once(this.#child, 'exit')
	}
}

const source = (name: string) => join(folder, 'notes', name)

async function edit(name: string, before: string, after: string): Promise<void> {
	const text = await readFile(source(name), 'utf8')
	expect(text).toContain(before)
	await writeFile(
		source(name),
		text.replace(before, () => after),
	)
}

async function start(...options: string[]): Promise<Development> {
	const { command, args } = author.command('driver', 'dev', 'notes', '--json', ...options)
	return new Development(
		spawn(command, args, { cwd: folder, env: author.environment, stdio: ['ignore', 'pipe', 'pipe'] }),
	)
}

async function createNotes(): Promise<void> {
	const { command, args } = author.command('driver', 'new', 'notes')
	await once(spawn(command, args, { cwd: folder, env: author.environment, stdio: 'ignore' }), 'exit')
}

async function hostOf({ home }: Event): Promise<HostClient> {
	const host = await connectToHost(await openSupportDirectory(String(home)))
	if (!host) throw new Error('no host answers')
	return host
}

test('a saved change runs in the open connections, and a broken one leaves the build before it', {
	timeout: 120_000,
}, async () => {
	await createNotes()
	await using development = await start()
	const running = await development.next('running')
	expect(running).toMatchObject({ id: 'notes', version: '0.1.0' })
	const ready = await development.next('ready')
	await using host = await hostOf(ready)
	const info = await host.call('app.info', {})
	expect(info).toMatchObject({ name: 'Roundhouse (development)', development: { folder: join(folder, 'notes') } })

	const [connection] = await host.call('connections.list', {})
	const id = connection?.id ?? ''
	const product = async () => (await host.call('connections.open', { id })).info.product
	const state = async () => (await host.call('connections.list', {}))[0]?.state
	expect(await product()).toBe('Notes')

	await edit('driver.ts', "product: 'Notes'", "product: 'Changed'")
	expect(Number((await development.next('running')).tookMs)).toBeGreaterThan(0)
	// The connection was opened again without a call.
	expect(await state()).toMatchObject({ status: 'connected' })
	expect(await product()).toBe('Changed')

	await edit('driver.ts', "product: 'Changed'", 'product: (')
	expect((await development.next('failed')).fault).toContain('driver.ts:')
	expect(await product()).toBe('Changed')

	await edit('driver.ts', 'product: (', "product: 'Third'")
	await development.next('running')
	await edit('notes.ts', 'export class Notes', "throw new TypeError('too early')\nexport class Notes")
	const lines = (await readFile(source('notes.ts'), 'utf8')).split('\n')
	const place = `notes.ts:${lines.findIndex(line => line.includes('too early')) + 1}:`
	const { fault } = await development.next('failed')
	expect(fault).toContain(`TypeError: too early (${place}`)
	expect(fault).toContain('    at ')
	expect((await host.call('app.info', {})).development?.fault).toBe(fault)
	expect(await product()).toBe('Third')

	await edit('notes.ts', "throw new TypeError('too early')\n", '')
	await development.next('running')
	expect((await host.call('app.info', {})).development?.fault).toBeUndefined()
})

test('a denied permission is printed when it happens, also if the driver catches the error', async () => {
	await createNotes()
	await edit(
		'driver.ts',
		'function open(settings: Settings): Connection {',
		"function open(settings: Settings): Connection {\n\ttry {\n\t\treadFileSync('/etc/hosts')\n\t} catch {}",
	)
	await edit('driver.ts', 'import {', "import { readFileSync } from 'node:fs'\nimport {")
	await using development = await start()
	await using host = await hostOf(await development.next('ready'))
	const [connection] = await host.call('connections.list', {})
	await host.call('connections.open', { id: connection?.id ?? '' })
	const { text } = await development.next('log')
	expect(text).toMatch(/denied: it reads a file outside of its package.*: \/etc\/hosts \(driver\.ts:\d+:/)
})

test('a debugger may attach with --inspect', async () => {
	await createNotes()
	await using development = await start('--inspect')
	expect((await development.next('log')).text).toContain('Debugger listening on ws://127.0.0.1:')
	await development.next('running')
})
