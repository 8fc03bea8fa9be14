import { type ContentBlock, isJsonObject, type JsonObject } from '@roundhouse/kit'
import { requireTool } from '../../access/authorization.ts'
import { requireGroup } from '../../access/groups.ts'
import type { RequestStates } from '../../consent/request-state.ts'
import { firstRound, isRepeated, type Round, readInputResponses, resume } from '../../consent/rounds.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Method } from '../../protocol/method.ts'
import { complete, type Outcome } from '../../protocol/outcome.ts'
import { outgoingText, quotedInput } from '../../protocol/outgoing-text.ts'
import { driverFailure } from '../framework/driver-failure.ts'
import type { Tool, ToolOutcome } from '../framework/tool.ts'
import type { ToolRegistry } from './tool-registry.ts'

export function toolsCall(registry: ToolRegistry, states: RequestStates, onFault: (error: unknown) => void): Method {
	return {
		eras: ['modern', 'legacy'],
		handle: (params, call) => {
			const tool = findTool(registry, params)
			requireTool(call.caller, tool.access)
			requireGroup(call.caller, tool.name, tool.group)
			readInputResponses(params)
			// The request state is checked before the arguments. If a state is present, invalid arguments mean that the
			// client changed the arguments between rounds.
			const run = (round: Round) => tool.prepare(readArguments(params), call)(round)
			const fail = (error: unknown): Outcome => complete(toolError(error, onFault))
			try {
				const outcome = isRepeated(params) ? resume(states, params, call).then(run) : run(firstRound(params, call))
				return outcome instanceof Promise ? outcome.then(toOutcome).catch(fail) : toOutcome(outcome)
			} catch (error) {
				return fail(error)
			}
		},
	}
}

/** @throws ProtocolError `invalid_params` */
function findTool(registry: ToolRegistry, { name }: JsonObject): Tool {
	if (typeof name !== 'string') throw new ProtocolError('invalid_params', '`name` is the name of a tool.')
	const tool = registry.find(name)
	if (tool) return tool
	const message = `There is no tool "${quotedInput(name)}". \`tools/list\` shows those you may call.`
	throw new ProtocolError('invalid_params', message)
}

/** @throws ProtocolError `invalid_params` */
function readArguments(params: JsonObject): JsonObject {
	const args = params.arguments ?? {}
	if (params.arguments === null || !isJsonObject(args)) {
		throw new ProtocolError('invalid_params', '`arguments` is an object.')
	}
	return args
}

function toOutcome(outcome: ToolOutcome): Outcome {
	if ('kind' in outcome) return outcome
	const { structuredContent, isError } = outcome
	return complete({
		content: isError ? outcome.content.map(redactBlock) : outcome.content,
		...(structuredContent !== undefined && { structuredContent }),
		...(isError !== undefined && { isError }),
	})
}

/** Redacts the text of a failed result. For other results, the result encoding removes only secrets. */
function redactBlock(block: ContentBlock): ContentBlock {
	return typeof block.text === 'string' ? { ...block, text: outgoingText(block.text) } : block
}

/**
 * Contract, "Tool error result": a failure of the database is a result whose text starts with a code. Protocol errors
 * are thrown again.
 */
function toolError(error: unknown, onFault: (error: unknown) => void): JsonObject {
	if (error instanceof ProtocolError) throw error
	const { code, message } = driverFailure(error, onFault)
	return { content: [{ type: 'text', text: `${code}: ${message}` }], isError: true }
}
