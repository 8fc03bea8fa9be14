import { isUtf8 } from 'node:buffer'
import { type JsonObject, parseJson, stringifyJson } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import type { Reply } from '../transport/reply.ts'
import { ObjectReader, type RawObject } from './raw-object.ts'
import { endOfList, endOfObject, NotReadable, Scanner } from './scan.ts'

/** A document, with what the engine says of it (`_index`, `_id`, `sort`, …); `inner` is its `_source`. */
export type Hit = RawObject

/** An answer whose documents stay where they lie. */
export interface HitAnswer {
	/** All of the answer, with an empty list where its documents were. */
	readonly around: JsonObject
	readonly hits: readonly Hit[]
}

/**
 * Reads an answer of many documents.
 *
 * @param path of the list that they are in: `hits.hits` of a search, `docs` of a read by address.
 * @throws DriverError when the body is not JSON.
 */
export function readHits(reply: Reply, path: readonly string[] = ['hits', 'hits']): HitAnswer {
	try {
		if (isUtf8(reply.bytes)) return locate(reply.bytes, path)
	} catch (error) {
		if (!(error instanceof NotReadable)) throw error
	}
	// What is no JSON is refused here, in the words for any answer; what is JSON all the same is written plainly.
	return locate(Buffer.from(stringifyJson(reply.json())), path)
}

/** Reads an answer that is one object, whose members stay where they lie. @throws DriverError when the body is not JSON. */
export function readObject(reply: Reply): RawObject | undefined {
	try {
		if (isUtf8(reply.bytes)) return locateObject(reply.bytes)
	} catch (error) {
		if (!(error instanceof NotReadable)) throw error
	}
	return locateObject(Buffer.from(stringifyJson(reply.json())))
}

function locateObject(bytes: Buffer): RawObject | undefined {
	const scanner = new Scanner(bytes)
	const start = scanner.behindBlanks(0)
	if (!scanner.isObject(start)) return undefined
	const object = new ObjectReader(scanner).read(start)
	if (scanner.behindBlanks(object.end) !== bytes.length) throw new NotReadable()
	return object
}

function locate(bytes: Buffer, path: readonly string[]): HitAnswer {
	const scanner = new Scanner(bytes)
	const reader = new ObjectReader(scanner, { name: '_source', reader: new ObjectReader(scanner) })
	const hits: Hit[] = []
	/** Where the list lies. */
	let [from, to] = [0, 0]

	function endOfHits(start: number): number {
		for (let at = scanner.first(start, endOfList); at >= 0; ) {
			const hit = scanner.isObject(at) ? reader.read(at) : undefined
			if (hit !== undefined) hits.push(hit)
			at = scanner.next(hit?.end ?? scanner.endOfValue(at), endOfList)
		}
		from = start
		to = scanner.closed
		return to
	}
	/** Goes down the path; what is beside it is passed over. */
	function endOfPart(start: number, depth: number): number {
		if (depth === path.length) return scanner.isList(start) ? endOfHits(start) : scanner.endOfValue(start)
		if (!scanner.isObject(start)) return scanner.endOfValue(start)
		for (let at = scanner.first(start, endOfObject); at >= 0; ) {
			const nameEnd = scanner.endOfText(at)
			const isOnPath = scanner.valueOf(at, nameEnd) === path[depth]
			const value = scanner.behindColon(nameEnd)
			at = scanner.next(isOnPath ? endOfPart(value, depth + 1) : scanner.endOfValue(value), endOfObject)
		}
		return scanner.closed
	}

	const end = endOfPart(scanner.behindBlanks(0), 0)
	if (scanner.behindBlanks(end) !== bytes.length) throw new NotReadable()
	const around = to === 0 ? bytes.toString() : `${bytes.toString('utf8', 0, from)}[]${bytes.toString('utf8', to)}`
	return { around: objectOf(parseJson(around)), hits }
}
