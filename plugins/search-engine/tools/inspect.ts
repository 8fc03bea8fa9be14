import { isJsonObject, type Json, type JsonObject, type ToolHandler } from '@roundhouse/kit'
import { objectOf } from '../transport/answer.ts'
import { pathOf } from '../transport/request-path.ts'
import { NotOffered } from '../transport/serverless.ts'
import { answer, connectionOf, required, textOf } from './arguments.ts'

/** Tools that inspect the cluster and its indices. */

export const getMapping: ToolHandler = async (args, call) => {
	const path = `${pathOf(required(args, 'index'))}/_mapping`
	const reply = await connectionOf(call).transport.send({ method: 'GET', path, isRead: true }, call.signal)
	return answer(objectOf(reply.json()))
}

export const clusterHealth: ToolHandler = async (args, call) => {
	const { transport, engine } = connectionOf(call)
	if (engine.isServerless) throw new NotOffered()
	const index = textOf(args, 'index')
	const path = index === undefined ? '/_cluster/health' : `/_cluster/health${pathOf(index)}`
	const reply = await transport.send({ method: 'GET', path, isRead: true }, call.signal)
	return answer(objectOf(reply.json()))
}

/** Lists aliases and data streams, because the list of tables does not include them. */
export const listAliases: ToolHandler = async (_args, call) => {
	const { transport } = connectionOf(call)
	const aliases = await transport.send({ method: 'GET', path: '/_alias', isRead: true }, call.signal)
	const streams = await transport.exchange({ method: 'GET', path: '/_data_stream', isRead: true }, call.signal)
	return answer({
		aliases: aliasesOf(objectOf(aliases.json())),
		// Data streams exist since 7.9 and require a separate privilege. Without either, there are none to list.
		data_streams: streams.status === 200 ? streamsOf(objectOf(streams.json())) : [],
	})
}

export const analyze: ToolHandler = async (args, call) => {
	const index = textOf(args, 'index')
	const body: JsonObject = {
		text: required(args, 'text'),
		...only('analyzer', textOf(args, 'analyzer')),
		...only('field', textOf(args, 'field')),
	}
	const path = index === undefined ? '/_analyze' : `${pathOf(index)}/_analyze`
	const reply = await connectionOf(call).transport.send({ method: 'POST', path, body, isRead: true }, call.signal)
	return answer(objectOf(reply.json()))
}

function aliasesOf(answered: JsonObject): Json[] {
	const pairs = Object.entries(answered).flatMap(([index, entry]) =>
		Object.keys(isJsonObject(entry) ? objectOf(entry.aliases) : {}).map(alias => ({ alias, index })),
	)
	const groups = Map.groupBy(
		pairs.filter(({ alias }) => !alias.startsWith('.')),
		({ alias }) => alias,
	)
	return [...groups].map(([name, members]) => ({ name, indices: members.map(({ index }) => index) }))
}

function streamsOf({ data_streams: streams }: JsonObject): Json[] {
	return (Array.isArray(streams) ? streams : []).filter(isJsonObject).map(stream => ({
		name: stream.name ?? null,
		indices: (Array.isArray(stream.indices) ? stream.indices : [])
			.filter(isJsonObject)
			.map(index => index.index_name ?? null),
	}))
}

function only(key: string, value: string | undefined): JsonObject {
	return value === undefined ? {} : { [key]: value }
}
