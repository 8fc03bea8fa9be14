import { createEffect, createMemo, createSignal, on } from 'solid-js'
import type { FoundTable, Table } from '../../host/api/api.ts'
import { seriesOf } from '../words/series.ts'

/** More series of one connection are not asked for. */
const mostAsked = 20

/** What drivers take for all names. */
const everything = '*'

/**
 * What opens as a table and is in no list of tables: names that stand for several, such as an alias, and series of tables
 * whose names differ only by a date or a number at their end. Only a driver knows them, so it is asked once the list is
 * there.
 */
export function createTableSeries(
	listed: () => readonly Table[],
	find: (text: string) => Promise<readonly FoundTable[]>,
) {
	const [patterns, setPatterns] = createSignal<ReadonlyMap<string, FoundTable>>(new Map())
	const [others, setOthers] = createSignal<ReadonlyMap<string, FoundTable>>(new Map())
	const byName = (tables: readonly FoundTable[]) => new Map(tables.map(table => [table.name, table]))
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
			if (series() === asked) setPatterns(byName(found.flatMap(table => table ?? [])))
		}),
	)
	createEffect(
		on(listed, async tables => {
			const found = await find(everything)
			if (listed() === tables) setOthers(byName(found.filter(({ name }) => name !== everything)))
		}),
	)
	const tableOf = ({ name, kind, sort }: FoundTable): Table => ({ name, kind, ...(sort && { sort }) })
	return {
		/** What opens a name that is in no list; `undefined` for the others. */
		of: (name: string) => patterns().get(name) ?? others().get(name),
		/** Whether a name opens a series, whose tables are in the list. */
		isSeries: (name: string) => patterns().has(name),
		/**
		 * Adds what is in no list: first what stands for several tables, then each series before its first table. Its tables
		 * stand below it as partitions do.
		 */
		around(tables: readonly Table[]): readonly Table[] {
			const put = new Set(tables.map(({ name }) => name))
			const before = [...others().values()].filter(({ name }) => !put.has(name)).map(tableOf)
			const rest = tables.flatMap((table): readonly Table[] => {
				const pattern = patterns().get(seriesOf(table.name) ?? '')
				if (!pattern) return [table]
				const member = { ...table, partitionOf: pattern.name }
				if (put.has(pattern.name)) return [member]
				put.add(pattern.name)
				return [tableOf(pattern), member]
			})
			return [...before, ...rest]
		},
	}
}
