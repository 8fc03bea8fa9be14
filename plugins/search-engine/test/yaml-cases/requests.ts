/** How the calls of the cases become requests. */

export interface Request {
	readonly method: string
	/** With its query. */
	readonly path: string
	readonly body: string | undefined
}

/** The case cannot be run here. */
export class NotRunnable extends Error {}

export type Args = Readonly<Record<string, unknown>>

/** Returns the request of a call such as `indices.create`. @throws NotRunnable */
export type RequestOf = (name: string, args: Args) => Promise<Request>

/** An API of the specification, as far as requests need it. */
export interface Api {
	readonly paths: readonly {
		readonly path: string
		readonly methods: readonly string[]
		readonly parts?: Readonly<Record<string, unknown>>
	}[]
	/** Whether its body is lines of JSON. */
	readonly isBulk: boolean
}

/** Returns the request of a call by a specification: the path with the most given parts, and the rest as its query. */
export function specified(apis: ReadonlyMap<string, Api>): RequestOf {
	return async (name, { body, ignore: _, ...given }) => {
		const api = apis.get(name)
		if (!api) throw new NotRunnable(`API ${name}`)
		const partsOf = (parts: object = {}) => Object.keys(parts)
		const [found] = api.paths
			.filter(({ parts }) => partsOf(parts).every(part => given[part] !== undefined))
			.sort((a, b) => partsOf(b.parts).length - partsOf(a.parts).length)
		if (!found) throw new NotRunnable(`API ${name} without its parts`)
		const used = new Set(partsOf(found.parts))
		const path = found.path.replace(/\{(\w+)\}/g, (_match, part) => encodeURIComponent(listed(given[part])))
		const query = Object.entries(given).filter(([key]) => !used.has(key))
		const method = found.methods.includes('POST') && body !== undefined ? 'POST' : (found.methods[0] ?? 'GET')
		return {
			method: found.methods.includes('PUT') && method === 'POST' && name !== 'index' ? 'PUT' : method,
			path: path + searchOf(name, query),
			body: body === undefined || body === null ? undefined : textOf(body, api.isBulk),
		}
	}
}

/** What the official client hands to its transport. */
interface ClientRequest {
	readonly method: string
	readonly path: string
	readonly querystring?: Args
	readonly body?: unknown
	readonly bulkBody?: unknown
}

/** Returns requests as the official client of this major version makes them. They are not sent. */
export async function officialClient(major: number): Promise<RequestOf> {
	const { Client } = await import(`elasticsearch-${major}`)
	const client = new Client({ node: 'http://127.0.0.1:9' })
	let made: ClientRequest | undefined
	client.transport.request = async (request: ClientRequest) => {
		made = request
	}
	return async (name, { ignore: _, ...args }) => {
		const path = name.split('.').map(part => part.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()))
		const namespace = path.length > 1 ? client[path[0] ?? ''] : client
		if (typeof namespace?.[path.at(-1) ?? ''] !== 'function') throw new NotRunnable(`API ${name}`)
		made = undefined
		await namespace[path.at(-1) ?? '']({ ...args })
		if (made === undefined) throw new NotRunnable(`API ${name} makes no request`)
		const { method, path: url, querystring = {}, body, bulkBody }: ClientRequest = made
		const sent = bulkBody ?? body
		return {
			method,
			path: url + searchOf(name, Object.entries(querystring)),
			body: sent === undefined || sent === null || sent === '' ? undefined : textOf(sent, bulkBody !== undefined),
		}
	}
}

/** Returns the query with its question mark. */
function searchOf(name: string, given: readonly (readonly [string, unknown])[]): string {
	const query = new URLSearchParams(given.map(([key, value]) => [key, listed(value)]))
	// The driver asks for JSON, which it shows as rows. The cases read text.
	if (name.startsWith('cat.') && !query.has('format')) query.set('format', 'text')
	// A space as `%20`: the console reads a plus as a plus.
	return query.size > 0 ? `?${String(query).replaceAll('+', '%20')}` : ''
}

const listed = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))

function textOf(body: unknown, isBulk: boolean): string {
	if (!isBulk) return typeof body === 'string' ? body : JSON.stringify(body)
	const lines = Array.isArray(body) ? body : String(body).split('\n')
	return `${lines
		.map(line => (typeof line === 'string' ? line.trim() : JSON.stringify(line)))
		.filter(line => line !== '')
		.join('\n')}\n`
}
