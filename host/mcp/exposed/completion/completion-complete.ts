import type { CompletionRequest } from '@roundhouse/kit'
import { wireName } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import { ProtocolError } from '../../protocol/errors.ts'
import type { McpCall, Method } from '../../protocol/method.ts'
import { complete, type Outcome } from '../../protocol/outcome.ts'
import { asProtocolError } from '../framework/driver-failure.ts'
import { driverOf, type Services } from '../framework/services.ts'
import type { PromptRegistry } from '../prompts/prompt-registry.ts'
import { coreTemplates } from '../resources/core-resources.ts'
import { coreCandidates, rank } from './core-completion.ts'

/** MCP 2026-07-28, `CompleteRequest`. */
const paramsSchema = z.object({
	ref: z.discriminatedUnion('type', [
		z.object({ type: z.literal('ref/prompt'), name: z.string() }),
		z.object({ type: z.literal('ref/resource'), uri: z.string() }),
	]),
	argument: z.object({ name: z.string(), value: z.string().max(1000) }),
	context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
})
type Params = z.infer<typeof paramsSchema>

const maxValues = 100

/** Returns the values of template variables in a URI, or `undefined` if it matches no template. */
function valuesIn(uri: string): Readonly<Record<string, string>> | undefined {
	const parts = uri.split('/')
	for (const { uriTemplate } of coreTemplates) {
		const names = String(uriTemplate).split('/')
		const isVariable = (name: string | undefined) => name?.startsWith('{') === true
		if (names.length !== parts.length) continue
		if (!names.every((name, at) => isVariable(name) || name === parts[at])) continue
		const filled = names.flatMap((name, at): [string, string][] => {
			const part = parts[at] ?? ''
			return isVariable(name) && !isVariable(part) ? [[name.slice(1, -1), decodeOrKeep(part)]] : []
		})
		return Object.fromEntries(filled)
	}
	return undefined
}

function decodeOrKeep(part: string): string {
	try {
		return decodeURIComponent(part)
	} catch {
		return part
	}
}

export function completionComplete(
	prompts: PromptRegistry,
	services: Services,
	onFault: (error: unknown) => void,
): Method {
	return {
		eras: ['modern', 'legacy'],
		handle: (params, call) => {
			const parsed = paramsSchema.safeParse(params)
			if (!parsed.success) {
				throw new ProtocolError('invalid_params', `\`${parsed.error.issues[0]?.path.join('.')}\` does not fit.`)
			}
			const answer = answerOfDriver(parsed.data, call) ?? answerOfCore(parsed.data, call)
			return answer.catch(error => {
				throw asProtocolError(error, onFault)
			})
		},
	}

	/** Calls the driver that the ref belongs to, with the driver's names. */
	function answerOfDriver({ ref, argument, context }: Params, call: McpCall): Promise<Outcome> | undefined {
		for (const manifest of services.drivers.installed()) {
			const own =
				ref.type === 'ref/prompt'
					? manifest.prompts.find(prompt => wireName(manifest, prompt.name) === ref.name)
					: manifest.resourceTemplates.find(template => template.uriTemplate === ref.uri)
			if (!own) continue
			const request: CompletionRequest = {
				ref:
					'uriTemplate' in own
						? { type: 'ref/resource', uri: own.uriTemplate }
						: { type: 'ref/prompt', name: own.name },
				argument,
				...(context?.arguments && { context: context.arguments }),
			}
			return askDriver(manifest.id, request, call)
		}
		return undefined
	}

	async function askDriver(driverId: string, request: CompletionRequest, call: McpCall): Promise<Outcome> {
		const driver = await driverOf(driverId, call, services)
		const { values, total, hasMore } = await driver.call('complete', { request })
		return complete({
			completion: {
				values: [...values],
				...(total !== undefined && { total }),
				...(hasMore !== undefined && { hasMore }),
			},
		})
	}

	function answerOfCore({ ref, argument, context }: Params, call: McpCall): Promise<Outcome> {
		const known =
			ref.type === 'ref/resource' ? valuesIn(ref.uri) : prompts.find(ref.name) !== undefined ? {} : undefined
		if (!known) throw new ProtocolError('invalid_params', 'There is no such prompt or resource template.')
		const asked = { argument: argument.name, context: { ...known, ...context?.arguments } }
		return coreCandidates(asked, services, call).then(candidates => {
			const values = rank(candidates, argument.value)
			return complete({
				completion: {
					values: values.slice(0, maxValues),
					total: values.length,
					hasMore: values.length > maxValues,
				},
			})
		})
	}
}
