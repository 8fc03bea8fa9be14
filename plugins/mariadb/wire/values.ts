import { binaryCollation, type Field, fieldFlags, types } from './protocol.ts'

/** Values as they arrive, without a number of JavaScript: what the server prints is what a cell shows. */

/** A text as the server prints it, bytes, or NULL. */
export type RawValue = string | Uint8Array | null

const texts: ReadonlySet<number> = new Set([
	types.varchar,
	types.varString,
	types.string,
	types.tinyBlob,
	types.mediumBlob,
	types.longBlob,
	types.blob,
])

/** Whether the values of a column are bytes: BINARY, VARBINARY and BLOB, and what functions return without characters. */
export const isBinary = ({ columnType, characterSet, flags, extendedFormat }: Field): boolean =>
	texts.has(columnType) &&
	characterSet === binaryCollation &&
	extendedFormat !== 'json' &&
	(flags & (fieldFlags.enum | fieldFlags.set)) === 0

/** Returns how the values of a column are read. */
export function readerOf(field: Field): (bytes: Buffer) => RawValue {
	if (field.columnType === types.bit) return bytes => bitsOf(bytes, field.columnLength)
	if (field.columnType === types.geometry) return bytes => geometryText(bytes) ?? new Uint8Array(bytes)
	if (isBinary(field) || field.columnType === types.vector) return bytes => new Uint8Array(bytes)
	return bytes => bytes.toString('utf8')
}

/** Returns the digits 0 and 1 of a BIT, as many as the column has. */
function bitsOf(bytes: Uint8Array, length: number): string {
	const all = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
	return all.slice(-Math.max(1, length)).padStart(length, '0')
}

/** Names of shapes in WKB, and how deep their points are in lists. */
const shapes: Readonly<Record<number, readonly [name: string, depth: number]>> = {
	1: ['POINT', 0],
	2: ['LINESTRING', 1],
	3: ['POLYGON', 2],
	4: ['MULTIPOINT', 1],
	5: ['MULTILINESTRING', 2],
	6: ['MULTIPOLYGON', 3],
	7: ['GEOMETRYCOLLECTION', 1],
}

/**
 * Returns a stored geometry as WKT, as `ST_AsText` does: `POINT(1 2)`, with `SRID=4326;` before it if it has a reference
 * system. Returns `undefined` for bytes that are none. https://dev.mysql.com/doc/refman/8.4/en/gis-data-formats.html
 */
function geometryText(bytes: Buffer): string | undefined {
	try {
		const srid = bytes.readUInt32LE(0)
		const reader = new WkbReader(bytes, 4)
		const text = reader.shape(0)
		if (!reader.isAtEnd) return undefined
		return srid === 0 ? text : `SRID=${srid};${text}`
	} catch {
		return undefined
	}
}

/** No geometry that a server accepts has more collections in each other. */
const mostDepth = 100

class WkbReader {
	readonly #bytes: Buffer
	#at: number
	#isLittle = true

	constructor(bytes: Buffer, at: number) {
		this.#bytes = bytes
		this.#at = at
	}

	get isAtEnd(): boolean {
		return this.#at === this.#bytes.length
	}

	/** @throws Error if the bytes are no geometry */
	shape(depth: number): string {
		if (depth > mostDepth) throw new RangeError('The collection is too deep.')
		this.#isLittle = this.#bytes.readUInt8(this.#at++) === 1
		const [name, lists] = shapes[this.#integer()] ?? []
		if (name === undefined || lists === undefined) throw new RangeError('The shape is unknown.')
		if (name === 'GEOMETRYCOLLECTION') return `${name}(${this.#times(() => this.shape(depth + 1)).join(',')})`
		if (name === 'POINT') return `${name}(${this.#point()})`
		// Each member has a header, and is written without its name.
		if (name.startsWith('MULTI'))
			return `${name}(${this.#times(() => this.shape(depth + 1).replace(/^[A-Z]+(?:\((.*)\))$/s, name === 'MULTIPOINT' ? '$1' : '($1)')).join(',')})`
		return `${name}${this.#list(lists)}`
	}

	#list(depth: number): string {
		return `(${this.#times(() => (depth === 1 ? this.#point() : this.#list(depth - 1))).join(',')})`
	}

	#times(read: () => string): string[] {
		const count = this.#integer()
		const parts: string[] = []
		// A wrong number ends at the end of the bytes.
		for (let at = 0; at < count; at++) parts.push(read())
		return parts
	}

	#point(): string {
		return `${this.#double()} ${this.#double()}`
	}

	#integer(): number {
		const value = this.#isLittle ? this.#bytes.readUInt32LE(this.#at) : this.#bytes.readUInt32BE(this.#at)
		this.#at += 4
		return value
	}

	#double(): number {
		const value = this.#isLittle ? this.#bytes.readDoubleLE(this.#at) : this.#bytes.readDoubleBE(this.#at)
		this.#at += 8
		return value
	}
}
