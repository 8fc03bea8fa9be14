import { randomUUID } from 'node:crypto'
import {
	type Assessment,
	type Call,
	type Completions,
	type Console,
	type ConsoleResult,
	DriverError,
	type Encoded,
	encodeWithRaw,
	isJsonObject,
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
import { readError } from '../transport/engine-error.ts'
import type { Version } from '../transport/product.ts'
import type { Reply } from '../transport/reply.ts'
import type { Transport } from '../transport/transport.ts'
import { assess } from './assess.ts'
import { bindParameters } from './bind.ts'
import { type JudgedRequest, judge } from './classify.ts'
import { complete } from './complete/complete.ts'
import { specificationOf } from './complete/specification.ts'
import { curlOf, readCurl } from './curl.ts'
import { formatText } from './format.ts'
import { grantTargetOf } from './grant-target.ts'
import { isLongTask, stopLongTask } from './long-task.ts'
import { readRequest } from './request.ts'
import { splitStatements } from './split.ts'
import { type Asked, viewOf } from './tabulate.ts'
import { warningsOf } from './warnings.ts'

const longestSummary = 1000

/** The REST console: method, path and body, as the engine's documentation writes them. */
export class RestConsole implements Console {
	readonly #transport: Transport
	readonly #catalog: Catalog
	readonly #version: Version

	constructor(transport: Transport, catalog: Catalog, version: Version) {
		this.#transport = transport
		this.#catalog = catalog
		this.#version = version
	}

	analyse(text: string): readonly Verdict[] {
		return splitStatements(text).map(({ start, end }) => ({ start, end, ...verdictOn(text.slice(start, end)) }))
	}

	assess(statement: Statement, call: Call): Promise<Assessment> {
		return assess(this.#transport, requestOf(statement), call.signal)
	}

	complete(text: string, offset: number, call: Call): Promise<Completions> {
		// A person is typing: names that come later than this come too late.
		const soon = AbortSignal.any([call.signal, AbortSignal.timeout(2_000)])
		return complete(text, offset, {
			specification: () => specificationOf(this.#version[0]),
			indices: async () => (await unlessRefused(this.#catalog.names(soon))) ?? [],
			mapping: async index => (index === '' ? undefined : unlessRefused(this.#catalog.smallMapping(index, soon))),
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
		return encodeWithRaw(await runRequest(this.#transport, requestOf(statement), options, call.signal))
	}
}

/** The request of a statement, with the verdict that came along. */
function requestOf({ text, access }: Statement): JudgedRequest {
	return { ...readRequest(text), access }
}

/** What is asked about a request before it may be sent; one that cannot be read is never sent. */
function verdictOn(statement: string): Omit<Verdict, 'start' | 'end'> {
	try {
		const request = judge(readRequest(statement))
		const { access } = request
		const grantTarget = access === 'write' ? grantTargetOf(request) : undefined
		const summary = `${request.method} /${request.path.segments.join('/')}`.slice(0, longestSummary)
		return { access, summary, ...(grantTarget !== undefined && { grantTarget }) }
	} catch (error) {
		if (!(error instanceof DriverError)) throw error
		const { code, message } = error
		return { access: 'destructive', summary: statement.slice(0, longestSummary), fault: { code, message } }
	}
}

/** Suggestions are no reason for an error: without the cluster's answer there are fewer. */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
	try {
		return await asked
	} catch (error) {
		if (error instanceof DriverError) return undefined
		throw error
	}
}

/**
 * Sends one request and shows its answer. An error of the engine is thrown, or shown with the words for it; a plain 404,
 * as of HEAD, is an answer.
 */
export async function runRequest(
	transport: Transport,
	request: JudgedRequest,
	{ maxRows, showsRefusals = false }: RunOptions,
	signal: AbortSignal,
): Promise<ConsoleResult> {
	const startedAt = performance.now()
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
	const reply = await transport.exchange(outgoing, signal).catch(async error => {
		throw opaqueId === undefined ? error : await stopLongTask(transport, opaqueId, error)
	})
	const tookMs = Math.round(performance.now() - startedAt)
	const head = { status: `${reply.status} ${reply.statusText}`.trim(), tookMs, sizeBytes: reply.bytes.length }
	const refusal = refusalOf(transport, reply)
	if (refusal) {
		if (!showsRefusals) throw refusal
		return { ...head, ...refused(refusal, transport.withoutSecrets(reply.text)) }
	}
	const answer = jsonOf(reply)
	const warnings = warningsOf(reply.headers)
	const raw = reply.bytes
	if (answer === undefined) return { ...head, notices: warnings, body: { view: 'text' }, raw }
	const { body, notices, panels } = viewOf(answer, maxRows, askedBy(request))
	const troubles = isJsonObject(answer) ? troublesOf(answer) : []
	const told = [...troubles, ...notices, ...warnings]
	return { ...head, notices: told, ...(panels.length > 0 && { panels }), body, raw }
}

function refusalOf(transport: Transport, reply: Reply): DriverError | undefined {
	if (reply.status >= 300 && (reply.status < 400 || reply.status === 401 || readError(reply.text).reason !== '')) {
		return transport.errorOf(reply)
	}
	return reply.status >= 500 ? new DriverError('query_failed', transport.errorOf(reply).message) : undefined
}

/** The engine repeats what it was sent, a credential among it. */
function refused(
	{ code, message }: DriverError,
	said: string,
): Pick<ConsoleResult, 'notices' | 'fault' | 'body' | 'raw'> {
	const view = isJson(said) ? 'json' : 'text'
	return { notices: [], fault: { code, message }, body: { view }, raw: Buffer.from(said) }
}

function isJson(text: string): boolean {
	try {
		parseJson(text)
		return true
	} catch {
		return false
	}
}

function askedBy({ path, body }: JudgedRequest): Asked {
	if (path.segments[0] !== '_query' || body === undefined) return {}
	const asked = parseJson(body)
	return { isColumnar: isJsonObject(asked) && asked.columnar === true }
}

/** `undefined` for plain text, as `_cat` answers unless it is asked for JSON. */
function jsonOf(reply: Reply): Json | undefined {
	if (!String(reply.headers['content-type'] ?? '').includes('json')) return undefined
	try {
		return parseJson(reply.text)
	} catch {
		// An answer that only claims to be JSON is shown as it is.
		return undefined
	}
}
