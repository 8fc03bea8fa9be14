import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { isJsonObject, parseJson } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../connect.ts'
import { call, direct, openSample } from '../fixture.ts'

/**
 * A proxy between the driver and the cluster that breaks the connection at a chosen byte. Whatever breaks: what the
 * driver says of a write must be true, and no write may happen twice.
 */

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened[Symbol.asyncDispose]())

interface Fault {
	/** Bytes let through towards the cluster and back, of the requests that follow the product check. */
	readonly requestBytes?: number
	readonly answerBytes?: number
	/** `end` closes in order, `reset` does not. */
	readonly how: 'end' | 'reset'
}

async function proxy(fault: Fault) {
	const upstream = new URL(opened.sample.url)
	const sockets = new Set<Socket>()
	let isArmed = false
	const server = createServer(near => {
		const far = createConnection(Number(upstream.port), upstream.hostname)
		for (const socket of [near, far]) {
			sockets.add(socket)
			// The faults themselves: nothing to report.
			socket.on('error', () => {})
			socket.on('close', () => void [near, far].map(other => other.destroy()))
		}
		const breakOff = () => void (fault.how === 'end' ? near.end() : near.resetAndDestroy())
		pass(near, far, () => (isArmed ? fault.requestBytes : undefined), breakOff)
		pass(far, near, () => (isArmed ? fault.answerBytes : undefined), breakOff)
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	return {
		hosts: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		arm() {
			isArmed = true
		},
		[Symbol.dispose]() {
			for (const socket of sockets) socket.destroy()
			server.close()
		},
	}
}

function pass(from: Socket, to: Socket, limit: () => number | undefined, breakOff: () => void) {
	let passed = 0
	from.on('data', chunk => {
		const left = (limit() ?? Number.POSITIVE_INFINITY) - passed
		if (limit() !== undefined) passed += chunk.length
		if (chunk.length < left) return void to.write(chunk)
		if (left > 0) to.write(chunk.subarray(0, left))
		setTimeout(breakOff, 2)
	})
}

let number = 0

/** Inserts a document through the fault, and asks the cluster itself what happened. */
async function insertThrough(fault: Fault) {
	using broken = await proxy(fault)
	const connection = await connect({ hosts: broken.hosts, auth: 'none' }, call())
	// The mapping is read before the fault: only the write meets it.
	await connection.describeTable('places', call())
	broken.arm()
	const id = `chaos-${++number}`
	const outcomes = await connection.applyChanges(
		'places',
		[
			{ kind: 'insert', values: { _id: id, name: 'x' } },
			{ kind: 'insert', values: { _id: `${id}-after`, name: 'x' } },
		],
		call(),
	)
	await connection.close()
	const versions = await Promise.all([id, `${id}-after`].map(versionOf))
	return { statuses: outcomes.map(outcome => outcome.status), versions }
}

async function versionOf(id: string): Promise<unknown> {
	const answer = parseJson(await direct(opened.sample.url, `/places/_doc/${id}`))
	return isJsonObject(answer) ? answer._version : undefined
}

function check(result: Awaited<ReturnType<typeof insertThrough>>, fault: Fault) {
	const { statuses, versions } = result
	for (const [index, status] of statuses.entries()) {
		const version = versions[index]
		const label = `${JSON.stringify(fault)}, row ${index}: ${status}, version ${version}`
		expect([undefined, 1], label).toContain(version)
		if (status === 'applied') expect(version, label).toBe(1)
		else if (status !== 'unknown') expect(version, label).toBeUndefined()
	}
	// After a doubt nothing more is sent.
	if (statuses[0] === 'unknown') expect(statuses[1]).toBe('not_sent')
}

const positions = [1, 2, 9, 13, 17, 40, 80, 120, 150, 160, 170, 180, 190, 200, 210, 220, 240, 280, 320, 400, 500]

for (const how of ['end', 'reset'] as const) {
	test(`an answer broken off (${how}) at any byte never makes the driver say what is not so`, async () => {
		const seen = new Set<string | undefined>()
		for (const answerBytes of positions) {
			const fault = { answerBytes, how }
			const result = await insertThrough(fault)
			check(result, fault)
			seen.add(result.statuses[0])
		}
		// The faults did fall on both sides of the answer's end.
		expect([...seen].sort()).toEqual(['applied', 'unknown'])
	})

	test(`a request broken off (${how}) at any byte never makes the driver say what is not so`, async () => {
		for (const requestBytes of positions) {
			const fault = { requestBytes, how }
			check(await insertThrough(fault), fault)
		}
	})
}

test('an answer that is complete counts, even if the connection breaks right behind it', async () => {
	const whole = await insertThrough({ answerBytes: 100_000, how: 'reset' })
	expect(whole.statuses).toEqual(['applied', 'applied'])
})
