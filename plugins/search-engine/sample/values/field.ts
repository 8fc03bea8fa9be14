/** A field of the sample's mapping. */
export interface SampleField {
	readonly path: string
	readonly type: string
	readonly format?: string
	/** Innermost `nested` object around it; empty at the top. */
	readonly scope: string
	/** Where its values lie in the document: `title` for `title.keyword`, the target for an alias. */
	readonly source: string
	readonly ignoreAbove: number
	readonly isRuntime: boolean
	/** Takes what does not fit, and does not index it; what is not said is the index's. */
	readonly ignoresMalformed?: boolean
	/** Neither indexed, nor in doc values, nor stored: no query finds a value of it. */
	readonly isFindable: boolean
	/** Of a `flattened` field: the key that is asked for. */
	readonly key?: string
}
