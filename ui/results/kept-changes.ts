import { countOf, type Staged } from '../table/edit/staged.ts'
import { recordOf, stagedOf } from '../table/edit/staged-record.ts'

/** Staged changes of a table that were made in a result. */
export interface TableChanges {
	readonly table: string
	readonly staged: Staged
	/** The keys of its changed rows as a result shows them, by the ids of the rows. */
	readonly keys: ReadonlyMap<string, string>
}

export const countIn = (changes: readonly TableChanges[]): number =>
	changes.reduce((sum, { staged }) => sum + countOf(staged), 0)

/** Returns changes as JSON for a restart. */
export const changesRecord = (changes: readonly TableChanges[]): readonly unknown[] =>
	changes.map(({ table, staged, keys }) => ({ table, staged: recordOf(staged), keys: [...keys] }))

/** Reads {@link changesRecord}. What cannot be read is left out. */
export function readChanges(record: unknown): readonly TableChanges[] {
	if (!Array.isArray(record)) return []
	return record.flatMap((one: unknown): readonly TableChanges[] => {
		if (typeof one !== 'object' || one === null) return []
		const { table, staged, keys } = one as Readonly<Record<string, unknown>>
		const found = stagedOf(staged)
		if (typeof table !== 'string' || !found || !Array.isArray(keys)) return []
		return [{ table, staged: found.staged, keys: new Map(keys.filter(isPair)) }]
	})
}

const isPair = (pair: unknown): pair is readonly [string, string] =>
	Array.isArray(pair) && pair.length === 2 && pair.every(part => typeof part === 'string')
