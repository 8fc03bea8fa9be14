import { randomUUID } from 'node:crypto'
import {
	type Assessment,
	type Call,
	type Completions,
	type Console,
	type ConsoleResult,
	DriverError,
	describeEffect,
	type Effect,
	type Encoded,
	encode,
	encodeWithRaw,
	faultOf,
	isJsonObject,
	isWithinEffect,
	type Json,
	type ParameterValue,
	type Pasted,
	parseJson,
	type RunOptions,
	type Statement,
	type Verdict,
} from '@roundhouse/kit'
import { troublesOf } from '../grid/page.ts'
import type { Catalog } from '../mapping/catalog.ts'
import { type CountTop, frequentValues } from '../query/frequent-values.ts'
import type { ClusterConnection } from '../transport/cluster-connection.ts'
import type { ClusterIdentity } from '../transport/cluster-identity.ts'
import { errorPosition, queryErrorPosition, readError } from '../transport/engine-error.ts'
import { named, quoted } from '../transport/engine-words.ts'
import type { Engine, Version } from '../transport/product.ts'
import type { Reply } from '../transport/reply.ts'
import type { Transport } from '../transport/transport.ts'
import { assess, withLookUps } from './assess.ts'
import { bindParameters } from './bind.ts'
import { bulkActions } from './bulk-actions.ts'
import { catTable } from './cat-table.ts'
import { type ClassifiedRequest, classifyRequest } from './classify.ts'
import { complete } from './complete/complete.ts'
import { LiveWords } from './complete/live-words.ts'
import { specificationOf } from './complete/specification.ts'
import { curlOf, readCurl } from './curl.ts'
import { destructionReason } from './destruction-reason.ts'
import { canFollow, followTask, isMergeTask, outcomeNotices } from './followed-task.ts'
import { formatText } from './format.ts'
import { grantOf } from './grant-target.ts'
import { isLongTask, stopLongTask } from './long-task.ts'
import { untried } from './losses.ts'
import { offsetInQuery, offsetInStatement, readRequest } from './request.ts'
import { splitStatements } from './split.ts'
import { type RequestProperties, viewOf } from './tabulate.ts'
import { warningsOf } from './warnings.ts'

const longestSummary = 1000

interface ConsoleCluster {
	readonly catalog: Catalog
	/** The version whose paths and parameters are offered. */
	readonly version: Version
	readonly identity: ClusterIdentity
	readonly topOf: (table: string, call: Call) => CountTop
}

/** The REST console: method, path and body, in the syntax of the engine's documentation. */
export class RestConsole implements Console {
	readonly #transport: Transport
	readonly #catalog: Catalog
	readonly #identity: ClusterIdentity
	readonly #version: Version
	readonly #live: LiveWords
	readonly #topOf: ConsoleCluster['topOf']

	constructor(transport: Transport, { catalog, version, identity, topOf }: ConsoleCluster) {
		this.#transport = transport
		this.#catalog = catalog
		this.#version = version
		this.#live = new LiveWords(transport)
		this.#identity = identity
		this.#topOf = topOf
	}

	get #cluster(): ClusterConnection {
		return { transport: this.#transport, engine: this.#identity.engine }
	}

