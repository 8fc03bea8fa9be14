import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listTables, driverFromSource as startDriver, tell } from '../../tests/support/driver-from-source.ts'

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

test('an unexpected error tells the caller nothing of its text', async () => {
	await using driver = await startDriver(`throw new Error('the password is hunter22')`)
	await expect(listTables(driver)).rejects.toMatchObject({
		code: 'internal_failure',
		message: expect.not.stringContaining('hunter22'),
	})
})

test('a crash fails the calls in flight and is told as lost', async () => {
	await using driver = await startDriver('process.exit(3)')
	await expect(listTables(driver)).rejects.toMatchObject({ code: 'not_connected' })
	expect(await driver.exited).toContain('exit code 3')
	await expect(driver.call('startSample', {})).rejects.toMatchObject({ code: 'not_connected' })
})

test('a driver that hangs is killed', async () => {
	await using driver = await startDriver('for (;;) {}')
	await expect(listTables(driver)).rejects.toThrow('it stopped answering')
})

test.each([
	['an answer to a call that nobody made', "say({ kind: 'result', id: 99, value: 1 })"],
	['a message of no known kind', "say({ kind: 'gift' })"],
	['a result of the wrong shape', 'return [{ name: 5 }]'],
])('a driver that sends %s is ended', async (_name, body) => {
	await using driver = await startDriver(`${body}; await new Promise(() => {})`)
	await expect(listTables(driver)).rejects.toMatchObject({
		code: expect.stringMatching(/not_connected|internal_failure/),
	})
	expect(await driver.exited).toMatch(/broke the protocol|nobody made/)
})

test('a driver that eats memory ends, and the host does not notice', async () => {
	await using driver = await startDriver('const all = []; for (;;) all.push(new Array(1e6).fill({}))')
	await expect(listTables(driver)).rejects.toMatchObject({ code: 'not_connected' })
})

test('a cancelled call reaches the driver', async () => {
	await using driver = await startDriver(
		`await new Promise(resolve => call.signal.addEventListener('abort', resolve)); ${tell("'aborted'")}`,
	)
	const abort = new AbortController()
	const listing = listTables(driver, abort.signal)
	setTimeout(() => abort.abort(), 50)
	expect(await listing).toEqual([{ name: 'aborted' }])
})

test('its scratch folder goes with it', async () => {
	const driver = await startDriver(tell('context.scratchFolder'))
	const scratch = (await listTables(driver))[0]?.name ?? ''
	expect(scratch).toContain('roundhouse-driver-')
	expect(existsSync(scratch)).toBe(true)
	await driver[Symbol.asyncDispose]()
	expect(existsSync(scratch)).toBe(false)
})

test('a module that throws is named', async () => {
	await expect(startDriver('', { top: "throw new Error('no')" })).rejects.toThrow('The driver test did not start')
})
