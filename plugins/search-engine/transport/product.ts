import { DriverError, isJsonObject, type Json, type JsonObject, type ServerInfo } from '@roundhouse/kit'
import { oneLine } from './engine-words.ts'
import type { Reply } from './reply.ts'
import type { Transport } from './transport.ts'
import type { VectorHabit } from './whole-source.ts'

/** For example `[8, 13]` of `8.13.4`. */
export type Version = readonly [major: number, minor: number]

/** The certain properties of an engine: it has at least these. */
export interface Engine {
	readonly version: Version
	/** Whether it is the distribution of 7.x without X-Pack. */
	readonly isOpenSource: boolean
	/** Whether it is Elasticsearch Serverless, which offers a part of the API only. */
	readonly isServerless: boolean
}

/** The assumed engine before it has identified itself. */
export const leastEngine: Engine = { version: [7, 0], isOpenSource: true, isServerless: false }

export interface Product {
	readonly info: ServerInfo
	/** The version whose features are used. */
	readonly version: Version
	/** `false`: the credential may not read it, so it is assumed. */
	readonly isVersionKnown: boolean
	/** The engine for the classification of requests. */
	readonly engine: Engine
	/** The id of the cluster, if the node says it. */
	readonly clusterUuid: string | undefined
}

export function isAtLeast(version: Version, major: number, minor: number): boolean {
	return version[0] > major || (version[0] === major && version[1] >= minor)
}

/** A credential may not read the version of the cluster. */
export function vectorHabitOf({ version, isVersionKnown }: Pick<Product, 'version' | 'isVersionKnown'>): VectorHabit {
	if (!isVersionKnown) return 'unknown'
	return isAtLeast(version, 9, 2) ? 'left out' : 'kept'
}

/**
 * Identifies the cluster. Forks have almost the same API but differ in important places, so anything except
 * Elasticsearch 7 to 9 and Serverless is rejected by name; a later version is accepted with a notice. If a node accepts
 * the connection and does not answer within the connect timeout, the next one is tried.
 *
 * @throws DriverError with the texts of the contract
 */
export async function identify(transport: Transport, connectTimeoutMs: number, signal: AbortSignal): Promise<Product> {
	const request = {
		method: 'GET',
		path: '/',
		isRead: true,
		nodeLimitMs: connectTimeoutMs,
		identifies: true,
	} as const
	const product = productOf(await transport.exchange(request, signal), transport)
	if (mayBeOpenDistro(product)) await refuseOpenDistro(product, transport, signal)
	return product
}

/** Open Distro is made of the open source distribution up to 7.10, and has its answer to `GET /`. */
function mayBeOpenDistro({ engine }: Product): boolean {
	return engine.isOpenSource && !isAtLeast(engine.version, 7, 11)
}

/** @throws DriverError if the plugins are those of Open Distro. A credential that may not see them proves nothing. */
async function refuseOpenDistro({ info }: Product, transport: Transport, signal: AbortSignal): Promise<void> {
	const request = { method: 'GET', path: '/_cat/plugins', search: 'format=json&h=component', isRead: true } as const
	const reply = await transport.exchange(request, signal)
	if (reply.status !== 200) return
	const plugins = jsonOf(reply)
	if (!Array.isArray(plugins)) return
	if (plugins.some(plugin => isJsonObject(plugin) && /^opendistro/i.test(textOf(plugin.component)))) {
		throw unlike(`Open Distro ${info.version}`)
	}
}

/** Reads the answer of a node to `GET /`. @throws DriverError with the texts of the contract */
export function productOf(reply: Reply, transport: Pick<Transport, 'errorOf'>): Product {
	const saysElasticsearch = reply.headers['x-elastic-product'] === 'Elasticsearch'
	if (reply.status === 403 && saysElasticsearch) return withoutMonitorRight()
	if (reply.status === 401 || reply.status === 403) {
		const { message } = transport.errorOf(reply)
		throw new DriverError('denied', reply.status === 401 ? message : `Authentication failed: ${message}`)
	}
	if (reply.status >= 300) {
		const { message } = transport.errorOf(reply)
		throw refusal('not_connected', message.replace(/^Connection failed: |\.$/g, ''))
	}
	return check(jsonOf(reply), saysElasticsearch)
}

const isVersion = /^\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[A-Za-z0-9.+-]{1,40})?$/

