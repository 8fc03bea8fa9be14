import { readFile } from 'node:fs/promises'
import { specificationFile } from '../../generated-files.ts'
import type { ApiRow, NodeRow, SpecificationTable, VersionTable } from './specification-table.ts'

/** One API of the engine at one path. */
export interface Endpoint {
	readonly doc: string
	readonly url: string
	readonly isDeprecated: boolean
	readonly parameters: readonly Parameter[]
	/** The possible content of its body. */
	readonly body: BodyNode
}

export interface Parameter {
	readonly name: string
	readonly doc: string
	readonly values: readonly string[]
}

/** A place in a body. */
export interface BodyNode {
	readonly keys: ReadonlyMap<string, string>
	readonly values: readonly string[]
	/** Whether keys may be names of fields. */
	readonly takesFields: boolean
	/** Whether a value may be the name of a field. */
	readonly isField: boolean
	/** Returns the place under a key, or `undefined` if it is unknown. */
	under(key: string): BodyNode | undefined
	/** Returns the place as it is in an object whose `type` has this value, if that decides about its keys. */
	withType(type: string): BodyNode | undefined
}

/** A segment of the paths, with the possible next segments. */
interface Branch {
	readonly words: Map<string, Branch>
	/** Branches for a name at this place, by its kind, for example `index`. */
	readonly names: Map<string, Branch>
	/** The APIs that end here, by method. */
	readonly ends: Map<string, { readonly api: ApiRow; readonly isDeprecated: boolean }>
	/** The methods of all APIs that end here or further on. */
	readonly methods: Set<string>
}

/** The API of one major version of the engine. */
export class Specification {
	readonly #texts: readonly string[]
	readonly #nodes: readonly NodeRow[]
	readonly #root = newBranch()

	/** @param isServerless whether it has only what Elasticsearch Serverless offers */
	constructor(texts: readonly string[], { apis, nodes }: VersionTable, isServerless = false) {
		this.#texts = texts
		this.#nodes = nodes
		for (const api of apis) {
			for (const [methods = 0, path = 0, deprecated = 0, onServerless = 0] of inGroups(api[4], 4)) {
				for (const method of wordsIn(this.#text(isServerless ? onServerless : methods))) {
					const { ends } = this.#branchAt(this.#text(path), method)
					if (!ends.has(method)) ends.set(method, { api, isDeprecated: deprecated === 1 })
				}
			}
		}
	}

	/** Returns the possible next segments. */
	next(method: string, segments: readonly string[]): NextSegments {
		const branches = this.#branches(segments)
		const words = new Map<string, SegmentWord>()
		for (const [word, branch] of branches.flatMap(branch => [...branch.words])) {
			// This driver rejects `_sql`.
			if (word === '_sql' || !leadsOn(branch, method)) continue
			const ends = [...branch.ends].filter(([, { isDeprecated }]) => !isDeprecated)
			// An endpoint that requires a name is described by the endpoint after the name.
			const endpoint = this.#endpointIn([branch, ...branch.names.values()], method)
			words.set(word, {
				methods: (ends.length > 0 ? ends : [...branch.ends]).map(([name]) => name),
				...(endpoint && { endpoint }),
			})
		}
		const names = new Set(
			branches.flatMap(({ names }) => [...names].flatMap(([name, branch]) => (leadsOn(branch, method) ? [name] : []))),
		)
		return {
			words,
			takesIndex: [...indexNames].some(name => names.has(name)),
			takesAlias: names.has('name') && ['_alias', '_aliases', 'aliases'].some(word => segments.includes(word)),
			takesMetric: names.has('metric') || names.has('index_metric'),
		}
	}

	/** Returns the API of a request. */
	endpoint(method: string, segments: readonly string[]): Endpoint | undefined {
		return this.#endpointIn(this.#branches(segments), method)
	}

	#endpointIn(branches: readonly Branch[], method: string): Endpoint | undefined {
		for (const asked of method === 'HEAD' ? ['HEAD', 'GET'] : [method]) {
			const found = branches.find(({ ends }) => ends.has(asked))?.ends.get(asked)
			if (found) return this.#readEndpoint(found.api, found.isDeprecated)
		}
		return undefined
	}

