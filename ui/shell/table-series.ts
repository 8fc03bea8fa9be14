import { createEffect, createMemo, createSignal, on } from 'solid-js'
import type { FoundTable, Table } from '../../host/api/api.ts'
import { seriesOf } from '../words/series.ts'

/** More series of one connection are not asked for. */
const mostAsked = 20

/**
 * Tables whose names differ only by a date or a number at their end, by the name that opens all of them as one. Only a
 * driver knows whether there is one, so it is asked for each series once the list is there.
 */
export function createTableSeries(
	listed: () => readonly Table[],
	find: (text: string) => Promise<readonly FoundTable[]>,
) {
	const [patterns, setPatterns] = createSignal<ReadonlyMap<string, FoundTable>>(new Map())
	/** Each list has the same series until a table of one is made or removed. */
	const series = createMemo(
		() =>
			[...Map.groupBy(listed(), ({ name }) => seriesOf(name))].flatMap(([name, { length }]) =>
				name === undefined || length < 2 ? [] : [{ name, length }],
			),
		undefined,
		{ equals: (one, other) => JSON.stringify(one) === JSON.stringify(other) },
	)
	createEffect(
		on(series, async asked => {
			const names = asked.slice(0, mostAsked).map(({ name }) => name)
			const found = await Promise.all(names.map(async name => (await find(name)).find(table => table.name === name)))
			if (series() === asked) setPatterns(new Map(found.flatMap(table => (table ? [[table.name, table]] : []))))
		}),
	)
	return {
		/** What opens all tables of a series; `undefined` for other names. */
		of: (name: string) => patterns().get(name),
		/** Puts each series that opens as one before its first table, which stand below it as partitions do. */
		around(tables: readonly Table[]): readonly Table[] {
			const put = new Set<string>()
			return tables.flatMap((table): readonly Table[] => {
				const pattern = patterns().get(seriesOf(table.name) ?? '')
				if (!pattern) return [table]
				const { name, kind, sort } = pattern
				const member = { ...table, partitionOf: name }
				if (put.has(name)) return [member]
				put.add(name)
				return [{ name, kind, ...(sort && { sort }) }, member]
			})
		},
	}
}
