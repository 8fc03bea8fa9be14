import type { Completions } from '@roundhouse/kit'
import { quoted } from '../sql/names.ts'
import type { RowSource } from './row-sources.ts'

/** Conditions of JOIN … ON, from the foreign keys of the database. */

/** A side of a foreign key. */
interface Side {
	readonly schema: string
	readonly table: string
	readonly columns: readonly string[]
}

/** A foreign key: `from` refers to `to`. */
export interface Reference {
	readonly from: Side
	readonly to: Side
}

/**
 * Returns the conditions that join the last source to those before it. @param alias of the source that they begin with;
 * default: the one that refers to the other
 */
export function joinConditions(
	sources: readonly RowSource[],
	references: readonly Reference[],
	alias?: string,
): Completions['options'][number][] {
	const joined = sources.at(-1)
	if (!joined) return []
	return sources.slice(0, -1).flatMap(other =>
		references.flatMap(({ from, to }) => {
			const pairs = [
				[joined, other],
				[other, joined],
			] as const
			const fitting = pairs
				.filter(([first, second]) => isOf(first, from) && isOf(second, to))
				.filter(pair => alias === undefined || pair.some(source => source.alias === alias))
			return fitting.map(([first, second]) => {
				const equal = from.columns.map((column, at) => {
					const sides = [named(first, column), named(second, to.columns[at] ?? '')]
					return (alias === second.alias ? sides.reverse() : sides).join(' = ')
				})
				return { label: equal.join(' and '), kind: 'keyword', detail: 'foreign key' } as const
			})
		}),
	)
}

function isOf({ path, query }: RowSource, { schema, table }: Side): boolean {
	const [name, own] = path.toReversed()
	return query === undefined && name === table && (own === undefined || own === schema)
}

const named = ({ alias }: RowSource, column: string) => `${quoted(alias)}.${quoted(column)}`
