import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { connect, listTables, driverFromSource as startDriver, tell } from '../../tests/support/driver-from-source.ts'
import { nowhere } from '../../tests/support/network-access.ts'
import { DriverProcess } from './driver-process.ts'

test('has an empty environment', async () => {
	await using driver = await startDriver(tell('Object.keys(process.env).join()'))
	const [table] = await listTables(driver)
	expect(table?.name).toBe('')
})

test.each([
	['read another folder', "import { readdirSync } from 'node:fs'", "readdirSync('/')"],
	[
		'write outside of its scratch folder',
		"import { writeFileSync } from 'node:fs'",
		"writeFileSync('../roundhouse-escape', 'x')",
	],
	['start a program', "import { spawnSync } from 'node:child_process'", "spawnSync('id').error ?? 'started'"],
	['start a worker', "import { Worker } from 'node:worker_threads'", "new Worker('', { eval: true })"],
])('may not %s', async (_name, top, expression) => {
	await using driver = await startDriver(`try { ${tell(expression)} } catch (error) { ${tell('error.code')} }`, { top })
	const [table] = await listTables(driver)
	expect(table?.name).toMatch(/ERR_ACCESS_DENIED/)
})

test('the text of an unexpected error does not reach the caller', async () => {
	await using driver = await startDriver(`throw new Error('the password is hunter22')`)
	await expect(listTables(driver)).rejects.toMatchObject({
		code: 'internal_failure',
		message: expect.not.stringContaining('hunter22'),
	})
})

test('a crash fails the calls in flight with not_connected', async () => {
	await using driver = await startDriver('process.exit(3)')
	await expect(listTables(driver)).rejects.toMatchObject({ code: 'not_connected' })
	expect(await driver.exited).toContain('exit code 3')
	await expect(driver.startSample()).rejects.toMatchObject({ code: 'not_connected' })
})

test('a driver that hangs is killed', async () => {
	await using driver = await startDriver('for (;;) {}')
	await expect(listTables(driver)).rejects.toThrow('it stopped answering')
})

test('a driver that gets no processor for ten seconds is not lost', async () => {
	await using driver = await startDriver('return []')
	process.kill(Number(driver.pid), 'SIGSTOP')
	const tables = listTables(driver)
	await new Promise(resolve => setTimeout(resolve, 10_000))
	process.kill(Number(driver.pid), 'SIGCONT')
	expect(await tables).toEqual([])
})

test.each([
	['an answer to an unknown call', "say({ kind: 'result', id: 99, value: 1 })"],
	['a message of an unknown kind', "say({ kind: 'gift' })"],
])('a driver that sends %s is ended', async (_name, body) => {
	await using driver = await startDriver(`${body}; await new Promise(() => {})`)
	await expect(listTables(driver)).rejects.toMatchObject({
		code: expect.stringMatching(/not_connected|internal_failure/),
	})
	expect(await driver.exited).toMatch(/broke the protocol|unknown call/)
})

test('a wrong answer names its place in the data, for the user and in the log, and the driver goes on', async () => {
	const logged: string[] = []
	const log = { info: () => {}, warn: (text: string) => void logged.push(text), error: () => {} }
	await using driver = await startDriver('return [{ name: "first" }, { name: 5 }]', {
		log,
		members: "console: { analyse: () => [{ start: 0, end: 1, access: 'readonly', summary: '' }] },",
	})
	const fault = 'listTables[1].name: 5 is not of the type string'
	await expect(listTables(driver)).rejects.toMatchObject({
		code: 'internal_failure',
		message: `The driver test answered incorrectly. Nothing was changed. Report this to its publisher: ${fault}.`,
	})
	expect(logged).toEqual([`driver test: wrong answer: ${fault}`])
	const reach = driver.network.addDialer(nowhere)
	const { connection } = await driver.call('connect', { settings: {}, isReadOnly: false, reach })
	await expect(driver.call('analyse', { connection, text: 'x' })).rejects.toThrow(
		'analyse[0].access: "readonly" is none of read, write, destructive',
	)
	await expect(driver.call('readRow', { connection, table: 't', rowId: '1' })).rejects.toThrow()
	expect(driver.isAlive).toBe(true)
})

test('a driver that exhausts its memory ends without harm to the host', async () => {
	await using driver = await startDriver('const all = []; for (;;) all.push(new Array(1e6).fill({}))')
	await expect(listTables(driver)).rejects.toMatchObject({ code: 'not_connected' })
})

test('a cancelled call reaches the driver', async () => {
	await using driver = await startDriver(
		`await new Promise(resolve => call.signal.addEventListener('abort', resolve)); ${tell("'aborted'")}`,
	)
	const abort = new AbortController()
	const connection = await connect(driver)
	const listing = driver.call('listTables', { connection }, { signal: abort.signal })
	abort.abort()
	expect(await listing).toEqual([{ name: 'aborted' }])
})

test('the scratch folder is removed when the process ends', async () => {
	const driver = await startDriver(tell('context.scratchFolder'))
	const scratch = (await listTables(driver))[0]?.name ?? ''
	expect(scratch).toContain('roundhouse-driver-')
	expect(existsSync(scratch)).toBe(true)
	await driver[Symbol.asyncDispose]()
	expect(existsSync(scratch)).toBe(false)
})

test.each([
	["throw new Error('no')", 'its module could not be loaded: Error: no (driver.mjs:'],
	["throw 'nope'", 'its module could not be loaded: it threw "nope", which is not an Error'],
	["import 'node:sqlite'", 'No such built-in module: node:sqlite, which no driver may use'],
	["import './gone.mjs'", "Cannot find module './gone.mjs'"],
	["import { readFileSync } from 'node:fs'; readFileSync('/etc/hostname')", 'it reads a file outside of its package.'],
	[
		"import { writeFileSync } from 'node:fs'; writeFileSync('x', '')",
		'It may write only in context.scratchFolder (driver.mjs:',
	],
	[
		"import { spawnSync } from 'node:child_process'; const { error } = spawnSync('id'); throw error",
		'it starts a program',
	],
])('a module that fails with %s says why the driver did not start', async (top, reason) => {
	await expect(startDriver('', { top })).rejects.toThrow(reason)
})

test('a module without a driver says what to write', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-test-driver-'))
	const entry = join(folder, 'driver.mjs')
	await writeFile(entry, 'export const connect = () => {}')
	const permissions = { network: 'none', memoryMb: 128 } as const
	const start = DriverProcess.start({ driverId: 'test', folder, entry, permissions }, silentLog)
	await expect(start).rejects.toThrow(
		'The driver test did not start: its module exports no driver. Write: export default',
	)
	await rm(folder, { recursive: true })
})
