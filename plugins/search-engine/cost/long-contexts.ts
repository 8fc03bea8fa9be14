import { DriverError, type Json, parseJson } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import type { EngineRequest } from '../transport/engine-request.ts'
import { parametersOf } from '../transport/query-string.ts'

/** As long as the driver's own scrolls and points in time last, and as most clients ask for. */
const longestMinutes = 10

/** A client that reads in pages needs one or two. */
const mostOpen = 20

/**
 * The searches that the AI client of one connection keeps open: scrolls, points in time and stored results. A node has
 * 500 scrolls for all users, and a client may never close one.
 */
export class OpenSearches {
	/** When each of them ends, by `performance.now`. A search that is closed earlier counts until then. */
	#ends: readonly number[] = []

	/** Admits a request of the client. @throws DriverError `denied` if it would stay open for long, or too many are open */
	admit(
		request: Pick<EngineRequest, 'path' | 'search' | 'body' | 'text' | 'isRead' | 'isHeld'>,
		limitRows: number | undefined,
	) {
		const { path, search = '', body, text, isRead } = request
		if (limitRows === undefined || !isRead || request.isHeld) return
		const inSearch = parametersOf(search).filter(({ name }) => lifetimes.has(name))
		const lifetimesHere = [...inSearch.map(({ value }) => value), ...inBody(body ?? readJson(text))].map(minutesOf)
		// Without a lifetime the engine stores a result for five days.
		if (storesResult.test(path) && lifetimesHere.length === 0) throw tooLong('Add keep_alive=10m.')
		if (!lifetimesHere.every(minutes => minutes <= longestMinutes)) throw tooLong('Each page extends it.')
		// A page of an open scroll or point in time opens no other.
		const isScroll = path.endsWith('_search') && inSearch.some(({ name }) => name === 'scroll')
		if (!isScroll && !opens.test(path)) return
		const now = performance.now()
		this.#ends = this.#ends.filter(end => end > now)
		if (this.#ends.length >= mostOpen) {
			throw new DriverError(
				'denied',
				`${mostOpen} searches of AI clients on this connection are open. Page with one of them, or wait until they end.`,
			)
		}
		this.#ends = [...this.#ends, now + Math.max(...lifetimesHere) * 60_000]
	}
}

const opens = /_(?:pit|async_search)$/
const storesResult = /_async_search$/

function tooLong(advice: string): DriverError {
	return new DriverError(
		'denied',
		`An AI client may keep a search open for ${longestMinutes} minutes at most, by scroll or keep_alive. ${advice}`,
	)
}

const lifetimes = new Set(['scroll', 'keep_alive'])

function inBody(body: Json | undefined): readonly Json[] {
	const { scroll, keep_alive: own, pit } = objectOf(body)
	return [scroll, own, objectOf(pit).keep_alive].filter(value => value !== undefined)
}

/** A body of several lines opens no such search. */
function readJson(text: string | undefined): Json | undefined {
	try {
		return text === undefined ? undefined : parseJson(text)
	} catch {
		return undefined
	}
}

/** In minutes. */
const units: Readonly<Record<string, number>> = {
	nanos: 1 / 60e9,
	micros: 1 / 60e6,
	ms: 1 / 60e3,
	s: 1 / 60,
	m: 1,
	h: 60,
	d: 24 * 60,
}

/** Not a number if the lifetime cannot be read. */
function minutesOf(lifetime: Json): number {
	const [, count, unit = ''] = /^(\d{1,15})([a-z]+)$/i.exec(String(lifetime)) ?? []
	return Number(count) * (units[unit.toLowerCase()] ?? Number.POSITIVE_INFINITY)
}
