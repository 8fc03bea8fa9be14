import { exactNumber, type JsonObject } from '@roundhouse/kit'
import { Random } from './random.ts'
import { nouns, places as towns } from './words.ts'

const keyword = { type: 'keyword' }

/** Log lines: more than the engine can page with `from` and `size`, with 64-bit ids. */
export const eventMapping: JsonObject = {
	properties: {
		'@timestamp': { type: 'date' },
		bytes: { type: 'long' },
		duration_ns: { type: 'long' },
		event_id: { type: 'long' },
		host: { properties: { ip: { type: 'ip' }, name: keyword } },
		level: keyword,
		message: { type: 'text' },
		service: keyword,
		status: { type: 'short' },
		tags: keyword,
		trace_id: keyword,
	},
}

const services = ['accounts', 'basket', 'catalogue', 'gateway', 'mailer', 'payments', 'search', 'signals']
const levels = ['debug', 'info', 'info', 'info', 'info', 'warn', 'error']
const statuses = [200, 200, 200, 200, 201, 204, 301, 400, 401, 404, 409, 500, 503]
const tags = ['canary', 'eu', 'retry', 'slow', 'us']

export function* events(count: number): Generator<{ id: string; source: JsonObject }> {
	const random = new Random(1956)
	let at = Date.UTC(2024, 0, 1)
	let eventId = 7205759403792793600n
	for (let number = 1; number <= count; number++) {
		at += random.integer(20, 900_000)
		eventId += BigInt(random.integer(1, 5000))
		yield { id: `ev-${number}`, source: event(random, at, eventId) }
	}
}

function event(random: Random, at: number, eventId: bigint): JsonObject {
	const level = random.pick(levels)
	const service = random.pick(services)
	const status = random.pick(statuses)
	const town = random.pick(towns)
	const duration = random.integer(80_000, 4_000_000_000)
	return {
		'@timestamp': new Date(at).toISOString(),
		event_id: exactNumber(String(eventId)),
		level,
		service,
		message: `${service} answered ${status} for ${random.pick(nouns).toLowerCase()} near ${town} after ${Math.round(duration / 1e6)} ms`,
		status,
		duration_ns: duration,
		bytes: random.integer(0, 90_000),
		trace_id: random.hex(32),
		host: { name: `${service}-${random.integer(1, 6)}`, ip: `10.20.${random.integer(0, 9)}.${random.integer(1, 254)}` },
		...(random.chance(0.3) && { tags: random.some(tags, random.integer(1, 3)) }),
	}
}
