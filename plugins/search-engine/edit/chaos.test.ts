import { type ChangeOutcome, isJsonObject, parseJson } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { someOf } from '../../../tests/support/cases.ts'
import { connect } from '../connect.ts'
import { chaosProxy, type Fault } from '../test/chaos-proxy.ts'
import { call, direct, openSample } from '../test/fixture.ts'

/**
 * A proxy between the driver and the cluster that fails in every known way. After any fault, what the driver reports
 * about a write must be true in the cluster, and no write may happen twice. The version of a document counts its
 * writes.
 */

let opened: Awaited<ReturnType<typeof openSample>>
beforeAll(async () => {
	opened = await openSample()
})
afterAll(() => opened[Symbol.asyncDispose]())

async function versionOf(id: string): Promise<unknown> {
	const answer = parseJson(await direct(opened.sample.url, `/places/_doc/${id}`))
	return isJsonObject(answer) ? answer._version : undefined
}

let number = 0

/** Inserts two documents through the fault, and reads from the cluster directly what happened. */
async function insertThrough(fault: Fault, requestTimeoutSeconds = 15) {
	using broken = await chaosProxy(opened.sample.url, fault)
	const settings = { hosts: broken.hosts, auth: 'none', requestTimeoutSeconds }
	const connection = await connect(settings, directContext(), call())
	// Read the mapping first, so that only the write meets the fault.
	await connection.describeTable('places', call())
	broken.arm()
	const ids = [`chaos-${++number}`, `chaos-${number}-after`]
	const inserts = ids.map(id => ({ kind: 'insert', values: { _id: id, name: 'x' } }) as const)
	const outcomes = await connection.applyChanges('places', inserts, call())
	await connection.close()
	return { outcomes, versions: await Promise.all(ids.map(versionOf)) }
}

function check({ outcomes, versions }: Awaited<ReturnType<typeof insertThrough>>, fault: Fault) {
	for (const [index, outcome] of outcomes.entries()) {
		const version = versions[index]
		const label = `${JSON.stringify(fault)}, row ${index}: ${outcome.status}, version ${version}`
		expect([undefined, 1], label).toContain(version)
		if (outcome.status === 'applied') expect(version, label).toBe(1)
		else if (outcome.status !== 'unknown') expect(version, label).toBeUndefined()
		else
			expect(outcome.message, label).toMatch(
				/^The change may or may not have been made\. Read the row again to check\. \S/,
			)
	}
	// After an unknown outcome, nothing more is sent.
	if (outcomes[0]?.status === 'unknown') expect(outcomes[1]?.status).toBe('not_sent')
}

const statusOf = ([first]: readonly ChangeOutcome[]) => first?.status

/** Calls `work` for every position of a text of this length, several at once, because each mostly waits. */
async function atEach(length: number, step: number, work: (position: number) => Promise<void>) {
	const positions = [...someOf(Array.from({ length: Math.ceil(length / step) }, (_, at) => at * step))]
	const workers = Array.from({ length: 6 }, async () => {
		for (let at = positions.pop(); at !== undefined; at = positions.pop()) await work(at)
	})
	await Promise.all(workers)
}

// The test's request has about 215 bytes, its answer about 310. The limits are above both.
describe.each([
	['reset', 1],
	['end', 7],
] as const)('a connection broken off (%s)', (how, step) => {
	test('at any byte of the answer reports a true outcome', async () => {
		const seen = new Set<string | undefined>()
		await atEach(420, step, async answerBytes => {
			const result = await insertThrough({ answerBytes, how })
			check(result, { answerBytes, how })
			seen.add(statusOf(result.outcomes))
		})
		// Some faults occurred before the end of the answer, some after it.
		expect([...seen].sort()).toEqual(['applied', 'unknown'])
	})

	test('at any byte of the request reports a true outcome', async () => {
		await atEach(320, step, async requestBytes => {
			check(await insertThrough({ requestBytes, how }), { requestBytes, how })
		})
	})
})

const http = (status: string, body: string, length = body.length) =>
	`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`
const html = '<html><h1>Bad Gateway</h1></html>'
const error = (type: string, status: number) => JSON.stringify({ error: { type, reason: 'no' }, status })
const lengthOf = (real: string) => Number(/content-length: (\d+)/i.exec(real)?.[1])
const withLength = (change: number) => (real: string) =>
	real.replace(/content-length: \d+/i, `content-length: ${lengthOf(real) + change}`)

/**
 * Fault, the driver's status of the first row, how often the cluster wrote it, and whether only a timeout ends the
 * call.
 */
