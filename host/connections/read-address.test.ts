import { join } from 'node:path'
import type { Manifest } from '@roundhouse/kit/manifest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDriver } from '../../tests/mcp/drivers/build-driver.ts'
import { DriverProcess } from '../driver-runtime/driver-process.ts'
import { readAddress } from './read-address.ts'
import type { DriverHost } from './sessions.ts'

/** What a driver reads from a pasted text, in a real process (tests/mcp/drivers/till). */

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

test('a command that the manifest cannot describe fills the fields, also the secret one', async () => {
	expect(await read('till -h db.example -p 7001 -u me password=s3cret')).toEqual({
		...{ host: 'db.example', port: 7001, user: 'me', password: 's3cret' },
	})
	expect(await read('psql -h db.example')).toBeUndefined()
})

test('a wrong answer is told as the fault of the driver, without a value', async () => {
	await expect(read('till --wrong password=s3cret')).rejects.toMatchObject({
		code: 'internal_failure',
		message: 'Till read the pasted address wrongly: the form has no such field.',
	})
	await expect(read('till -p x password=s3cret')).rejects.toThrow('the value of “Port” has the wrong type')
})

test('a driver that fails on the text says so, and the text is in no message and no log', async () => {
	const error = await read('till --fails password=s3cret').catch(error => error)
	expect(error.message).toBe('The driver failed to read the pasted address (TypeError).')
	await read('till --wrong password=s3cret').catch(() => {})
	expect(logged.join('\n')).not.toContain('s3cret')
})

test('a driver cannot lead the password to a host or a socket that is not in the text', async () => {
	await expect(read('till --elsewhere -h db.example')).rejects.toThrow('“Host” is not in the text that was pasted')
	await expect(read('till --socket password=s3cret')).rejects.toThrow('“Socket” is not in the text that was pasted')
	expect(await read('till --socket /run%2Ftill')).toEqual({ socket: '/run/till/.s.7000' })
})

test('a file is filled by the user alone', async () => {
	const form = manifest.form.map(field => (field.key === 'host' ? { ...field, type: 'file' as const } : field))
	const asking = read('till -h /etc/passwd', async () => running, [{ ...manifest, form }])
	await expect(asking).rejects.toThrow('it filled the file “Host”')
})

test('a driver that does not start in time, or that reads no addresses, is not waited for', async () => {
	expect(await read('till -h x', () => new Promise(() => {}))).toBeUndefined()
	const { readByDriver: _, ...pastedAddress } = manifest.pastedAddress
	expect(await read('till -h x', undefined, [{ ...manifest, pastedAddress }])).toBeUndefined()
})
