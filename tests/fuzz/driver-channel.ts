import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { driverMethods } from '@roundhouse/kit/wire/methods'
import fc from 'fast-check'
import type { DriverChannelUnderFuzz, Verdict } from './driver-channel-under-fuzz.ts'
import { type VitalLimits, Watch, type WatchReport } from './watch.ts'

/**
 * Sends invalid driver messages to the host: frames with a wrong length, cut or altered frames, answers of the wrong
 * shape, answers to unknown calls, repeated answers, and progress and logs of every kind. Looks for forbidden outcomes:
 * a host that ends, freezes or grows, an end without a reason, or a call that is settled twice.
 */

const oddText = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('__proto__', 'constructor', '\ud800'))
const anyValue = fc.oneof(
	fc.jsonValue({ maxDepth: 2 }),
	oddText,
	fc.constantFrom<unknown>(0, -1, 1e308, null, [], {}, { __proto__: 1 }, 'x'.repeat(5000)),
)
const rarely = <T>(value: fc.Arbitrary<T>, howRarely = 12) =>
	fc.oneof({ weight: howRarely, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const mostly = <T>(right: T) =>
	fc.oneof({ weight: 15, arbitrary: fc.constant<unknown>(right) }, { weight: 1, arbitrary: anyValue })
/** A few more than the number of calls. */
const id = fc.oneof(
	{
		weight: 15,
		arbitrary: fc.integer({ min: 1, max: Object.keys(driverMethods).length + 4 }) as fc.Arbitrary<unknown>,
	},
	{ weight: 1, arbitrary: anyValue },
)

/** Valid answers for the schemas, so that mutations reach the checks of a method. */
const answers = fc.oneof(
	fc.constantFrom<unknown>(null, 1, [], ['x'], { value: 1, isExact: true }, { values: ['x'] }),
	fc.record({ connection: mostly(1), info: mostly({ product: 'x', version: '1', notices: [] }) }),
	fc.array(fc.record({ name: mostly('x'), rowCount: mostly(1) }, { requiredKeys: ['name'] }), { maxLength: 5 }),
	fc.record({ access: mostly('read'), summary: mostly('x') }),
	anyValue,
)

const address = fc.oneof(
	fc.record({ host: mostly('x'), port: mostly(1) }),
	fc.record({ path: mostly('/run/x/.s.1') }),
	anyValue,
)

const message = fc.oneof(
	fc.record({ kind: mostly('result'), id, value: answers }),
	fc.record({ kind: mostly('bytes'), id }),
	fc.record({ kind: mostly('error'), id, code: mostly('query_failed'), message: mostly('x') }),
	fc.record({ kind: mostly('progress'), id, progress: mostly({ done: 1, total: 2, message: 'x' }) }),
	fc.record({ kind: mostly('log'), message: mostly('x') }),
	fc.record({ kind: mostly('hello'), kit: mostly('1'), hasSample: mostly(true) }),
	fc.record({ kind: mostly('beat') }),
	fc.record({ kind: mostly('dial'), id, reach: mostly(1), address, timeoutMs: mostly(1) }),
	fc.record({ kind: mostly('listen'), id, port: mostly(0) }),
	fc.record({ kind: mostly('letGo'), id }),
	anyValue,
)

const length = fc.oneof(fc.nat(300), fc.constantFrom(0, 0x7fff_ffff, 0xffff_ffff, 8 * 1024 * 1024, 64 * 1024 * 1024))
const frame = fc.record({
	message,
	attached: fc.uint8Array({ maxLength: 50 }),
	/** The announced length, in place of the real one. */
	lie: rarely(fc.record({ json: length, attached: length })),
	damage: rarely(fc.record({ at: fc.nat(300), byte: fc.nat(255) })),
})
const saying = fc.record({
	frames: fc.array(frame, { minLength: 1, maxLength: 6 }),
	/** Number of repetitions. */
	times: fc.oneof({ weight: 30, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(100) }),
	cut: rarely(fc.nat(400)),
	garbage: rarely(fc.uint8Array({ maxLength: 100 })),
})

function encode({ frames, times, cut, garbage }: typeof saying extends fc.Arbitrary<infer T> ? T : never): Buffer {
	const once = frames.map(({ message, attached, lie, damage }) => {
		const json = Buffer.from(JSON.stringify(message) ?? 'null', 'utf8')
		if (damage && damage.at < json.length) json[damage.at] = damage.byte
		const head = Buffer.alloc(8)
		head.writeUInt32BE(lie?.json ?? json.length, 0)
		head.writeUInt32BE(lie?.attached ?? attached.length, 4)
		return Buffer.concat([head, json, attached])
	})
	const whole = Buffer.concat([...Array.from({ length: times }, () => once).flat(), garbage ?? new Uint8Array()])
	return cut === undefined ? whole : whole.subarray(0, cut)
}

export interface FuzzReport extends WatchReport {
	/** How often drivers were ended, by the reason; `none` if they were not ended. */
	readonly faults: ReadonlyMap<string, number>
}

/** @throws Error with the seed and the shrunk message after a forbidden outcome */
export async function fuzzDriverChannel(sayings: number, seed: number, limits?: VitalLimits): Promise<FuzzReport> {
	const program = join(import.meta.dirname, 'driver-channel-under-fuzz.ts')
	await using watch = await Watch.start<DriverChannelUnderFuzz>(program, limits)
	const { path, methods } = watch.ready
	const faults = new Map<string, number>()
	await fc.assert(
		fc.asyncProperty(saying, async said => {
			const verdict = await watch.feed(() => say(path, encode(said)))
			if (verdict.settled > methods.length) throw new Error('A call was settled twice.')
			const fault = (verdict.fault ?? 'none').replaceAll(/\d+/g, 'N')
			if (fault === '') throw new Error('A driver would be ended without a reason.')
			faults.set(fault, (faults.get(fault) ?? 0) + 1)
		}),
		{ numRuns: sayings, seed, endOnFailure: false },
	)
	return { ...(await watch.report()), faults }
}

async function say(path: string, bytes: Buffer): Promise<Verdict> {
	const socket = connect({ path, allowHalfOpen: true })
	socket.end(bytes)
	return JSON.parse(await text(socket))
}

if (import.meta.main) {
	const count = Number(process.argv[2] ?? 200_000)
	const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
	const { faults, ...figures } = await fuzzDriverChannel(count, seed, { delayMs: 50, residentMb: 512 })
	console.log(`driver channel, seed ${seed}:`, figures)
	console.log(Object.fromEntries(faults))
}
