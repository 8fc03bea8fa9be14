import { DriverError, isJsonObject, type Json, type JsonObject, type ServerInfo } from '@roundhouse/kit'
import type { Reply } from './reply.ts'
import type { Transport } from './transport.ts'

/** `[8, 13]` of `8.13.4`. */
export type Version = readonly [major: number, minor: number]

export interface Product {
	readonly info: ServerInfo
	readonly version: Version
}

export function isAtLeast(version: Version, major: number, minor: number): boolean {
	return version[0] > major || (version[0] === major && version[1] >= minor)
}

/**
 * Asks the cluster what it is. Forks speak almost the same language and differ where it hurts, so anything but
 * Elasticsearch 7 and 8 is named and refused; 9 is let in with a notice. A node that takes the connection and says
 * nothing is left for the next one after the connect timeout.
 *
 * @throws DriverError with the texts of the contract.
 */
export async function identify(transport: Transport, connectTimeoutMs: number, signal: AbortSignal): Promise<Product> {
	const request = { method: 'GET', path: '/', isRead: true, nodeLimitMs: connectTimeoutMs } as const
	const reply = await transport.exchange(request, signal)
	const saysElasticsearch = reply.headers['x-elastic-product'] === 'Elasticsearch'
	if (reply.status === 403 && saysElasticsearch) return withoutMonitorRight()
	if (reply.status === 401 || reply.status === 403) {
		const { message } = transport.errorOf(reply)
		throw new DriverError('denied', reply.status === 401 ? message : `Authentication failed: ${message}`)
	}
	if (reply.status >= 300) {
		const { message } = transport.errorOf(reply)
		throw refusal('not_connected', message.replace(/^Connection failed: /, ''))
	}
	return check(jsonOf(reply), saysElasticsearch)
}

function check(body: Json | undefined, saysElasticsearch: boolean): Product {
	const version = isJsonObject(body) && isJsonObject(body.version) ? body.version : undefined
	const number = textOf(version?.number)
	if (!isJsonObject(body) || version === undefined || number === '') {
		throw refusal('unsupported', 'this server is not Elasticsearch; check host, port and path')
	}
	const [major = 0, minor = 0] = number.split('.').map(Number)
	const fork = nameOfFork(body, version)
	if (fork !== undefined)
		throw refusal('unsupported', `this is ${fork} ${number}; only Elasticsearch 7.x and 8.x are supported`)
	if (major < 7) throw refusal('unsupported', `this is Elasticsearch ${number}; 7.x and 8.x are supported`)
	if (isAtLeast([major, minor], 7, 14) && !saysElasticsearch) {
		throw refusal(
			'unsupported',
			`this server says ${number} but does not identify itself as Elasticsearch; forks are not supported`,
		)
	}
	const notices =
		major > 8 ? [`Elasticsearch ${number} is newer than the versions that this driver is made for (7.x and 8.x).`] : []
	return { info: { product: 'Elasticsearch', version: number, notices }, version: [major, minor] }
}

/** An index-only credential may not read `/`. The product header is proof enough; 7.14 is the first to send it. */
function withoutMonitorRight(): Product {
	const notice = 'This credential may not read the version of the cluster; 8.x is assumed.'
	return { info: { product: 'Elasticsearch', version: '8.x', notices: [notice] }, version: [8, 0] }
}

function nameOfFork(body: JsonObject, version: JsonObject): string | undefined {
	const distribution = textOf(version.distribution)
	if (distribution !== '' && distribution !== 'elasticsearch') {
		return distribution === 'opensearch' ? 'OpenSearch' : distribution
	}
	const tagline = textOf(body.tagline)
	if (tagline === 'You Know, for Search') return undefined
	if (/opensearch/i.test(tagline)) return 'OpenSearch'
	return tagline === '' ? 'another product' : `another product ("${tagline.slice(0, 80)}")`
}

function jsonOf(reply: Reply): Json | undefined {
	try {
		return reply.json()
	} catch {
		// Not JSON: `check` says that this is not the engine.
		return undefined
	}
}

function textOf(value: Json | undefined): string {
	return typeof value === 'string' ? value : ''
}

function refusal(code: 'unsupported' | 'not_connected', detail: string): DriverError {
	return new DriverError(code, `Connection failed: ${detail}.`)
}
