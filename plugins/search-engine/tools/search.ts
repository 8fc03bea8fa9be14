import type { Json, JsonObject, ToolHandler } from '@roundhouse/kit'
import { aggregationRows } from '../console/aggregation-rows.ts'
import { readDocument } from '../edit/read-document.ts'
import { foundIn, troublesOf } from '../grid/page.ts'
import { encodeRowId, rowKeyOf } from '../grid/row-id.ts'
import { objectOf } from '../transport/answer.ts'
import { pathOf } from '../transport/request-path.ts'
import { answer, connectionOf, listOf, queryOf, required, textOf } from './arguments.ts'

/** Tools that read documents. */

export const getDocument: ToolHandler = async (args, call) => {
	const routing = textOf(args, 'routing')
	const key = { index: required(args, 'index'), id: required(args, 'id'), ...(routing !== undefined && { routing }) }
	const { answer: read } = await readDocument(connectionOf(call), key, call.signal)
	const { found: _, ...document } = read
	return answer(document as JsonObject)
}

export const search: ToolHandler = async (args, call) => {
	const [fields, sort] = [listOf(args, 'fields'), listOf(args, 'sort')]
	const body: JsonObject = {
		...queryOf(args),
		size: args.size ?? 20,
		...(args.from !== undefined && { from: args.from }),
		...(sort !== undefined && { sort }),
		...(fields && { _source: { includes: fields } }),
	}
	const slips = await slipsIn(args, call)
	// With vectors: a client that writes back an array of objects would drop those that it did not see.
	const answered = await send(required(args, 'index'), body, call, true)
	const { hits, total, notices: ofAnswer } = foundIn(answered)
	const notices = [...slips, ...ofAnswer]
	return answer({
		total: { value: total?.value ?? 0, is_exact: total?.isExact ?? false },
		hits: hits.map(hit => ({ row_id: encodeRowId(rowKeyOf(hit)), ...hit })),
		...(notices.length > 0 && { notices }),
	})
}

export const aggregate: ToolHandler = async (args, call) => {
	const body: JsonObject = { ...queryOf(args), size: 0, aggs: args.aggs ?? {} }
	const slips = await slipsIn(args, call)
	const answered = await send(required(args, 'index'), body, call)
	const aggregations = objectOf(answered.aggregations)
	const found = aggregationRows(aggregations)
	const rows = found?.rows.map(row => {
		return Object.fromEntries<Json>([...row].map(([name, value]) => [name, value ?? null]))
	})
	const notices = [...slips, ...troublesOf(answered), ...(found?.notices ?? [])]
	return answer({ ...(rows === undefined ? { aggregations } : { rows }), ...(notices.length > 0 && { notices }) })
}

/**
 * Returns notices about a query in Lucene syntax that the engine reads otherwise than it is probably meant.
 *
 * @throws DriverError `invalid_argument` for an error of syntax
 */
async function slipsIn(args: JsonObject, call: Parameters<ToolHandler>[1]): Promise<readonly string[]> {
	const text = textOf(args, 'query_string')
	return text === undefined ? [] : connectionOf(call).slipsOf(required(args, 'index'), text, call)
}

async function send(
	index: string,
	body: JsonObject,
	call: Parameters<ToolHandler>[1],
	isWhole = false,
): Promise<JsonObject> {
	const path = `${pathOf(index)}/_search`
	const request = { method: 'POST', path, body, isRead: true, isWhole } as const
	const reply = await connectionOf(call).transport.send(request, call.signal)
	return objectOf(reply.json())
}
