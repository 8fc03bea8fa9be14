import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { driverFromSource, listTables, tell } from '../../../tests/support/driver-from-source.ts'
import { reachTo } from '../../../tests/support/network-access.ts'
import { temporaryServer } from '../../../tests/support/temporary-server.ts'
import { noWall } from './confinement.ts'
import { describeWall, findWall, machineWall } from './wall.ts'

const { wall } = await machineWall()

test('a driver behind the wall of this machine can use its scratch folder and sockets that the host opens', async () => {
	await using server = await temporaryServer(socket => socket.end('hello'))
	const driver = await driverFromSource(
		`const socket = await context.connect({ host: '127.0.0.1', port: ${server.port} })
		writeFileSync(context.scratchFolder + '/read', await text(socket))
		return [{ name: readFileSync(context.scratchFolder + '/read', 'utf8') }, { name: context.scratchFolder }]`,
		{
			wall,
			top: "import { readFileSync, writeFileSync } from 'node:fs'; import { text } from 'node:stream/consumers'",
		},
	)
	const [said, scratch] = await listTables(driver, undefined, reachTo([server.port]))
	expect(said?.name).toBe('hello')
	await driver[Symbol.asyncDispose]()
	expect(existsSync(scratch?.name ?? '')).toBe(false)
})

test.runIf(wall.protectsFiles)('a driver does not start if its wall cannot be set up', async () => {
	const broken = {
		...wall,
		command: (confinement: Parameters<typeof wall.command>[0]) =>
			wall.command({ ...confinement, read: [...confinement.read, '/no/such/folder'] }),
	}
	const start = driverFromSource(tell("'started'"), { wall: broken })
	await expect(start).rejects.toThrow('the sandbox of the operating system could not be set up')
})

test('a system without a wall falls back to Node’s permission model, and its description states the risk', async () => {
	const found = await findWall('freebsd')
	expect(found).toEqual({ wall: noWall, flaws: [] })
	expect(describeWall(found)).toBe(
		`Drivers are confined by Node ${process.versions.node}'s permission model. A flaw in Node's permissions would expose your files to a driver. Linux 5.19 or newer closes this.`,
	)
})

test('a wall that does not hold on this machine is not used, and the reason is reported', async () => {
	// Elsewhere the program of macOS is missing. On macOS the first test covers its wall.
	if (process.platform === 'darwin') return
	const { wall, flaws } = await findWall('darwin')
	expect(wall).toBe(noWall)
	expect(flaws).toEqual([expect.stringContaining('sandbox-exec: ')])
})
