import type { Completions } from '@roundhouse/kit'
import type { Mapping } from '../../mapping/mapping.ts'
import type { Source } from '../../mapping/sources.ts'
import type { Version } from '../../transport/product.ts'
import type { LiveWord } from './live-words.ts'
import type { Specification } from './specification.ts'

export type Suggestion = Completions['options'][number]

/**
 * The data sources of completion. The functions that query the cluster never throw. If the cluster does not answer,
 * fewer completions are returned.
 */
export interface CompletionSources {
	/** The API of the cluster's version. */
	specification(): Promise<Specification>
	/** The version of the cluster: major, minor. */
	readonly version: Version
	indices(): Promise<readonly string[]>
	/** Aliases and data streams. */
	sources(): Promise<readonly Source[]>
	/** Fields of one name, of a pattern or a list, or of all indices (''). */
	mapping(expression: string): Promise<Mapping | undefined>
	/** Columns of a table of `_cat`. */
	catColumns(table: string): Promise<readonly LiveWord[]>
	clusterSettings(): Promise<readonly LiveWord[]>
	/** Frequent values of a field that begin with the word. */
	values(expression: string, field: string, word: string): Promise<readonly string[]>
}

/** Returns indices, aliases and data streams. */
export async function namesOf(known: CompletionSources): Promise<readonly Suggestion[]> {
	const [indices, sources] = await Promise.all([known.indices(), known.sources()])
	return [
		...indices.map((label): Suggestion => ({ label, kind: 'table' })),
		...sources.map(({ name, kind }): Suggestion => ({ label: name, kind: 'table', detail: kind })),
	]
}

export async function fieldsAt(expression: string, known: CompletionSources): Promise<readonly Suggestion[]> {
	return fieldOptions(await known.mapping(expression))
}

function fieldOptions(mapping: Mapping | undefined): Suggestion[] {
	if (mapping === undefined) return []
	return [...mapping.fields.values()].flatMap(({ path, type, subfields }): Suggestion[] => [
		{ label: path, kind: 'column', detail: type },
		...[...subfields.values()].map((field): Suggestion => ({ label: field.path, kind: 'column', detail: field.type })),
	])
}

export function keyword([label, info]: readonly [string, string]): Suggestion {
	return { label, kind: 'keyword', ...(info !== '' && { info }) }
}

export function described({ name, info }: LiveWord, kind: Suggestion['kind']): Suggestion {
	return { label: name, kind, ...(info !== '' && { info }) }
}
