import { expect, test } from 'vitest'
import { DevelopedDriver } from '../support/developed-driver.ts'

/** `roundhouse driver dev`, as an author uses it: files are changed while it runs. */

test('a saved change runs in the open connections, and a broken one leaves the build before it', async () => {
	await using driver = await DevelopedDriver.make()
	driver.start()
	expect(await driver.next('running')).toMatchObject({ id: 'notes', version: '0.1.0' })
	const host = await driver.host()
	const info = () => host.call('app.info', {})
	expect(await info()).toMatchObject({
		name: 'Roundhouse (development)',
		development: { folder: driver.folder },
	})

	const [connection] = await host.call('connections.list', {})
	const id = connection?.id ?? ''
	const product = async () => (await host.call('connections.open', { id })).info.product
	const state = async () => (await host.call('connections.list', {}))[0]?.state
	expect(await product()).toBe('Notes')

	await driver.edit('driver.ts', "product: 'Notes'", "product: 'Changed'")
	await driver.next('running')
	// The connection was opened again without a call.
	expect(await state()).toMatchObject({ status: 'connected' })
	expect(await product()).toBe('Changed')

	await driver.edit('driver.ts', "product: 'Changed'", 'product: (')
	expect((await driver.next('failed')).fault).toContain('driver.ts:')
	expect(await product()).toBe('Changed')

	await driver.edit('driver.ts', 'product: (', "product: 'Third'")
	await driver.next('running')
	await driver.edit('notes.ts', 'export class Notes', "throw new TypeError('too early')\nexport class Notes")
	const lines = (await driver.read('notes.ts')).split('\n')
	const place = `notes.ts:${lines.findIndex(line => line.includes('too early')) + 1}:`
	const { fault } = await driver.next('failed')
	expect(fault).toContain(`TypeError: too early (${place}`)
	expect(fault).toContain('    at ')
	expect((await info()).development?.fault).toBe(fault)
	expect(await product()).toBe('Third')

	await driver.edit('notes.ts', "throw new TypeError('too early')\n", '')
	await driver.next('running')
	expect((await info()).development?.fault).toBeUndefined()

	await driver.edit('package.json', '"memoryMb": 128', '"memoryMb": 256')
	expect((await driver.next('log')).text).toMatch(/^installed driver/)
	expect((await driver.next('log')).text).toBe('It may now use more. Memory: up to 256 MB')
})

test('a denied permission is printed when it happens, also if the driver catches the error', async () => {
	await using driver = await DevelopedDriver.make()
	const opening = 'function open(settings: Settings): Connection {'
	await driver.edit('driver.ts', opening, `${opening}\n\ttry {\n\t\treadFileSync('/etc/hosts')\n\t} catch {}`)
	await driver.edit('driver.ts', 'import {', "import { readFileSync } from 'node:fs'\nimport {")
	driver.start()
	const host = await driver.host()
	const [connection] = await host.call('connections.list', {})
	await host.call('connections.open', { id: connection?.id ?? '' })
	const { text } = await driver.next('log')
	expect(text).toMatch(/denied: it reads a file outside of its package.*: \/etc\/hosts \(driver\.ts:\d+:/)
})

test('a debugger may attach with --inspect', async () => {
	await using driver = await DevelopedDriver.make()
	driver.start('--inspect')
	expect((await driver.next('log')).text).toContain('Debugger listening on ws://127.0.0.1:')
	await driver.next('running')
})
