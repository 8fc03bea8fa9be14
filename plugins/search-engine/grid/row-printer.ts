import { type Cell, type Column, isJsonObject, type Json, missingCell, unreadCell } from '@roundhouse/kit'
import { BytesOut } from '../hits/bytes-out.ts'
import type { Hit } from '../hits/read-hits.ts'
import { pathInSource } from '../mapping/columns.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { collectUnmapped, firstKey, maxUnmapped, type Reader, readerOf } from '../mapping/source.ts'
import { isLeftOut, isPartLeftOut } from './large-fields.ts'
import { computedValue } from './page.ts'
import {
	printMember,
	printMissing,
	printRowId,
	printRowVersion,
	printSaid,
	printUnread,
	shownCell,
} from './print-cell.ts'

/** From this many columns on, a row may omit missing cells, because most documents have few of many fields. */
const manyColumns = 200

/** The columns of the values of documents with the same members. */
interface Plan {
	readonly names: readonly string[]
	/** Index of the member that each column shows unchanged, or `none`. */
	readonly memberOf: Int32Array
	/** Members with nested columns, which are parsed for them. */
	readonly deep: readonly string[]
	readonly readers: readonly DeepColumn[]
}

/** What a row has beside its hit. */
interface PrintedRow {
	readonly unmapped: Set<string>
	readonly position: string | undefined
}

interface DeepColumn {
	readonly column: number
	/** First key of its path. */
	readonly first: string
	readonly read: Reader
}

/**
 * Prints the rows of a table from its hits. A value that needs no conversion is copied from the answer's bytes to the
 * page without parsing.
 */
export class RowPrinter {
	readonly #mapping: Mapping
	readonly #columns: readonly Column[]
	/** Columns that show a member of the document unchanged, by its name. */
	readonly #direct = new Map<string, number[]>()
	/** Nested columns, by the first key of their path. */
	readonly #deep = new Map<string, DeepColumn[]>()
	/** Names of the columns with metadata of the hit, by column. */
	readonly #said: (string | undefined)[] = []
	/** Runtime fields, by column. */
	readonly #computed = new Map<number, string>()
	/** Columns whose values the answers leave out. */
	readonly #unread = new Set<number>()
	/** First keys of the paths that the answers leave out. */
	readonly #partly: ReadonlySet<string>
	/** Plan of the previous row, because consecutive documents usually have the same members. */
	#plan: Plan | undefined
	/** Converted cells of the current row. */
	readonly #made: (Cell | undefined)[]

	/** Whether a row whose document has a routing has no id. */
	readonly #hidesRouting: boolean

