import { isUtf8 } from 'node:buffer'
import { type JsonObject, parseJson, stringifyJson } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import type { Reply } from '../transport/reply.ts'
import { ObjectReader, type RawObject } from './raw-object.ts'
import { endOfList, endOfObject, NotReadable, Scanner } from './scan.ts'

/** A document with the engine's metadata (`_index`, `_id`, `sort`, …). `inner` is its `_source`. */
export type Hit = RawObject

/** An answer whose documents stay unparsed in its bytes. */
export interface HitAnswer {
	/** The whole answer, with an empty list in the place of its documents. */
	readonly around: JsonObject
	readonly hits: readonly Hit[]
}

/**
 * Reads an answer with many documents.
 *
 * @param path of the list of documents: `hits.hits` of a search, `docs` of a read by id
 * @throws DriverError if the body is not JSON
 */
export function readHits(reply: Reply, path: readonly string[] = ['hits', 'hits']): HitAnswer {
	try {
		if (isUtf8(reply.bytes)) return locate(reply.bytes, path)
	} catch (error) {
		if (!(error instanceof NotReadable)) throw error
	}
	// Rejects what is not JSON with the usual message. Valid JSON that the scanner does not accept is rewritten in a
	// plain form.
	return locate(Buffer.from(stringifyJson(reply.json())), path)
}

/**
 * Reads an answer that is one object, whose members stay unparsed in its bytes. @throws DriverError if the body is not
 * JSON
 */
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
	const start = scanner.afterBlanks(0)
	if (!scanner.isObject(start)) return undefined
	const object = new ObjectReader(scanner).read(start)
	if (scanner.afterBlanks(object.end) !== bytes.length) throw new NotReadable()
	return object
}

function locate(bytes: Buffer, path: readonly string[]): HitAnswer {
	const scanner = new Scanner(bytes)
	const reader = new ObjectReader(scanner, { name: '_source', reader: new ObjectReader(scanner) })
	const hits: Hit[] = []
	/** Start and end of the list. */
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
	/** Follows the path, and skips everything beside it. */
	function endOfPart(start: number, depth: number): number {
		if (depth === path.length) return scanner.isList(start) ? endOfHits(start) : scanner.endOfValue(start)
		if (!scanner.isObject(start)) return scanner.endOfValue(start)
		for (let at = scanner.first(start, endOfObject); at >= 0; ) {
			const nameEnd = scanner.endOfText(at)
			const isOnPath = scanner.valueOf(at, nameEnd) === path[depth]
			const value = scanner.afterColon(nameEnd)
			at = scanner.next(isOnPath ? endOfPart(value, depth + 1) : scanner.endOfValue(value), endOfObject)
		}
		return scanner.closed
	}

	const end = endOfPart(scanner.afterBlanks(0), 0)
	if (scanner.afterBlanks(end) !== bytes.length) throw new NotReadable()
	const around = to === 0 ? bytes.toString() : `${bytes.toString('utf8', 0, from)}[]${bytes.toString('utf8', to)}`
	return { around: objectOf(parseJson(around)), hits }
}
