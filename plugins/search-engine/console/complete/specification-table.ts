/**
 * The generated API of the engine: lists of numbers, most of them indices in one list of texts, so that three versions
 * fit into a megabyte. `0` is the empty text.
 */
export interface SpecificationTable {
	/** Identifies the source. Changes whenever the source does. */
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
	/** Node of the body. */
	body: number,
	/** Flat list of the query parameters: name, node of the value and description of each. */
	parameters: readonly number[],
	/**
	 * Flat list of the routes: methods separated by spaces, path, whether it is deprecated (1), and the methods that
	 * Elasticsearch Serverless offers.
	 */
	routes: readonly number[],
]

/** A place in a body, or a value. Numbers of nodes are indices in `nodes`. 0 is the unknown node. */
export type NodeRow = readonly [
	/** Flat list of the keys: key, node under it and description of each. */
	keys: readonly number[],
	/** Possible texts. */
	values: readonly number[],
	/** Node under the name of a field. */
	fields: number,
	/** Node under a name that the user chooses. */
	names: number,
	/** 1 if the name of a field is possible here. */
	isField: number,
	/** Flat list: a value of `type`, and the node of the objects that have it. */
	variants: readonly number[],
]