	#readEndpoint([doc, url, body, parameters]: ApiRow, isDeprecated: boolean): Endpoint {
		const text = (place: number) => this.#text(place)
		const node = (number: number) => this.#readNode(number)
		return {
			doc: text(doc),
			url: text(url),
			isDeprecated,
			get parameters() {
				return inThrees(parameters).map(([name = 0, value = 0, doc = 0]) => ({
					name: text(name),
					doc: text(doc),
					values: node(value).values,
				}))
			},
			get body() {
				return node(body)
			},
		}
	}

	#readNode(number: number): BodyNode {
		const [keys, values, fields, names, isField, variants] = this.#nodes[number] ?? nothing
		const entries = new Map(inThrees(keys).map(([key = 0, node = 0, doc = 0]) => [this.#text(key), { node, doc }]))
		const other = fields || names
		return {
			keys: new Map([...entries].map(([key, { doc }]) => [key, this.#text(doc)])),
			values: values.map(value => this.#text(value)),
			takesFields: fields !== 0,
			isField: isField === 1,
			withType: type => {
				const at = variants.findIndex((value, place) => place % 2 === 0 && this.#text(value) === type)
				return at < 0 ? undefined : this.#readNode(variants[at + 1] ?? 0)
			},
			under: key => {
				const node = entries.get(key)?.node ?? other
				return node === 0 ? undefined : this.#readNode(node)
			},
		}
	}

	/** Returns the branches that a path may have taken: words of the API, or names in their place. */
	#branches(segments: readonly string[]): Branch[] {
		let branches = [this.#root]
		for (const segment of segments) {
			const words = branches.flatMap(branch => branch.words.get(segment) ?? [])
			const named = branches.flatMap(({ names }) =>
				[...names].flatMap(([name, branch]) => (mayBe(name, segment) ? [branch] : [])),
			)
			// The engine reads `_cleanup` as a word of the API before it reads it as a name.
			branches = [...words, ...named]
		}
		return branches
	}

	/** Returns the branch of a path in the table, and creates it if there is none. */
	#branchAt(path: string, method: string): Branch {
		let branch = this.#root
		branch.methods.add(method)
		for (const part of path.split('/').filter(part => part !== '')) {
			const name = /^\{(.*)\}$/.exec(part)?.[1]
			const among = name === undefined ? branch.words : branch.names
			const key = name ?? part
			const next = among.get(key) ?? newBranch()
			among.set(key, next)
			next.methods.add(method)
			branch = next
		}
		return branch
	}

	#text(place: number): string {
		return this.#texts[place] ?? ''
	}
}

export interface NextSegments {
	readonly words: ReadonlyMap<string, SegmentWord>
	/** Whether the name of an index is possible. */
	readonly takesIndex: boolean
	/** Whether the name of an alias is possible. */
	readonly takesAlias: boolean
	/** Whether a metric is possible. */
	readonly takesMetric: boolean
}

export interface SegmentWord {
	/** Methods of the APIs that end here. */
	readonly methods: readonly string[]
	readonly endpoint?: Endpoint
}

const nothing: NodeRow = [[], [], 0, 0, 0, []]

/** The names of index parameters in the engine's paths. */
const indexNames = new Set(['index', 'target'])

function newBranch(): Branch {
	return { words: new Map(), names: new Map(), ends: new Map(), methods: new Set() }
}

function mayBe(name: string, segment: string): boolean {
	return !indexNames.has(name) || !segment.startsWith('_') || segment === '_all'
}

/** HEAD is a GET without its answer. */
function leadsOn({ methods }: Branch, method: string): boolean {
	return methods.has(method) || (method === 'HEAD' && methods.has('GET'))
}

function inThrees(numbers: readonly number[]): (readonly number[])[] {
	return inGroups(numbers, 3)
}

function inGroups(numbers: readonly number[], size: number): (readonly number[])[] {
	return Array.from({ length: numbers.length / size }, (_, at) => numbers.slice(at * size, at * size + size))
}

function wordsIn(text: string): readonly string[] {
	return text === '' ? [] : text.split(' ')
}

const loaded = new Map<string, Promise<Specification>>()

const newest = 9

/** Returns the API of a major version, or of the nearest known one. Read at the first call. */
export function specificationOf(release: number | 'serverless'): Promise<Specification> {
	const known = release === 'serverless' ? release : String(Math.min(Math.max(release, 7), newest))
	const specification = loaded.get(known) ?? load(known)
	loaded.set(known, specification)
	return specification
}

async function load(release: string): Promise<Specification> {
	// Trusted, because this project's build wrote it.
	const { texts, versions } = JSON.parse(await readFile(specificationFile, 'utf8')) as SpecificationTable
	const isServerless = release === 'serverless'
	const version = versions[isServerless ? newest : release]
	if (version === undefined) throw new Error(`no specification of ${release}`)
	return new Specification(texts, version, isServerless)
}
