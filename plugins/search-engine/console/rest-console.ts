import { randomUUID } from 'node:crypto'
import {
	type Assessment,
	type Call,
	type Completions,
	type Console,
	type ConsoleResult,
	DriverError,
	type Encoded,
	encode,
	isJsonObject,
	type Json,
	parseJson,
	type Statement,
	type Verdict,
} from '@roundhouse/kit'
import { troublesOf } from '../grid/page.ts'
import type { Catalog } from '../mapping/catalog.ts'
import { readError } from '../transport/engine-error.ts'
import type { Version } from '../transport/product.ts'
import type { Reply, Transport } from '../transport/transport.ts'
import { assess } from './assess.ts'
import { type JudgedRequest, judge } from './classify.ts'
import { complete } from './complete/complete.ts'
import { specificationOf } from './complete/specification.ts'
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

	async run(statement: Statement, options: { readonly maxRows: number }, call: Call): Promise<Encoded<ConsoleResult>> {
		return encode(await runRequest(this.#transport, requestOf(statement), options.maxRows, call.signal))
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

/** Sends one request and shows its answer. An error of the engine is thrown; a plain 404, as of HEAD, is an answer. */
export async function runRequest(
	transport: Transport,
	request: JudgedRequest,
	maxRows: number,
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
	if (reply.status >= 300 && (reply.status < 400 || reply.status === 401 || readError(reply.text).reason !== '')) {
		throw transport.errorOf(reply)
	}
	if (reply.status >= 500) throw new DriverError('query_failed', transport.errorOf(reply).message)
	const status = `${reply.status} ${reply.statusText}`.trim()
	const answer = jsonOf(reply)
	const warnings = warningsOf(reply.headers)
	if (answer === undefined) return { status, tookMs, notices: warnings, body: { view: 'text', text: reply.text } }
	const { body, notices, panels } = viewOf(answer, maxRows, askedBy(request))
	const troubles = isJsonObject(answer) ? troublesOf(answer) : []
	const told = [...troubles, ...notices, ...warnings]
	return { status, tookMs, notices: told, ...(panels.length > 0 && { panels }), body }
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
