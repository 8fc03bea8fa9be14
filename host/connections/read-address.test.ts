import { join } from 'node:path'
import type { Manifest } from '@roundhouse/kit/manifest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDriver } from '../../tests/mcp/drivers/build-driver.ts'
import { DriverProcess } from '../driver-runtime/driver-process.ts'
import { readAddress } from './read-address.ts'
import type { DriverHost } from './sessions.ts'

/** Tests how a driver parses a pasted address. The driver runs in a real process (tests/mcp/drivers/till). */

let manifest: Manifest
let running: DriverProcess
const logged: string[] = []
beforeAll(async () => {
	const built = await buildDriver(join(import.meta.dirname, '../../tests/mcp/drivers/till'))
	manifest = built.manifest
	const write = (line: string) => void logged.push(line)
	running = await DriverProcess.start(built.program, { info: write, warn: write })
})
afterAll(() => running.stop())

function read(text: string, process: () => Promise<DriverProcess> = async () => running, installed = [manifest]) {
	const drivers = { installed: () => installed, process, lease: () => async () => {} }
	return readAddress(drivers as unknown as DriverHost, { id: 'till', text })
}

test('a driver parses a pasted command that the manifest cannot describe, and fills the fields, including the secret field', async () => {
	expect(await read('till -h db.example -p 7001 -u me password=s3cret')).toEqual({
		host: 'db.example',
		port: 7001,
		user: 'me',
		password: 's3cret',
	})
	expect(await read('psql -h db.example')).toBeUndefined()
})

test('an invalid result is reported as a driver error, and the message contains no pasted value', async () => {
	await expect(read('till --wrong password=s3cret')).rejects.toMatchObject({
		code: 'internal_failure',
		message: 'Till returned an invalid result for the pasted address: the form has no such field.',
	})
	await expect(read('till -p x password=s3cret')).rejects.toThrow('the value of “Port” has the wrong type')
})

test('a driver failure is reported, and neither messages nor logs contain the pasted text', async () => {
	const error = await read('till --fails password=s3cret').catch(error => error)
	expect(error.message).toBe('The driver failed to read the pasted address (TypeError).')
	await read('till --wrong password=s3cret').catch(() => {})
	expect(logged.join('\n')).not.toContain('s3cret')
})

test('a driver cannot send the password to a host or socket that is not in the pasted text', async () => {
	await expect(read('till --elsewhere -h db.example')).rejects.toThrow('“Host” is not in the text that was pasted')
	await expect(read('till --socket password=s3cret')).rejects.toThrow('“Socket” is not in the text that was pasted')
	expect(await read('till --socket /run%2Ftill')).toEqual({ socket: '/run/till/.s.7000' })
})

test.each([
	['a part of a host', '--host=616d706c652e636f till.example.com'],
	['the end of a host', '--host=6578616d706c652e636f6d till.example.com'],
	['a part of an IP address', '--host=302e302e302e31 10.0.0.1'],
	['the name of the user', '--host=61747461636b65722e6578616d706c65 till://attacker.example:pw@till.example'],
	['the password', '--host=61747461636b65722e6578616d706c65 till://me:attacker.example@till.example'],
	[
		'a part of a password that contains @',
		'--host=61747461636b65722e6578616d706c65 till://me:a@attacker.example@till.example',
	],
	['a socket outside the folder of the pasted socket', '--at=2f72756e2f646f636b65722e736f636b /run/till/.s.7000'],
	['a socket next to the pasted folder', '--at=2f72756e2f646f636b65722e736f636b host=/run/till'],
	['a socket in a folder with a longer name', '--at=2f72756e2f74692f782e736f636b /run/till'],
	['a socket in the root', '--at=2f646f636b65722e736f636b /run/till'],
	['a socket path that contains ..', '--at=2f72756e2f74696c6c2f2e2e2f646f636b65722e736f636b /run/till'],
])('a driver cannot redirect the password to %s', async (_, text) => {
	await expect(read(`till ${text}`)).rejects.toThrow('is not in the text that was pasted')
})

test.each([
	['till.example', 'till://me:pw@till.example:7001/x'],
	['till.example', 'till://me:p@w@TILL.example./x'],
	['till.example', 'host=till.example,port=7001'],
	['till.example', '-h "till.example"'],
	['bücher.example', 'till://me@bücher.example/'],
	['bücher.example', 'till://b%C3%BCcher.example/'],
	['xn--bcher-kva.example', 'till://bücher.example/'],
	['2001:db8::1', 'till://[2001:DB8:0::1]:7001'],
	['::1', '-h ::1'],
	['fe80::1%eth0', 'till://[fe80::1%25eth0]:7001'],
	['one.example:1,two.example:2', 'till://one.example:1,two.example:2'],
])('a driver reads %s from %s', async (host, text) => {
	expect(await read(`till --host=${Buffer.from(host).toString('hex')} ${text}`)).toEqual({ host })
})

test.each([
	['/run/till/.s.7000', 'host=/run/till'],
	['/run/till/.s.7000', 'till:///run/till/'],
	['/run/till/x.sock', 'till://me@%2Frun%2Ftill'],
	['/run/till/x.sock', 'unix:/run/till/x.sock'],
])('a driver reads the socket %s from %s', async (socket, text) => {
	expect(await read(`till --at=${Buffer.from(socket).toString('hex')} ${text}`)).toEqual({ socket })
})

test('a result that is not JSON is reported without its text', async () => {
	const call = async () => '{"password":s3cret}'
	const error = await read('till', async () => ({ call }) as unknown as DriverProcess).catch(error => error)
	expect(error.code).toBe('internal_failure')
	expect(error.message).not.toContain('s3cret')
})

test('only the user can fill in a file field', async () => {
	const form = manifest.form.map(field => (field.key === 'host' ? { ...field, type: 'file' as const } : field))
	const asking = read('till -h /etc/passwd', async () => running, [{ ...manifest, form }])
	await expect(asking).rejects.toThrow('it filled in the file “Host”')
})

test('the result is undefined if the driver does not start in time or does not parse addresses', async () => {
	expect(await read('till -h x', () => new Promise(() => {}))).toBeUndefined()
	const { readByDriver: _, ...pastedAddress } = manifest.pastedAddress
	expect(await read('till -h x', undefined, [{ ...manifest, pastedAddress }])).toBeUndefined()
})
