import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StartedFixture } from '@roundhouse/kit/conformance'

/** A small server with the API, for the conformance kit: one table, in memory. */

interface Row {
	readonly id: string
	readonly version: string
	readonly values: Readonly<Record<string, unknown>>
}

const token = 'a token of the tests'
const columns = [
	{ name: 'title', type: 'text' },
	{ name: 'pages', type: 'number' },
]

export async function startServer(): Promise<StartedFixture> {
	const books = new Map<string, Row>()
	let lastId = 0
	const put = (id: string, values: Row['values'], version = 1) => {
		const row = { id, version: String(version), values }
		books.set(id, row)
		return row
	}
	for (const title of ['Emma', 'Ulysses', 'Momo']) put(String(++lastId), { title, pages: 100 * lastId })

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
		const reply = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value))
		if (request.headers.authorization !== `Bearer ${token}`) return reply(401, 'The token is wrong.')
		const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
		const [, place, table, , id] = pathname.split('/').map(decodeURIComponent)
		// Answers when the client has gone.
		if (place === 'slow') return
		if (place === '') return reply(200, { product: 'Shelf', version: '1.0' })
		if (place !== 'tables') return reply(404, 'There is no such place.')
		if (table === undefined) return reply(200, [{ name: 'books', rowCount: books.size }])
		if (table !== 'books') return reply(404, `There is no table ${table}.`)
		const body: Buffer[] = await request.toArray()
		const values = body.length > 0 ? JSON.parse(Buffer.concat(body).toString('utf8')) : {}
		if (request.method === 'POST') return reply(201, put(String(++lastId), values))
		if (!pathname.includes('/rows')) return reply(200, { columns })
		if (id === undefined) {
			if (request.method === 'DELETE') books.clear()
			const [offset, limit] = ['offset', 'limit'].map(name => Number(searchParams.get(name) ?? 0))
			return reply(200, { total: books.size, rows: [...books.values()].slice(offset, (offset ?? 0) + (limit ?? 0)) })
		}
		const row = books.get(id)
		if (!row) return reply(404, `There is no book ${id}.`)
		const wanted = request.headers['if-match']
		if (wanted !== undefined && wanted !== row.version) return reply(412, 'The book has another version.')
		if (request.method === 'PATCH') return reply(200, put(id, { ...row.values, ...values }, Number(row.version) + 1))
		if (request.method === 'DELETE') books.delete(id)
		return reply(200, row)
	}

	const server = createServer((request, response) => {
		answer(request, response).catch(error => response.writeHead(400).end(JSON.stringify(String(error))))
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	// A TCP server that listens has a port.
	const { port } = server.address() as AddressInfo
	return {
		settings: { address: `127.0.0.1:${port}`, token },
		stop: async () => {
			server.closeAllConnections()
			server.close()
		},
	}
}
