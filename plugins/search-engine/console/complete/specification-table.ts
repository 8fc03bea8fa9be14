/**
 * The API of the engine as `specification/` writes it down: lists of numbers, most of them places in one list of texts, so
 * that a megabyte holds three versions. `0` is the empty text.
 */
export interface SpecificationTable {
	/** Changes whenever what it was made from does. */
	readonly madeFrom: string
	readonly texts: readonly string[]
	/** By major version. */
	readonly versions: Readonly<Record<string, VersionTable>>
}

export interface VersionTable {
	readonly apis: readonly ApiRow[]
	readonly nodes: readonly NodeRow[]
}

export type ApiRow = readonly [
	doc: number,
	url: number,
	/** The node of its body. */
	body: number,
	/** Name, node of the value and description of each parameter of the query, one behind the other. */
	parameters: readonly number[],
	/** Methods with spaces between them, path, and whether it is deprecated (1) of each route, one behind the other. */
	routes: readonly number[],
]

/** A place in a body, or a value. The numbers of nodes are places in `nodes`, 0 is the node of which nothing is known. */
export type NodeRow = readonly [
	/** Key, node under it and description, one behind the other. */
	keys: readonly number[],
	/** Texts that may stand here. */
	values: readonly number[],
	/** The node under the name of a field. */
	fields: number,
	/** The node under a name that the person makes up. */
	names: number,
	/** The name of a field may stand here: 1. */
	isField: number,
]
