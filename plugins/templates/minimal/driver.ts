import { type Connection, DriverError, defineDriver, encode, encodeWithRaw, type Settings } from '@roundhouse/kit'
import { analyse, run } from './console.ts'
import { columns, Notes, table } from './notes.ts'

/** Opens a connection. A real driver connects here, by the sockets of its context. */
function open(settings: Settings): Connection {
	const notes = new Notes(`Written by ${settings.owner || 'the driver'}`)
	return {
		info: () => ({ product: 'Notes', version: '1', notices: [] }),
		listTables: async () => [{ name: table, rowCount: notes.count }],
		describeTable: async name => {
			requireTable(name)
			return { name, columns }
		},
		openGrid: async query => {
			requireTable(query.table)
			// Taken once, so that the pages of one grid fit together while notes are added.
			const found = notes.find(query)
			return {
				page: async ({ offset, limit }) =>
					encode({
						columns,
						rows: found.slice(offset, offset + limit),
						total: { value: found.length, isExact: true },
						tookMs: 0,
						notices: [],
					}),
				close: async () => {},
			}
		},
		countRows: async query => {
			requireTable(query.table)
			return { value: notes.find({ ...query, sort: [] }).length, isExact: true }
		},
		readRow: async (name, id) => {
			requireTable(name)
			const raw = Buffer.from(JSON.stringify(notes.read(id)))
			return encodeWithRaw({ id, version: notes.versionOf(id), meta: { id }, raw })
		},
		previewChanges: async (name, changes) => {
			requireTable(name)
			return changes.map(change => `${change.kind} ${JSON.stringify(change)}`)
		},
		applyChanges: async (name, changes) => {
			requireTable(name)
			return changes.map(change => notes.apply(change))
		},
		console: {
			analyse,
			run: async ({ text }, { maxRows }) => encode(run(notes, text, maxRows)),
		},
		close: async () => {},
	}
}

function requireTable(name: string): void {
	if (name !== table) throw new DriverError('not_found', `There is no table ${name}.`)
}

export default defineDriver({
	connect: async settings => open(settings),
	tools: {
		count_notes: async (_, { connection, ...call }) => {
			// The manifest says `needsConnection`, so the host opens one before.
			const count = await connection?.countRows({ table, filters: [], match: 'all' }, call)
			const structuredContent = { count: count?.value ?? 0 }
			return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
		},
	},
})
