import { DriverError, type Json, rawText, stringifyJson, type ToolHandler } from '@roundhouse/kit'
import { judge } from '../console/classify.ts'
import { makeRequest } from '../console/request.ts'
import { runRequest } from '../console/rest-console.ts'
import { answer, connectionOf, required } from './arguments.ts'

const maxRows = 500

/**
 * Any REST request that the console would run, except destructive ones: the host asks for consent by what the manifest
 * says of a tool, and this one says `write`.
 */
export const restRequest: ToolHandler = async (args, call) => {
	const request = judge(makeRequest(required(args, 'method'), required(args, 'path'), bodyText(args.body)))
	if (request.access === 'destructive') {
		throw new DriverError('denied', 'This request is destructive. Use confirm_destructive_operation for it.')
	}
	const result = await runRequest(connectionOf(call).transport, request, { maxRows }, call.signal)
	const { status, tookMs, notices, body } = result
	const shown = body.view === 'rows' ? body : { view: body.view, [body.view]: rawText(result) }
	// A console body is plain JSON; its interface only lacks the index signature.
	return answer({ status, took_ms: tookMs, notices, body: shown as unknown as Json })
}

/** Text is taken as it is, for NDJSON; anything else is printed. */
function bodyText(body: Json | undefined): string {
	return typeof body === 'string' ? body : body === undefined ? '' : stringifyJson(body)
}
