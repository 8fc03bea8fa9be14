import { type Column, isJsonObject, type Json } from '@roundhouse/kit'
import type { Hit } from '../hits/read-hits.ts'
import { isMetaColumn } from '../mapping/columns.ts'

/** Number of documents that determine the order. */
const looked = 50

/**
 * Returns the columns in the order of the documents' fields, because the engine returns a mapping alphabetically.
 * Columns without a value in these documents come last.
 * Documents of a log begin with their time, level, service, host and message, which are elsewhere in each producer's documents.
 */
export function inDocumentOrder(columns: readonly Column[], hits: readonly Hit[]): readonly Column[] {
	const byName = new Map(columns.map(column => [column.name, column]))
	const names = new Set(byName.keys())
	const parents = new Set(columns.flatMap(({ name }) => parentsOf(name)))
	const order: string[] = []
	const placed = new Set<string>()
	for (const hit of hits.slice(0, looked)) {
		let last: string | undefined
		for (const path of pathsOf(hit, names, parents)) {
			if (!placed.has(path)) {
				const at = last === undefined ? 0 : last === order.at(-1) ? order.length : order.indexOf(last) + 1
				order.splice(at, 0, path)
				placed.add(path)
			}
			last = path
		}
	}
	const others = columns.map(({ name }) => name).filter(name => !placed.has(name))
	const fields = [...order, ...others.filter(name => !isMetaColumn(name))]
	const first = logFields.every(name => names.has(name)) ? firstOfLogs.filter(name => names.has(name)) : []
	const inOrder = [...others.filter(isMetaColumn), ...first, ...fields.filter(name => !first.includes(name))]
	return inOrder.map(name => byName.get(name)).filter(column => column !== undefined)
}

/** Fields that every log event has in the Elastic Common Schema. */
const logFields = ['@timestamp', 'message']
const firstOfLogs = ['@timestamp', 'log.level', 'level', 'service.name', 'host.name', 'message']

/** Returns the columns that a document has a value for, in its order. */
function pathsOf(hit: Hit, names: ReadonlySet<string>, parents: ReadonlySet<string>): readonly string[] {
	const paths = new Set<string>()
	const members = hit.inner?.names ?? []
	const deep = hit.inner?.values(...members.filter(name => parents.has(name))) ?? {}
	function walk(value: Json | undefined, path: string): void {
		if (names.has(path)) paths.add(path)
		else if (Array.isArray(value)) for (const element of value) walk(element, path)
		else if (isJsonObject(value)) for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`)
	}
	for (const name of members) walk(deep[name], name)
	return [...paths]
}

function parentsOf(name: string): readonly string[] {
	const keys = name.split('.')
	return keys.slice(1).map((_, index) => keys.slice(0, index + 1).join('.'))
}
