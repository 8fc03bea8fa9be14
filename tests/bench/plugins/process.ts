import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { noWall, type Wall } from '../../../host/driver-runtime/wall/confinement.ts'
import { machineWall } from '../../../host/driver-runtime/wall/wall.ts'
import { driverFromSource, listTables } from '../../support/driver-from-source.ts'
import { nowhere, reachTo } from '../../support/network-access.ts'
import { temporaryServer } from '../../support/temporary-server.ts'

/**
 * Costs of isolating drivers: a process, a pipe to it, and sockets that the host opens, beside the same without
 * isolation in the same run.
 */

const rounds = 25

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function timed(work: () => Promise<unknown>, times = rounds): Promise<number> {
	const taken: number[] = []
	for (let round = 0; round < times + 3; round++) {
		const startedAt = performance.now()
		await work()
		if (round >= 3) taken.push(performance.now() - startedAt)
	}
	return median(taken)
}

function report(rows: readonly (readonly [what: string, ms: number, limit: string])[]): void {
	console.log('| What | ms | expected |\n| - | - | - |')
	for (const [what, ms, limit] of rows) console.log(`| ${what} | ${ms.toFixed(2)} | ${limit} |`)
}

async function starting() {
	const node = await timed(() => once(spawn(process.execPath, ['-e', '0']), 'exit'))
	const { wall } = await machineWall()
	const hello = async (wall: Wall) => {
		const startedAt = performance.now()
		await using _driver = await driverFromSource('return []', { wall })
		return performance.now() - startedAt
	}
	const [walled, open]: [number[], number[]] = [[], []]
	// The candidates alternate, so that a slower machine affects both.
	for (let round = 0; round < rounds; round++) {
		open.push(await hello(noWall))
		walled.push(await hello(wall))
	}
	return [
		['node -e 0, to its end', node, ''],
		["a driver process, from start to hello, under Node's permissions alone", median(open), '150'],
		[
			`the same behind ${wall.name}`,
			median(walled),
			`${(median(open) + 2 * node).toFixed(0)} (two starts of Node more)`,
		],
	] as const
}

async function calling() {
	await using driver = await driverFromSource('return []', {
		top: 'const megabyte = new Uint8Array(1024 * 1024)',
		members:
			"console: { analyse: () => [], run: async ({ text }) => text === 'large' ? megabyte : megabyte.subarray(0, 100) },",
	})
	const { connection } = await driver.call('connect', {
		settings: {},
		isReadOnly: false,
		reach: driver.network.addDialer(nowhere),
	})
	const run = (text: string) => () => {
		const statement = { text, start: 0, end: text.length, access: 'read', summary: '' } as const
		return driver.call('runConsole', { connection, statement, maxRows: 1 })
	}
	return [
		['a call with a small answer', await timed(run('small'), 500), '0.3'],
		['a call with an answer of 1 MB', await timed(run('large'), 100), '5'],
	] as const
}

async function reaching() {
	await using server = await temporaryServer()
	const direct = await timed(async () => {
		const socket = connect(server.port, '127.0.0.1')
		await once(socket, 'connect')
		socket.destroy()
	}, 200)
	await using driver = await driverFromSource(`
		const taken = []
		for (let round = 0; round < 203; round++) {
			const startedAt = performance.now()
			const socket = await context.connect({ host: '127.0.0.1', port: ${server.port} })
			taken.push(performance.now() - startedAt)
			socket.destroy()
		}
		return [{ name: String(taken.slice(3).sort((a, b) => a - b)[100]) }]`)
	const given = Number((await listTables(driver, undefined, reachTo([server.port])))[0]?.name)
	return [
		['a socket that the process opens', direct, ''],
		['a socket that the host opens', given, `${(direct + 5).toFixed(2)} (5 more)`],
	] as const
}

export async function benchProcess(): Promise<void> {
	report([...(await starting()), ...(await calling()), ...(await reaching())])
}