	/**
	 * @param leftOut paths that the answers leave out
	 * @param without fields that decide nothing of a row, and whose values can be its routing
	 */
	constructor(
		columns: readonly Column[],
		mapping: Mapping,
		{ leftOut = [], without = [] }: { readonly leftOut?: readonly string[]; readonly without?: readonly string[] } = {},
	) {
		this.#hidesRouting = without.length > 0
		this.#mapping = mapping
		this.#columns = columns
		this.#made = Array(columns.length)
		this.#partly = new Set(leftOut.map(firstKey))
		for (const [column, described] of columns.entries()) {
			const { name } = described
			const path = pathInSource(described, mapping)
			if (mapping.fields.get(name)?.isRuntime) this.#computed.set(column, name)
			else if (path === undefined) this.#said[column] = name
			else if (isLeftOut(path, leftOut) || isPartLeftOut(path, leftOut)) this.#unread.add(column)
			else if (path.includes('.'))
				append(this.#deep, firstKey(path), { column, first: firstKey(path), read: readerOf(path) })
			else append(this.#direct, path, column)
		}
	}

	/**
	 * Prints a JSON list of `Row`s. Adds to `unmapped` the paths of the documents that the mapping lacks.
	 * @param positionOf returns the place of a row in its order
	 */
	print(
		hits: readonly Hit[],
		unmapped: Set<string>,
		positionOf: (hit: Hit) => string | undefined = () => undefined,
	): Uint8Array {
		const out = new BytesOut(hits.reduce((sum, hit) => sum + sizeOf(hit), 0))
		out.byte(openBracket)
		for (const [index, hit] of hits.entries()) {
			if (index > 0) out.byte(comma)
			this.#printRow(out, hit, { unmapped, position: positionOf(hit) })
		}
		out.byte(closeBracket)
		return out.bytes
	}

	#printRow(out: BytesOut, hit: Hit, { unmapped, position }: PrintedRow) {
		const plan = this.#planOf(hit.inner?.names ?? [], unmapped)
		this.#make(hit, plan, unmapped)
		const at = this.#present(plan)
		out.all(beforeId)
		if (this.#hidesRouting && hit.range('_routing') !== undefined) out.text('""')
		else printRowId(out, hit)
		printRowVersion(out, hit)
		if (position !== undefined) out.text(`,"position":${JSON.stringify(position)}`)
		if (at !== undefined) out.text(`,"at":${JSON.stringify(at)}`)
		out.all(beforeCells)
		const count = at?.length ?? this.#columns.length
		for (let index = 0; index < count; index++) {
			if (index > 0) out.byte(comma)
			const column = at?.[index] ?? index
			const member = plan.memberOf[column] ?? none
			const cell = this.#made[column]
			if (member !== none && hit.inner !== undefined) printMember(out, hit.inner, member)
			else if (this.#said[column] !== undefined) printSaid(out, hit, this.#said[column])
			else if (this.#unread.has(column)) printUnread(out)
			else if (cell === undefined) printMissing(out)
			else out.text(JSON.stringify(cell))
		}
		out.all(behindCells)
	}

	/** Returns the columns with a cell in the row, if listing them is shorter than printing all cells. */
	#present(plan: Plan): readonly number[] | undefined {
		if (this.#columns.length < manyColumns) return undefined
		const at: number[] = []
		for (const [column, cell] of this.#made.entries()) {
			const isAlways = this.#said[column] !== undefined || this.#unread.has(column)
			if (isAlways || cell !== undefined || plan.memberOf[column] !== none) at.push(column)
		}
		return at.length * 2 < this.#columns.length ? at : undefined
	}

	/** Converts the cells that are not unchanged members. */
	#make(hit: Hit, { deep, readers }: Plan, unmapped: Set<string>) {
		this.#made.fill(undefined)
		if (this.#computed.size > 0) {
			const fields = hit.value('fields')
			for (const [column, name] of this.#computed) this.#keep(column, computedValue(fields, name))
		}
		if (deep.length === 0 || hit.inner === undefined) return
		const part = hit.inner.values(...deep)
		collectUnmapped(part, this.#mapping, unmapped)
		// The engine drops an element of a list with nothing but what is left out, so that other columns lose a value.
		const incomplete = new Set<string>()
		for (const [name, value] of this.#partly.size === 0 ? [] : Object.entries(part)) {
			const first = firstKey(name)
			if (this.#partly.has(first) && hasListOfObjects(value)) incomplete.add(first)
		}
		for (const { column, first, read } of readers) {
			if (incomplete.has(first)) this.#made[column] = unreadCell
			else this.#keep(column, read(part))
		}
	}

	#keep(column: number, value: Json | undefined) {
		const cell = shownCell(value)
		if (cell !== missingCell) this.#made[column] = cell
	}

	#planOf(names: readonly string[], unmapped: Set<string>): Plan {
		if (this.#plan?.names === names) return this.#plan
		const memberOf = new Int32Array(this.#columns.length).fill(none)
		const deep = new Set<string>()
		for (const [member, name] of names.entries()) {
			const columns = this.#direct.get(name) ?? []
			for (const column of columns) memberOf[column] = member
			if (this.#deep.has(firstKey(name)) || this.#mapping.objects.has(name)) deep.add(name)
			else if (columns.length === 0 && !this.#mapping.fields.has(name) && unmapped.size < maxUnmapped) {
				unmapped.add(name)
			}
		}
		const keys = new Set([...deep].map(firstKey))
		const readers = [...keys].flatMap(key => this.#deep.get(key) ?? [])
		this.#plan = { names, memberOf, deep: [...deep], readers }
		return this.#plan
	}
}

function hasListOfObjects(value: Json | undefined): boolean {
	if (Array.isArray(value)) return value.some(element => typeof element === 'object' && element !== null)
	return isJsonObject(value) && Object.values(value).some(hasListOfObjects)
}

/** Estimates the size of a row, in bytes. */
function sizeOf(hit: Hit): number {
	return 100 + 1.2 * (hit.end - hit.start)
}

const none = -1
const [comma, openBracket, closeBracket] = [0x2c, 0x5b, 0x5d] as const
const [beforeId, beforeCells, behindCells] = [Buffer.from('{"id":'), Buffer.from(',"cells":['), Buffer.from(']}')]

function append<K, V>(lists: Map<K, V[]>, key: K, value: V) {
	const list = lists.get(key)
	if (list === undefined) lists.set(key, [value])
	else list.push(value)
}
