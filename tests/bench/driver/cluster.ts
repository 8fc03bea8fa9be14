import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The server of the driver's benchmark: answers like a cluster with one large index, from prepared text, so that the
 * measured time is the driver's. It runs as a separate process and prints its address.
 */

const fieldCount = 50
const totalRows = Number(process.argv[2])
const madeRows = 1_000

const printers: readonly ((row: number, field: number) => string)[] = [
	(row, field) => `"some text of document ${row} in field ${field}"`,
	(row, field) => `"word-${(row * field) % 97}"`,
	(row, field) => String(row * field),
	(row, field) => `90071992547409${10 + field}${row % 10}`,
	(row, field) => `${row}.${field % 4 === 0 ? '50' : '25'}`,
	row => `"2024-02-29T12:${String(row % 60).padStart(2, '0')}:30.000Z"`,
	row => String(row % 2 === 0),
	row => `["a","b${row}"]`,
	(row, field) => `"${(row * 7919 + field).toString(36)}"`,
	row => `{"lat":48.${(row % 9) + 1},"lon":11.5}`,
]
const types = ['text', 'keyword', 'integer', 'long', 'double', 'date', 'boolean', 'keyword', 'keyword', 'geo_point']

const fields = Array.from({ length: fieldCount }, (_, field) => field)
const properties = Object.fromEntries(fields.map(field => [`field_${field}`, { type: types[field % types.length] }]))
const sources = Array.from({ length: madeRows }, (_, row) => {
	return `{${fields.map(field => `"field_${field}":${printers[field % printers.length]?.(row, field)}`).join(',')}}`
})

function hits(from: number, size: number, isBare: boolean): string {
	const rows: string[] = []
	for (let row = from; row < Math.min(from + size, totalRows); row++) {
		const source = isBare ? '' : `"_source":${sources[row % madeRows]},`
		rows.push(
			`{"_index":"wide","_id":"${row}","_score":1.0,"_seq_no":${row},"_primary_term":1,${source}"sort":[${row}]}`,
		)
	}
	return `[${rows.join(',')}]`
}

interface Search {
	readonly from?: number
	readonly size?: number
	readonly search_after?: readonly number[]
	readonly _source?: boolean
}

function search({ from = 0, size = 10, search_after: after, _source }: Search): string {
	const start = after?.[0] === undefined ? from : after[0] + 1
	const total = `"total":{"value":${totalRows},"relation":"eq"},"max_score":1.0`
	return `{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"failed":0},"hits":{${total},"hits":${hits(start, size, _source === false)}},"pit_id":"view"}`
}

function answer(path: string, body: string): string {
	if (path === '/') return '{"version":{"number":"8.13.4"},"tagline":"You Know, for Search"}'
	if (path.startsWith('/wide/_mapping')) return JSON.stringify({ wide: { mappings: { properties } } })
	if (path.startsWith('/wide/_count')) return `{"count":${totalRows},"_shards":{"total":1,"failed":0}}`
	if (path.startsWith('/wide/_pit')) return '{"id":"view"}'
	if (path.startsWith('/_pit')) return '{"succeeded":true,"num_freed":1}'
	return search(JSON.parse(body === '' ? '{}' : body))
}

function send(response: ServerResponse, text: string) {
	const bytes = Buffer.from(text)
	response.writeHead(200, {
		'content-type': 'application/json',
		'x-elastic-product': 'Elasticsearch',
		'content-length': bytes.length,
	})
	response.end(bytes)
}

const server = createServer((request, response) => {
	let body = ''
	request.setEncoding('utf8')
	request.on('data', (chunk: string) => {
		body += chunk
	})
	request.on('end', () => send(response, answer(request.url ?? '/', body)))
})
server.listen(0, '127.0.0.1', () => {
	process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.on('disconnect', () => process.exit(0))
