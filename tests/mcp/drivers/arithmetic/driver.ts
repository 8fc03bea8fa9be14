import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, DriverError, defineDriver, encode, encodeWithRaw, type Settings } from '@roundhouse/kit'
import { largeAnswers, largeDocument } from './large.ts'
import { Series } from './series.ts'

/** Tables with the number of rows and columns in their name, for tests of large tables in the window. */

const names = [
	'small 200x12',
	'million 1000000x200',
	'wide 100000x1000',
	'long 2500000x8',
	'endless 2000000000x8',
	'empty 0x8',
	'documents 4x4',
]

function connection({ delayMs = '' }: Settings): Connection {
	const tables = new Map(
		names.map(name => {
			const [, rows, columns] = /(\d+)x(\d+)/.exec(name) ?? []
			return [name, new Series(Number(rows), Number(columns))] as const
		}),
	)
	function table(name: string): Series {
		const found = tables.get(name)
		if (!found) throw new DriverError('not_found', `There is no series ${name}.`)
		return found
	}
	return {
		info: () => ({ product: 'Arithmetic', version: '1.0.0', notices: [] }),
		listTables: async () => [...tables].map(([name, { count }]) => ({ name, rowCount: count })),
		describeTable: async name => ({ name, columns: table(name).columns }),
		openGrid: async query => ({
			page: async ({ offset, limit }, { signal }) => {
				if (Number(delayMs) > 0) await wait(Number(delayMs), undefined, { signal })
				const { columns } = table(query.table)
				const view = table(query.table).view(query)
				return encode({
					columns,
					rows: view.rows(offset, limit),
					total: { value: view.total, isExact: true },
					tookMs: 1,
					request: JSON.stringify({ filters: query.filters, sort: query.sort }),
					notices: [],
				})
			},
			close: async () => {},
		}),
		countRows: async query => ({ value: table(query.table).view({ ...query, sort: [] }).total, isExact: true }),
		readRow: async (name, id) => encodeWithRaw(name.startsWith('documents') ? largeDocument(id) : table(name).read(id)),
		previewChanges: async (name, changes) => changes.map(change => `${change.kind} ${name}`),
		applyChanges: async (name, changes) => changes.map(change => table(name).apply(change)),
		console: largeAnswers,
		close: async () => {},
	}
}

export default defineDriver({ connect: async settings => connection(settings) })
