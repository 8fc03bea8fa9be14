import type { Json, JsonObject } from '@roundhouse/kit'
import { endOfObject, type Scanner } from './scan.ts'

/** An object inside the bytes of an answer. Its members are parsed on demand. */
export class RawObject {
	readonly scanner: Scanner
	readonly start: number
	readonly end: number
	/** Whether it contains no white space outside of strings. */
	readonly isCompact: boolean
	/** Names of the members. Consecutive objects with the same names in the same order share this list. */
	readonly names: readonly string[]
	/** Where each member's value begins and ends. */
	readonly starts: readonly number[]
	readonly ends: readonly number[]
	/** The nested object of the member that the `ObjectReader` also scans, if any. */
	readonly inner: RawObject | undefined

	constructor(
		found: Pick<RawObject, 'scanner' | 'start' | 'end' | 'isCompact' | 'names' | 'starts' | 'ends' | 'inner'>,
	) {
		this.scanner = found.scanner
		this.start = found.start
		this.end = found.end
		this.isCompact = found.isCompact
		this.names = found.names
		this.starts = found.starts
		this.ends = found.ends
		this.inner = found.inner
	}

	/**
	 * Returns the start and end offsets of a member's value. If a name occurs more than once, returns the last
	 * occurrence, as JSON parsers do.
	 */
	range(name: string): readonly [start: number, end: number] | undefined {
		const at = this.names.lastIndexOf(name)
		return at < 0 ? undefined : [this.starts[at] ?? 0, this.ends[at] ?? 0]
	}

	value(name: string): Json | undefined {
		const range = this.range(name)
		return range && this.scanner.valueOf(...range)
	}

	/** Returns those of the members that exist. */
	values(...names: readonly string[]): JsonObject {
		const values: Record<string, Json> = Object.create(null)
		for (const name of names) {
			const value = this.value(name)
			if (value !== undefined) values[name] = value
		}
		return values
	}

	/** Parses the whole object. */
	read(): JsonObject {
		return this.scanner.valueOf(this.start, this.end) as JsonObject
	}
}

/** Reads consecutive objects. Most objects of an answer have the same members. */
export class ObjectReader {
	readonly #scanner: Scanner
	readonly #nestedMember: { readonly name: string; readonly reader: ObjectReader } | undefined
	/** Names of the previous object, and the place of each. */
	#names: string[] = []
	readonly #nameStarts: number[] = []
	readonly #nameEnds: number[] = []
	readonly #starts: number[] = []
	readonly #ends: number[] = []

	/** @param nestedMember name and reader of the member whose object is also scanned */
	constructor(scanner: Scanner, nestedMember?: { readonly name: string; readonly reader: ObjectReader }) {
		this.#scanner = scanner
		this.#nestedMember = nestedMember
	}

	/** Reads the object that begins at `start`. */
	read(start: number): RawObject {
		const scanner = this.#scanner
		const { blanks } = scanner
		let count = 0
		let inner: RawObject | undefined
		for (let at = scanner.first(start, endOfObject); at >= 0; count++) {
			const nameEnd = scanner.endOfText(at)
			const name = this.#nameAt(count, at, nameEnd)
			const value = scanner.afterColon(nameEnd)
			const isNested = name === this.#nestedMember?.name
			if (isNested) inner = scanner.isObject(value) ? this.#nestedMember?.reader.read(value) : undefined
			const end = isNested && inner !== undefined ? inner.end : scanner.endOfValue(value)
			this.#starts[count] = value
			this.#ends[count] = end
			at = scanner.next(end, endOfObject)
		}
		if (count < this.#names.length) this.#names = this.#names.slice(0, count)
		const [starts, ends] = [this.#starts.slice(0, count), this.#ends.slice(0, count)]
		const isCompact = scanner.blanks === blanks
		return new RawObject({ scanner, start, end: scanner.closed, isCompact, names: this.#names, starts, ends, inner })
	}

	#nameAt(place: number, start: number, end: number): string {
		const known = this.#names[place]
		if (
			known !== undefined &&
			this.#scanner.isSame(start, end, this.#nameStarts[place] ?? 0, this.#nameEnds[place] ?? 0)
		) {
			return known
		}
		const name = this.#scanner.valueOf(start, end) as string
		// Copied, because earlier objects still use the list.
		this.#names = this.#names.slice(0, place)
		this.#names.push(name)
		this.#nameStarts[place] = start
		this.#nameEnds[place] = end
		return name
	}
}
