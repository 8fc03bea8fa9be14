import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import { contextMissing, illegalArgument, indexNotFound } from '../values/failure.ts'
import type { SampleMapping } from './mapping.ts'
import type { StoredDocument } from './stored-index.ts'
import { StoredIndex } from './stored-index.ts'

/** One index as a search sees it: the documents that were searchable at one moment. */
export interface Snapshot {
	readonly index: StoredIndex
	readonly documents: readonly StoredDocument[]
}

interface PointInTime {
	uses: number
	readonly snapshots: readonly Snapshot[]
	expiresAt: number
}

/** The indices, aliases and open points in time of the sample. */
export class Cluster {
	readonly version: string
	readonly indices = new Map<string, StoredIndex>()
	/** Index names by alias. */
	readonly aliases = new Map<string, Set<string>>()
	readonly #points = new Map<number, PointInTime>()
	#nextNumber = 1

	constructor(version: string) {
		this.version = version
	}

	get major(): number {
		return Number(this.version.split('.')[0])
	}

	/** From 9.2 on: the paths of vectors, which documents lack unless a request asks for them. */
	vectorsLeftOut({ fields }: SampleMapping): readonly (readonly string[])[] {
		const [major = 0, minor = 0] = this.version.split('.').map(Number)
		if (major < 9 || (major === 9 && minor < 2)) return []
		return [...fields].filter(([, { type }]) => type.endsWith('_vector')).map(([path]) => path.split('.'))
	}

	/**
	 * Returns the indices behind a name, an alias, a pattern, `_all`, or several of them separated by commas.
	 * @throws Failure if a plain name is unknown
	 */
	resolve(expression: string): StoredIndex[] {
		const found = new Set<StoredIndex>()
		for (const name of expression.split(',')) {
			const matches = name === '_all' || name.includes('*') ? this.#matching(name) : this.#named(name)
			for (const index of matches) found.add(index)
		}
		return [...found]
	}

	/** Returns the index for a write. Creates it if it does not exist, like the engine. */
	writable(name: string): StoredIndex {
		const known = this.indices.get(name) ?? this.#behindAlias(name)
		return known ?? this.create(name)
	}

	create(name: string, mappings: JsonObject = {}, settings: JsonObject = {}): StoredIndex {
		if (/[A-Z\\/*?"<>|\s,#]/.test(name) || /^[_+-]/.test(name)) {
			throw illegalArgument(`Invalid index name [${name}], must be lowercase and hold no special character`)
		}
		const index = new StoredIndex(name, { mappings, settings })
		this.indices.set(name, index)
		return index
	}

	snapshot(expression: string): Snapshot[] {
		return this.resolve(expression).map(index => ({ index, documents: index.searchable() }))
	}

	openPoint(expression: string, keepAliveMs: number): string {
		const number = this.#nextNumber++
		this.#points.set(number, { uses: 0, snapshots: this.snapshot(expression), expiresAt: Date.now() + keepAliveMs })
		return pointId(number, 0)
	}

	/** Returns the point in time of an id, and its next id. @throws Failure if it is closed or has expired */
	usePoint(
		id: string,
		keepAliveMs: number | undefined,
	): { readonly id: string; readonly snapshots: readonly Snapshot[] } {
		const number = numberOfPoint(id)
		const point = this.#points.get(number)
		if (point === undefined || point.expiresAt < Date.now()) {
			this.#points.delete(number)
			throw contextMissing(number)
		}
		point.uses++
		if (keepAliveMs !== undefined) point.expiresAt = Math.max(point.expiresAt, Date.now() + keepAliveMs)
		return { id: pointId(number, point.uses), snapshots: point.snapshots }
	}

	closePoint(id: string): boolean {
		return this.#points.delete(numberOfPoint(id))
	}

	#matching(pattern: string): StoredIndex[] {
		if (pattern === '_all' || pattern === '*') return [...this.indices.values()].filter(index => !isHidden(index))
		const expression = new RegExp(`^${pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)
		const names = [...this.indices.values()].filter(
			index => expression.test(index.name) && (!isHidden(index) || pattern.startsWith('.')),
		)
		const behind = [...this.aliases]
			.filter(([alias]) => expression.test(alias))
			.flatMap(([alias]) => this.#named(alias))
		return [...names, ...behind]
	}

	#named(name: string): StoredIndex[] {
		const index = this.indices.get(name)
		if (index !== undefined) return [index]
		const names = this.aliases.get(name)
		if (names === undefined) throw indexNotFound(name)
		return [...names].flatMap(member => this.indices.get(member) ?? [])
	}

	#behindAlias(name: string): StoredIndex | undefined {
		const names = this.aliases.get(name)
		if (names === undefined) return undefined
		const [only] = names
		if (names.size > 1 || only === undefined) {
			throw illegalArgument(
				`no write index is defined for alias [${name}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
			)
		}
		return this.indices.get(only)
	}
}

const pointPrefix = 'roundhouse-sample-pit-'

/**
 * Creates an id. The engine may return a new id with each answer, which the client must use; the sample always does.
 */
function pointId(number: number, uses: number): string {
	return Buffer.from(`${pointPrefix}${number}.${uses}`).toString('base64')
}

/** @throws Failure for a text that is not an id */
function numberOfPoint(id: string): number {
	const text = Buffer.from(id, 'base64').toString('utf8')
	if (!text.startsWith(pointPrefix)) throw illegalArgument('java.io.EOFException')
	return Number.parseInt(text.slice(pointPrefix.length), 10)
}

function isHidden(index: StoredIndex): boolean {
	const nested = isJsonObject(index.settings.index) ? index.settings.index : {}
	return index.name.startsWith('.') || index.settings.hidden === true || nested.hidden === true
}
