/** A field of the sample's mapping. */
export interface SampleField {
	readonly path: string
	readonly type: string
	readonly format?: string
	/** Innermost enclosing `nested` object, or empty at the top level. */
	readonly scope: string
	/** Path of its values in the document: `title` for `title.keyword`, the target for an alias. */
	readonly source: string
	readonly ignoreAbove: number
	readonly isRuntime: boolean
	/** Whether a malformed value is accepted without being indexed. If absent, the index decides. */
	readonly ignoresMalformed?: boolean
	/** `false` if it is neither indexed, nor in doc values, nor stored: no query finds its values. */
	readonly isFindable: boolean
	/** The requested key of a `flattened` field. */
	readonly key?: string
}