	analyse(text: string): readonly Verdict[] {
		return splitStatements(text).map(({ start, end }) => ({
			start,
			end,
			...verdictOn(text.slice(start, end), this.#identity.engine),
		}))
	}

	assess(statement: Statement, call: Call): Promise<Assessment> {
		const request = requestOf(statement)
		return withLookUps(this.#cluster, call, lookUps => assess(lookUps, request, this.#identity.engine))
	}

	complete(text: string, offset: number, call: Call): Promise<Completions> {
		// The user is typing, so later names are useless.
		const soon = AbortSignal.any([call.signal, AbortSignal.timeout(2_000)])
		const mapping = (index: string) =>
			orUndefined(
				/^$|[*,]|^_all$/.test(index) ? this.#catalog.smallFields(index, soon) : this.#catalog.smallMapping(index, soon),
			)
		return complete(text, offset, {
			specification: () => specificationOf(this.#identity.engine.isServerless ? 'serverless' : this.#version[0]),
			version: this.#version,
			indices: async () => (await orUndefined(this.#catalog.names(soon))) ?? [],
			sources: async () => (await orUndefined(this.#catalog.sources(soon))) ?? [],
			mapping,
			catColumns: async table => (await orUndefined(this.#live.catColumns(table, soon))) ?? [],
			clusterSettings: async () => (await orUndefined(this.#live.clusterSettings(soon))) ?? [],
			values: async (table, field, word) => {
				const known = await mapping(table)
				if (known === undefined) return []
				const top = this.#topOf(table, { ...call, signal: soon })
				return (await orUndefined(frequentValues(field, word, { mapping: known, top }))) ?? []
			},
		})
	}

	format(text: string): string {
		return formatText(text)
	}

	copyAs({ text }: Statement): string {
		return curlOf(readRequest(text), this.#transport.address, this.#transport.hasAuthorization)
	}

	readPasted(text: string): Pasted | undefined {
		return readCurl(text)
	}

	bindParameters(text: string, values: Readonly<Record<string, ParameterValue>>): string {
		return bindParameters(text, values)
	}

	async run(statement: Statement, options: RunOptions, call: Call): Promise<Encoded<ConsoleResult>> {
		const exceeded = options.within && (await this.#exceeding(options.within, statement, call))
		if (exceeded !== undefined)
			return encode<ConsoleResult>({ status: '', tookMs: 0, notices: [], exceeded, body: { view: 'text', text: '' } })
		return encodeWithRaw(await runRequest(this.#cluster, { statement, ...options }, call))
	}

	/** Looks once more what a request changes, because nothing rolls it back. @returns why it is not sent */
	async #exceeding(within: Effect, statement: Statement, call: Call): Promise<string | undefined> {
		const { effect } = await this.assess(statement, call)
		if (effect === undefined) return untried.matches
		return isWithinEffect(effect, within) ? undefined : `Now it ${describeEffect(effect)}.`
	}
}

/** Returns the request of a statement, with its verdict. */
function requestOf({ text, access }: Statement): ClassifiedRequest {
	return { ...readRequest(text), access }
}

/** Returns the verdict on a request. A request that cannot be parsed is never sent. */
function verdictOn(statement: string, engine: Engine): Omit<Verdict, 'start' | 'end'> {
	try {
		const request = classifyRequest(readRequest(statement), engine)
		const { access } = request
		const grant = access === 'write' ? grantOf(request) : undefined
		const summary = `${request.method} /${request.path.segments.map(segmentShown).join('/')}${otherIndices(request)}`
		const reason = destructionReason(request)
		return {
			access,
			summary: summary.slice(0, longestSummary),
			...(reason !== undefined && { reason }),
			...(grant && { grant }),
		}
	} catch (error) {
		if (!(error instanceof DriverError)) throw error
		return { access: 'destructive', summary: statement.slice(0, longestSummary), fault: faultOf(error) }
	}
}

/** Indices that are listed by name. */
const listedIndices = 10

/** Names the indices that the lines of a bulk request write beside that of its path: a long text may be shown in part. */
function otherIndices({ path, body }: ClassifiedRequest): string {
	if (path.segments.at(-1) !== '_bulk' || body === undefined) return ''
	const inLines = bulkActions(body)?.flatMap(({ metadata }) => metadata._index ?? []) ?? []
	const others = [...new Set(inLines.map(String))].filter(name => name !== path.segments[0])
	if (others.length === 0) return ''
	const more = others.length > listedIndices ? ` and ${others.length - listedIndices} more` : ''
	return `, also writes ${others.slice(0, listedIndices).map(named).join(', ')}${more}`
}

/** Returns a segment in its encoded spelling if it could be read as a part of a sentence, or as several segments. */
function segmentShown(segment: string): string {
	const isPlain = named(segment) === segment && (!segment.includes('/') || /^<.*>$/.test(segment))
	return isPlain ? segment : encodeURIComponent(segment)
}

/** A rejection means fewer completions, not an error. */
async function orUndefined<T>(asked: Promise<T>): Promise<T | undefined> {
	try {
		return await asked
	} catch (error) {
		if (error instanceof DriverError) return undefined
		throw error
	}
}

/**
 * Sends one request and shows its answer. An error of the engine is thrown, or shown with its message. A plain 404, for
 * example of HEAD, is an answer.
 */
async function runRequest(
	cluster: ClusterConnection,
	{ statement, maxRows, showsRefusals = false }: RunOptions & { readonly statement: Statement },
	call: Call,
): Promise<ConsoleResult> {
	const { signal } = call
	const { transport } = cluster
	const startedAt = performance.now()
	const request = requestOf(statement)
	const { pathname, search } = request.path
	const text = request.body
	const opaqueId = isLongTask(request) ? randomUUID() : undefined
	const outgoing = {
		method: request.method,
		path: pathname,
		search,
		...(text !== undefined && { text }),
		...(opaqueId !== undefined && { opaqueId }),
		isRead: request.access === 'read',
	}
	// A person sees its progress. A client that waits for an answer gets it from the request itself.
	const isTask = opaqueId !== undefined || isMergeTask(cluster.engine, request)
	const isFollowed = isTask && showsRefusals && (await canFollow(cluster, search, signal))
	const sending = isFollowed ? followTask(cluster, outgoing, call) : transport.exchange(outgoing, signal)
	const reply = await sending.catch(async error => {
		throw opaqueId === undefined ? error : await stopLongTask(cluster, opaqueId, error)
	})
	const tookMs = Math.round(performance.now() - startedAt)
	const head = { status: `${reply.status} ${reply.statusText}`.trim(), tookMs, sizeBytes: reply.bytes.length }
	const refusal = refusalOf(transport, reply)
	if (refusal) {
		const at = faultPlace(statement.text, reply)
		const fault = new DriverError(refusal.code, refusal.message, {
			...faultOf(refusal),
			...(at !== undefined && { at }),
		})
		if (!showsRefusals) throw fault
		return { ...head, ...refused(fault, transport.withoutSecrets(reply.text)) }
	}
	const answer = jsonOf(reply)
	const warnings = warningsOf(reply.headers).map(text => `The server warns: ${quoted(text)}`)
	const raw = reply.bytes
	if (answer === undefined) {
		const table = hasTextTable(request) ? catTable(reply.text, maxRows) : undefined
		return { ...head, notices: warnings, body: table ?? { view: 'text' }, raw }
	}
	const { body, notices, panels, beside = [] } = viewOf(answer, maxRows, askedBy(request))
	const troubles = isJsonObject(answer) ? troublesOf(answer) : []
	const outcome = opaqueId !== undefined && showsRefusals && isJsonObject(answer) ? outcomeNotices(answer) : []
	const allNotices = [...outcome, ...troubles, ...notices, ...warnings]
	const parts = beside.length > 0 && {
		title: 'Hits',
		more: beside.map(part => ({ status: head.status, ...part })),
	}
	return { ...head, notices: allNotices, ...(panels.length > 0 && { panels }), body, raw, ...parts }
}

/** Returns the offset in the statement of the error that the engine found, if it says where. */
function faultPlace(text: string, reply: Reply): number | undefined {
	const inQuery = queryErrorPosition(reply.text)
	const at = inQuery && offsetInQuery(text, inQuery.line, inQuery.column)
	const inBody = errorPosition(reply.text)
	return at ?? (inBody && offsetInStatement(text, inBody.line, inBody.column))
}

/** Returns whether the request asks for a table of text with a header line. */
function hasTextTable({ path }: ClassifiedRequest): boolean {
	const header = new URLSearchParams(path.search).get('v')
	return path.segments[0] === '_cat' && header !== null && header !== 'false'
}

function refusalOf(transport: Transport, reply: Reply): DriverError | undefined {
	if (reply.status >= 300 && (reply.status < 400 || reply.status === 401 || readError(reply.text).reason !== '')) {
		return transport.errorOf(reply)
	}
	return reply.status >= 500 ? new DriverError('query_failed', transport.errorOf(reply).message) : undefined
}

/** Redacts, because the engine repeats what it received, including a credential. */
function refused(fault: DriverError, said: string): Pick<ConsoleResult, 'notices' | 'fault' | 'body' | 'raw'> {
	const view = isJson(said) ? 'json' : 'text'
	return { notices: [], fault: faultOf(fault), body: { view }, raw: Buffer.from(said) }
}

function isJson(text: string): boolean {
	try {
		parseJson(text)
		return true
	} catch {
		return false
	}
}

function askedBy({ path, body }: ClassifiedRequest): RequestProperties {
	if (path.segments[0] !== '_query' || body === undefined) return {}
	const asked = parseJson(body)
	return { isColumnar: isJsonObject(asked) && asked.columnar === true }
}

/** Returns `undefined` for plain text, which `_cat` returns unless JSON is requested. */
function jsonOf(reply: Reply): Json | undefined {
	if (!String(reply.headers['content-type'] ?? '').includes('json')) return undefined
	try {
		return parseJson(reply.text)
	} catch {
		// An answer that only claims to be JSON is shown unchanged.
		return undefined
	}
}
