import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Log, silentLog } from '../../base/log.ts'
import type { Dialer } from '../../host/driver-runtime/driver-network.ts'
import { DriverProcess } from '../../host/driver-runtime/driver-process.ts'
import type { FileGrants } from '../../host/driver-runtime/file-grants.ts'
import { noWall, type Wall } from '../../host/driver-runtime/wall/confinement.ts'
import { nowhere } from './network-access.ts'

/** Writes a frame without the kit's runtime, as a hostile driver can. */
const tools = `
	import { writeSync as writeTo } from 'node:fs'
	function frame(json, attached = 0) {
		const head = Buffer.alloc(8)
		head.writeUInt32BE(json.length, 0)
		head.writeUInt32BE(attached, 4)
		return Buffer.concat([head, Buffer.from(json)])
	}
	function pour(bytes, fd = 3) {
		for (let at = 0; at < bytes.length; ) {
			try { at += writeTo(fd, bytes, at) } catch (error) { if (error.code !== 'EAGAIN') throw error }
		}
	}
	function say(message) { pour(frame(JSON.stringify(message))) }
`

export interface SourceOptions {
	/** Code that runs when the module is loaded. */
	readonly top?: string
	/** Code that runs when a connection is opened. */
	readonly opening?: string
	/** Further members of the connection. */
	readonly members?: string
	/** Member of the driver. */
	readonly sample?: string
	readonly memoryMb?: number
	readonly log?: Log
	readonly grants?: FileGrants
	/** Otherwise only Node's permission model, because the wall would hide its gaps. */
	readonly wall?: Wall
}

/**
 * Starts a driver from source text. `listTables` runs `body`, in which `context` is in scope, so that a test can make
 * the driver misbehave.
 */
export async function driverFromSource(
	body: string,
	{
		top = '',
		opening = '',
		members = '',
		sample = '',
		memoryMb = 128,
		log = silentLog,
		grants,
		wall = noWall,
	}: SourceOptions = {},
): Promise<DriverProcess & AsyncDisposable> {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-test-driver-'))
	const entry = join(folder, 'driver.mjs')
	await writeFile(
		entry,
		`${tools}
		${top}
		export default {
			${sample}
			connect: async (settings, context) => { ${opening}; return {
				info: () => ({ product: 'Test', version: '1', notices: [] }),
				listTables: async call => { ${body} },
				close: async () => {},
				${members}
			} },
		}`,
	)
	const permissions = { network: 'none', memoryMb } as const
	const removeFolder = () => rm(folder, { recursive: true, force: true })
	const process = await DriverProcess.start({ driverId: 'test', folder, entry, permissions, grants }, log, {
		wall,
	}).catch(async error => {
		await removeFolder()
		throw error
	})
	return Object.assign(process, {
		[Symbol.asyncDispose]: async () => {
			await process.stop()
			await removeFolder()
		},
	})
}

export async function listTables(driver: DriverProcess, signal?: AbortSignal, dialer: Dialer = nowhere) {
	return driver.call('listTables', { connection: await connect(driver, dialer) }, { signal })
}

/** Opens a connection. @returns its number */
export async function connect(driver: DriverProcess, dialer: Dialer = nowhere): Promise<number> {
	const { connection } = await driver.call('connect', {
		settings: {},
		isReadOnly: false,
		reach: driver.network.addDialer(dialer),
	})
	return connection
}

/** Returns what a driver could read or do, which it reports as the name of a table. */
export const tell = (expression: string) => `return [{ name: String(${expression}) }]`
