import type { Progress, TableDescription } from '../../host/api/api.ts'
import type { CallOptions } from '../api/client.ts'
import { neighboursOf } from './schema-graph.ts'

/** Tables beyond this number are left out, and the diagram shows how many. */
export const mostTables = 300
/** The engine describes so many tables at once. */
const atOnce = 8

/** What a diagram is about: tables of the list, or one table with those around it. */
export type DiagramSubject =
	| { readonly tables: readonly string[] }
	| { readonly around: string; readonly distance: number }

type Describe = (table: string, call: CallOptions) => Promise<TableDescription>

/**
 * Describes the tables of a diagram. One that another client drops meanwhile is left out.
 * @returns the descriptions, and how many tables were left out because there are too many
 */
export async function readGraph(
	subject: DiagramSubject,
	describe: Describe,
	call: Required<CallOptions>,
): Promise<{ readonly described: readonly TableDescription[]; readonly left: number }> {
	const described: TableDescription[] = []
	if ('tables' in subject) {
		const wanted = subject.tables.slice(0, mostTables)
		described.push(...(await describeAll(wanted, describe, call)))
		return { described, left: subject.tables.length - wanted.length }
	}
	const seen = new Set([subject.around])
	let next: readonly string[] = [subject.around]
	let left = 0
	for (let step = 0; step <= subject.distance && next.length > 0; step++) {
		const found = await describeAll(next, describe, call)
		described.push(...found)
		const around = [...new Set(found.flatMap(neighboursOf))].filter(name => !seen.has(name))
		next = around.slice(0, mostTables - described.length)
		if (step < subject.distance) left += around.length - next.length
		for (const name of next) seen.add(name)
	}
	return { described, left }
}

async function describeAll(
	tables: readonly string[],
	describe: Describe,
	{ signal, onProgress }: Required<CallOptions>,
): Promise<readonly TableDescription[]> {
	const found = new Map<string, TableDescription>()
	const waiting = [...tables]
	let done = 0
	const faults: unknown[] = []
	const work = async () => {
		for (let table = waiting.shift(); table !== undefined; table = waiting.shift()) {
			signal.throwIfAborted()
			const description = await describe(table, { signal }).catch((error: unknown) => {
				signal.throwIfAborted()
				faults.push(error)
			})
			if (description) found.set(table, { ...description, name: table })
			const progress: Progress = { done: ++done, total: tables.length }
			onProgress(progress)
		}
	}
	await Promise.all(Array.from({ length: atOnce }, work))
	if (found.size === 0 && faults.length > 0) throw faults[0]
	return tables.flatMap(table => found.get(table) ?? [])
}