const faults: readonly (readonly [string, Fault, ChangeOutcome['status'], 0 | 1, 'hangs'?])[] = [
	['latency', { delayMs: 60 }, 'applied', 1],
	['a trickle', { delayMs: 1, pieceBytes: 40 }, 'applied', 1],
	['a trickle slower than the time limit', { delayMs: 150, pieceBytes: 10 }, 'unknown', 0, 'hangs'],
	['a complete answer, then a reset', { answerBytes: 100_000, how: 'reset' }, 'applied', 1],
	[
		'429 of the engine',
		{ isForwarded: false, answer: () => http('429 Too Many Requests', error('es_rejected_execution_exception', 429)) },
		'failed',
		0,
	],
	[
		'502 of a gateway before the write',
		{ isForwarded: false, answer: () => http('502 Bad Gateway', html) },
		'unknown',
		0,
	],
	['502 of a gateway after the write', { answer: () => http('502 Bad Gateway', html) }, 'unknown', 1],
	['503 of a gateway after the write', { answer: () => http('503 Service Unavailable', html) }, 'unknown', 1],
	['504 of a gateway after the write', { answer: () => http('504 Gateway Timeout', html) }, 'unknown', 1],
	[
		'503 of the engine',
		{ isForwarded: false, answer: () => http('503 Service Unavailable', error('unavailable_shards_exception', 503)) },
		'failed',
		0,
	],
	['a length that is too long', { answer: withLength(500), endsAfterAnswer: true }, 'unknown', 1],
	['a length that is too long, and no end', { answer: withLength(500) }, 'unknown', 1, 'hangs'],
	['a length that is too short', { answer: withLength(-5) }, 'unknown', 1],
	[
		'a length that is no number',
		{ answer: real => real.replace(/content-length: \d+/i, 'content-length: x') },
		'unknown',
		1,
	],
	['the same answer twice', { answer: real => real + real }, 'applied', 1],
	['an empty 200', { answer: () => http('200 OK', '') }, 'unknown', 1],
	['an answer that is not HTTP', { answer: () => 'SSH-2.0-OpenSSH_9.6\r\n' }, 'unknown', 1],
	['an answer without a body, and no end', { answer: () => 'HTTP/1.1 200 OK\r\n' }, 'unknown', 1, 'hangs'],
	['silence after the request (half-open)', { answerBytes: 0, how: 'silence' }, 'unknown', 1, 'hangs'],
	['silence within the answer', { answerBytes: 90, how: 'silence' }, 'unknown', 1, 'hangs'],
	['silence within the request', { requestBytes: 90, how: 'silence' }, 'unknown', 0, 'hangs'],
]

const cases = faults.map(([name, fault, status, writes, hangs]) => ({ name, fault, status, writes, hangs }))

test.each(cases)('$name', async ({ fault, status, writes, hangs }) => {
	const result = await insertThrough(fault, hangs && 1)
	check(result, fault)
	expect(statusOf(result.outcomes)).toBe(status)
	expect(result.versions[0] ?? 0).toBe(writes)
})

test('does not send a write to a second node if it may have been sent', async () => {
	const seen = new Set<string | undefined>()
	await atEach(600, 23, async position => {
		const fault: Fault =
			position < 240 ? { requestBytes: position, how: 'reset' } : { answerBytes: position - 240, how: 'reset' }
		using broken = await chaosProxy(opened.sample.url, fault)
		const connection = await connect(
			{ hosts: `${broken.hosts},${opened.sample.url}`, auth: 'none' },
			directContext(),
			call(),
		)
		await connection.describeTable('places', call())
		const id = `twice-${position}`
		await direct(opened.sample.url, `/places/_doc/${id}`, { method: 'PUT', body: '{"name":"x"}' })
		broken.arm()
		const change = { kind: 'update', rowId: id, set: { name: 'y' } } as const
		const [outcome] = await connection.applyChanges('places', [change], call())
		await connection.close()
		const version = await versionOf(id)
		seen.add(outcome?.status)
		if (outcome?.status === 'applied') expect(version, JSON.stringify(fault)).toBe(2)
		else if (outcome?.status === 'unknown') expect([1, 2]).toContain(version)
		else expect(version, `${outcome?.status}`).toBe(1)
	})
	expect(seen).toContain('unknown')
})

test('an export through a broken connection does not complete', async () => {
	using broken = await chaosProxy(opened.sample.url, { answerBytes: 60_000, how: 'end' })
	const connection = await connect({ hosts: broken.hosts, auth: 'none' }, directContext(), call())
	const query = { table: 'books', filters: [], match: 'all', sort: [] } as const
	const file = await connection.openExport(query, { format: 'ndjson' }, call())
	broken.arm()
	const readAll = async () => {
		while ((await file.read(call())) !== undefined);
	}
	await expect(readAll()).rejects.toMatchObject({ code: 'not_connected' })
	await connection.close()
})
