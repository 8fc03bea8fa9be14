import {
	type Call,
	type Change,
	type ChangeOutcome,
	type Column,
	type Connection,
	type DriverContext,
	DriverError,
	defineDriver,
	encode,
	encodeWithRaw,
	fromCell,
	type GridQuery,
	isDriverError,
	type Json,
	parseJson,
	type Settings,
	stringifyJson,
	type Table,
	toCell,
} from '@roundhouse/kit'
import { Client, messageIn, type Reply, type Request } from './client.ts'
import { analyse, run } from './console.ts'

/** The answers of the API, as its documentation describes them. */
interface Answers {
	readonly server: { readonly product: string; readonly version: string }
	readonly tables: readonly Table[]
	readonly table: { readonly columns: readonly { readonly name: string; readonly type: 'text' | 'number' }[] }
	readonly rows: { readonly total: number; readonly rows: readonly RowAnswer[] }
	readonly row: RowAnswer
}
interface RowAnswer {
	readonly id: string
	readonly version: string
	readonly values: Readonly<Record<string, Json>>
}

async function open(settings: Settings, context: DriverContext, call: Call): Promise<Connection> {
	const client = new Client(settings, context)
	const get = async (path: string, { signal }: Call) => client.read({ method: 'GET', path }, signal)
	const server = read('server', await get('/', call))
	const columnsOf = async (table: string, call: Call) =>
		read('table', await get(pathOf(table), call)).columns.map(columnOf)
	return {
		info: () => ({ ...server, notices: [] }),
		listTables: async call => read('tables', await get('/tables', call)),
		describeTable: async (name, call) => ({ name, columns: await columnsOf(name, call) }),
		openGrid: async (query, call) => {
			requireWhole(query)
			const columns = await columnsOf(query.table, call)
			return {
				page: async ({ offset, limit }, call) => {
					const reply = await get(`${pathOf(query.table)}/rows?offset=${offset}&limit=${limit}`, call)
					const { total, rows } = read('rows', reply)
					return encode({
						columns,
						rows: rows.map(({ id, version, values }) => ({
							id,
							version,
							cells: columns.map(({ name }) => toCell(values[name])),
						})),
						total: { value: total, isExact: true },
						tookMs: reply.tookMs,
						notices: [],
					})
				},
				close: async () => {},
			}
		},
		countRows: async (query, call) => {
			requireWhole(query)
			const { total } = read('rows', await get(`${pathOf(query.table)}/rows?limit=0`, call))
			return { value: total, isExact: true }
		},
		readRow: async (table, id, call) => {
			const { body } = await get(pathOf(table, id), call)
			const { version } = read('row', { body })
			return encodeWithRaw({ id, version, meta: { id, version }, raw: body })
		},
		previewChanges: async (table, changes) => changes.map(change => textOf(requestOf(table, change))),
		applyChanges: async (table, changes, call) => {
			const outcomes: ChangeOutcome[] = []
			for (const change of changes) outcomes.push(await apply(client, requestOf(table, change), call))
			return outcomes
		},
		console: {
			analyse,
			run: (statement, options, { signal }) => run(client, statement, { ...options, signal }),
		},
		// Each request has its own socket, which it closes.
		close: async () => {},
	}
}

/** Parses an answer. Numbers keep their digits, which `JSON.parse` would round. */
function read<A extends keyof Answers>(_: A, { body }: Pick<Reply, 'body'>): Answers[A] {
	return parseJson(body.toString('utf8')) as unknown as Answers[A]
}

function pathOf(table: string, id?: string): string {
	const path = `/tables/${encodeURIComponent(table)}`
	return id === undefined ? path : `${path}/rows/${encodeURIComponent(id)}`
}

function columnOf({ name, type }: Answers['table']['columns'][number]): Column {
	return { name, type, kind: type, isKey: false, isReadOnly: false, isSortable: false }
}

/** @throws DriverError `unsupported` */
function requireWhole({ filters, sort = [] }: Partial<GridQuery> & Pick<GridQuery, 'filters'>): void {
	if (filters.length > 0 || sort.length > 0) throw new DriverError('unsupported', 'The API neither filters nor sorts.')
}

function requestOf(table: string, change: Change): Request {
	if (change.kind === 'insert') return { method: 'POST', path: `${pathOf(table)}/rows`, body: bodyOf(change.values) }
	const { version, rowId } = change
	const path = pathOf(table, rowId)
	if (change.kind === 'delete') return { method: 'DELETE', path, version }
	return { method: 'PATCH', path, version, body: bodyOf(change.set) }
}

function bodyOf(values: Extract<Change, { kind: 'insert' }>['values']): string {
	return stringifyJson(Object.fromEntries(Object.entries(values).map(([name, cell]) => [name, fromCell(cell) ?? null])))
}

const textOf = ({ method, path, body }: Request) => [`${method} ${path}`, ...(body ? [body] : [])].join('\n')

async function apply(client: Client, request: Request, { signal }: Call): Promise<ChangeOutcome> {
	try {
		const reply = await client.send(request, signal)
		if (reply.status === 412) return { status: 'conflict', message: 'The row was changed meanwhile.' }
		if (reply.status >= 400) return { status: 'failed', message: messageIn(reply) }
		if (request.method === 'DELETE') return { status: 'applied' }
		const { id, version } = read('row', reply)
		return { status: 'applied', rowId: id, version }
	} catch (error) {
		// The server may have done it before the connection was lost.
		if (isDriverError(error) && error.code === 'not_connected') return { status: 'unknown', message: error.message }
		throw error
	}
}

export default defineDriver({ connect: open })