function check(body: Json | undefined, saysElasticsearch: boolean): Product {
	const version = isJsonObject(body) && isJsonObject(body.version) ? body.version : undefined
	const number = textOf(version?.number)
	// Messages and prompts quote the version, so it must not contain any other text.
	if (!isJsonObject(body) || version === undefined || !isVersion.test(number)) {
		throw refusal('unsupported', 'this server is not Elasticsearch; check host, port and path')
	}
	const [major = 0, minor = 0] = number.split('.').map(Number)
	const fork = nameOfFork(body, version)
	if (fork !== undefined) throw unlike(`${fork} ${number}`)
	if (major < 7) throw refusal('unsupported', `this is Elasticsearch ${number}; 7.x and 8.x are supported`)
	if (isAtLeast([major, minor], 7, 14) && !saysElasticsearch) {
		throw refusal(
			'unsupported',
			`this server says ${number} but does not identify itself as Elasticsearch; forks are not supported`,
		)
	}
	if (version.build_flavor === 'serverless') return serverless(body)
	const notices =
		major > 9 ? [`Elasticsearch ${number} is newer than the versions that this driver supports (7.x to 9.x).`] : []
	const isOpenSource = lacksXpack(major, textOf(version.build_flavor))
	const engine: Engine = { version: [major, minor], isOpenSource, isServerless: false }
	const info = { product: 'Elasticsearch', version: number, notices }
	return {
		info,
		version: [major, minor],
		isVersionKnown: true,
		engine,
		clusterUuid: textOf(body.cluster_uuid) || undefined,
	}
}

/** Later than every version with a feature, so that each check of a version finds the feature. */
const evergreen: Version = [Number.POSITIVE_INFINITY, 0]

/**
 * Elastic updates Serverless continuously. Its number is for compatibility with clients only and says nothing about
 * features: 8.11.0 until 2026, then that of the next release.
 */
function serverless({ cluster_uuid: uuid }: JsonObject): Product {
	return {
		info: { product: 'Elasticsearch', version: 'Serverless', notices: [] },
		version: evergreen,
		isVersionKnown: true,
		engine: { version: evergreen, isOpenSource: false, isServerless: true },
		clusterUuid: textOf(uuid) || undefined,
	}
}

/** A 7.x without the flavor of the full distribution may lack X-Pack: `oss`, or a build from its jars. */
function lacksXpack(major: number, flavor: string): boolean {
	return major === 7 && flavor !== 'default'
}

/**
 * A credential limited to indices may not read `/`. The product header is sufficient proof; 7.14 is the first to send
 * it.
 */
function withoutMonitorRight(): Product {
	const notice = 'This credential may not read the version of the cluster; 8.x is assumed.'
	const engine: Engine = { version: [7, 14], isOpenSource: false, isServerless: false }
	return {
		info: { product: 'Elasticsearch', version: '8.x', notices: [notice] },
		version: [8, 0],
		isVersionKnown: false,
		engine,
		clusterUuid: undefined,
	}
}

function nameOfFork(body: JsonObject, version: JsonObject): string | undefined {
	const distribution = textOf(version.distribution)
	if (distribution !== '' && distribution !== 'elasticsearch') {
		return distribution === 'opensearch' ? 'OpenSearch' : anotherProduct(distribution)
	}
	const tagline = textOf(body.tagline)
	if (tagline === 'You Know, for Search') return undefined
	if (/opensearch/i.test(tagline)) return 'OpenSearch'
	return tagline === '' ? 'another product' : anotherProduct(tagline)
}

function anotherProduct(ownWords: string): string {
	return `another product ("${oneLine(ownWords).slice(0, 80).replaceAll('"', "'")}")`
}

function jsonOf(reply: Reply): Json | undefined {
	try {
		return reply.json()
	} catch {
		// Not JSON. `check` reports that this is not the engine.
		return undefined
	}
}

function textOf(value: Json | undefined): string {
	return typeof value === 'string' ? value : ''
}

function unlike(product: string): DriverError {
	return refusal('unsupported', `this is ${product}; only Elasticsearch 7.x and 8.x are supported`)
}

function refusal(code: 'unsupported' | 'not_connected', detail: string): DriverError {
	return new DriverError(code, `Connection failed: ${detail}.`)
}
