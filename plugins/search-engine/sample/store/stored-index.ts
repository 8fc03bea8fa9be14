import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { blocked, versionConflict } from '../values/failure.ts'
import { SampleMapping } from './mapping.ts'

export interface StoredDocument {
	readonly id: string
	readonly routing: string | undefined
	readonly source: JsonObject
	readonly version: number
	readonly seqNo: number
}

/** Conditions of a write on the existing document. */
export interface WriteCondition {
	readonly mustCreate?: boolean
	readonly ifSeqNo?: number
	readonly ifPrimaryTerm?: number
}

export const primaryTerm = 1

type Documents = Iterable<{ readonly id: string; readonly source: JsonObject; readonly routing?: string }>

interface PendingFill {
	readonly count: number
	make(): Documents
}

/** Longest time before searches see a write, like the engine's `index.refresh_interval`. */
const refreshIntervalMs = 1000

/** What an index is created with. */
interface IndexOptions {
	readonly mappings?: JsonObject | undefined
	readonly settings?: JsonObject | undefined
	readonly createdAt?: number | undefined
}

/**
 * The documents of one index, in one shard. Like in the engine, a write can be read by id at once, but searches find it
 * only after a refresh.
 */
export class StoredIndex {
	readonly name: string
	readonly mapping: SampleMapping
	settings: JsonObject
	/** Grows with each change. */
	settingsVersion = 1
	readonly createdAt: number
	readonly #filled = new Map<string, StoredDocument>()
	#pendingFill: PendingFill | undefined
	#searchable: readonly StoredDocument[] = []
	#nextSeqNo = 0
	#changedAt: number | undefined

	constructor(name: string, { mappings = {}, settings = {}, createdAt = Date.UTC(2024, 4, 1) }: IndexOptions = {}) {
		this.name = name
		this.mapping = new SampleMapping(mappings)
		this.settings = settings
		this.createdAt = createdAt
	}

	get maxResultWindow(): number {
		return Number(this.flatSettings.max_result_window ?? 10_000)
	}

	putSettings(wanted: JsonObject) {
		this.settings = { ...this.settings, ...wanted }
		this.settingsVersion++
	}

	/** Returns the settings by dotted name without `index.`, in whatever form they were given. */
	get flatSettings(): JsonObject {
		return Object.fromEntries(
			[...flat(this.settings, '')].map(([name, value]) => [name.replace(/^index\./, ''), value]),
		)
	}

	get size(): number {
		return this.#pendingFill?.count ?? this.#documents.size
	}

	get #documents(): Map<string, StoredDocument> {
		this.#fillNow()
		return this.#filled
	}

	/** Returns some of its documents, without filling the index. */
	*first(count: number): Generator<{ readonly source: JsonObject }> {
		let left = count
		for (const document of this.#pendingFill?.make() ?? this.#filled.values()) {
			if (left-- === 0) return
			yield document
		}
	}

	read(id: string): StoredDocument | undefined {
		return this.#documents.get(id)
	}

	/**
	 * Returns the documents that searches find, in the order of their last write. The array never changes: a refresh
	 * makes a new one.
	 */
	searchable(): readonly StoredDocument[] {
		this.#fillNow()
		if (this.#changedAt !== undefined && Date.now() - this.#changedAt >= refreshIntervalMs) this.refresh()
		return this.#searchable
	}

	refresh() {
		if (this.#changedAt === undefined) return
		this.#searchable = [...this.#documents.values()]
		this.#changedAt = undefined
	}

	write(
		id: string,
		{ source, routing }: { readonly source: JsonObject; readonly routing: string | undefined },
		condition: WriteCondition = {},
	): StoredDocument {
		const old = this.#documents.get(id)
		this.#check(id, old, condition)
		this.mapping.accept(source, id, String(this.flatSettings['mapping.ignore_malformed']) === 'true')
		const document = { id, routing, source, version: (old?.version ?? 0) + 1, seqNo: this.#nextSeqNo++ }
		// An updated document moves to the end, like in Lucene.
		this.#documents.delete(id)
		this.#documents.set(id, document)
		this.#changedAt ??= Date.now()
		return document
	}

	/**
	 * Returns the sequence number of the deletion, and the new version. `existed` is false if the document did not exist.
	 */
	remove(id: string, condition: WriteCondition = {}): { existed: boolean; version: number; seqNo: number } {
		const old = this.#documents.get(id)
		this.#check(id, old, condition)
		this.#documents.delete(id)
		this.#changedAt ??= Date.now()
		return { existed: old !== undefined, version: (old?.version ?? 0) + 1, seqNo: this.#nextSeqNo++ }
	}

	/** Fills the index at the start, without the checks of a write. */
	fill(documents: Documents) {
		for (const { id, source, routing } of documents) {
			this.#filled.set(id, { id, routing, source, version: 1, seqNo: this.#nextSeqNo++ })
		}
		this.#searchable = [...this.#filled.values()]
	}

	/** Fills the index at its first use. Until then only the number of documents is known. */
	fillLater(count: number, make: () => Documents) {
		this.#pendingFill = { count, make }
	}

	#fillNow() {
		const pendingFill = this.#pendingFill
		this.#pendingFill = undefined
		if (pendingFill !== undefined) this.fill(pendingFill.make())
	}

	#check(id: string, old: StoredDocument | undefined, condition: WriteCondition) {
		if (String(this.flatSettings['blocks.write']) === 'true') throw blocked(this.name, '8/index write (api)')
		if (condition.mustCreate && old !== undefined) {
			throw versionConflict(this.name, id, `document already exists (current version [${old.version}])`)
		}
		if (condition.ifSeqNo === undefined) return
		const required = `required seqNo [${condition.ifSeqNo}], primary term [${condition.ifPrimaryTerm}]`
		if (old === undefined) throw versionConflict(this.name, id, `${required}. but no document was found`)
		if (old.seqNo !== condition.ifSeqNo || condition.ifPrimaryTerm !== primaryTerm) {
			const current = `current document has seqNo [${old.seqNo}] and primary term [${primaryTerm}]`
			throw versionConflict(this.name, id, `${required}. ${current}`)
		}
	}
}

function* flat(settings: JsonObject, prefix: string): Generator<[string, Json]> {
	for (const [name, value] of Object.entries(settings)) {
		if (isJsonObject(value)) yield* flat(value, `${prefix}${name}.`)
		else yield [`${prefix}${name}`, value]
	}
}

/** Returns Lucene's count, which `_cat` reports: each element of a nested object is a separate document. */
export function luceneCount(index: StoredIndex): number {
	const paths = [...index.mapping.nestedPaths]
	if (paths.length === 0) return index.size
	return index.searchable().reduce((sum, document) => {
		return sum + 1 + paths.reduce((count, path) => count + elementsAt(document.source, path.split('.')), 0)
	}, 0)
}

function elementsAt(value: Json | undefined, keys: readonly string[]): number {
	if (Array.isArray(value)) return value.reduce<number>((sum, element) => sum + elementsAt(element, keys), 0)
	if (!isJsonObject(value)) return 0
	const [key, ...rest] = keys
	return key === undefined ? 1 : elementsAt(value[key], rest)
}
