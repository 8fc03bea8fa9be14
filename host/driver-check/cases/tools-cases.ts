import { decode, stringifyJson, type ToolResult } from '@roundhouse/kit'
import { faultOfAnswer } from '@roundhouse/kit/answer-shape'
import { type ToolManifest, wireName } from '@roundhouse/kit/manifest'
import { costOf } from '../../mcp/exposed/tools/cost.ts'
import { DoesNotApply, notGiven } from '../findings.ts'
import type { Lab } from '../lab.ts'
import type { RunsOf } from './run.ts'
import { faultOfSchema } from './schema-fault.ts'

/** The tools for AI clients. */

const mostTokens = 500

export const toolsCases: RunsOf<'tools'> = {
	'tools.schemas': async (lab, report) => {
		for (const { name, inputSchema, outputSchema } of toolsOf(lab)) {
			for (const schema of [inputSchema, outputSchema ?? {}]) {
				const fault = faultOfSchema(schema)
				if (fault !== undefined) report(`tool ${name}`, fault)
				const refused = await lab.refusal(() => faultOf(lab, schema, {}))
				if (refused) report(`tool ${name}`, `Its schema cannot be applied: ${refused.message}`)
			}
		}
	},
	'tools.hints': async (lab, report) => {
		for (const { name, access, annotations = {} } of toolsOf(lab)) {
			const { readOnlyHint, destructiveHint } = annotations
			if (readOnlyHint !== undefined && readOnlyHint !== (access === 'read'))
				report(`tool ${name}`, `readOnlyHint is ${readOnlyHint}, but its access is ${access}.`)
			if (destructiveHint === true && access === 'read')
				report(`tool ${name}`, `destructiveHint is true, but its access is ${access}.`)
			if (destructiveHint === false && access === 'destructive')
				report(`tool ${name}`, 'destructiveHint is false, but its access is destructive.')
		}
	},
	'tools.connection': async (lab, report) => {
		for (const { name, needsConnection, inputSchema } of toolsOf(lab)) {
			const { properties = {} } = inputSchema as { readonly properties?: object }
			if (needsConnection !== Object.hasOwn(properties, 'connection_id'))
				report(`tool ${name}`, `needsConnection is ${needsConnection}, but the argument connection_id says otherwise.`)
		}
	},
	'tools.cost': async (lab, report) => {
		for (const tool of toolsOf(lab)) {
			const tokens = tokensOf(lab, tool)
			if (tokens > mostTokens)
				report(
					`tool ${tool.name}`,
					`It costs a model ${tokens} tokens in every conversation, the limit is ${mostTokens}.`,
				)
		}
	},
	'tools.examples': async (lab, report) => {
		const examples = Object.entries(lab.file.tools ?? {})
		if (examples.length === 0) throw notGiven('example of a tool', '`tools: { tool_name: { argument: 1 } }`')
		for (const [name, args] of examples) {
			const tool = lab.subject.manifest.tools.find(tool => tool.name === name)
			if (!tool) {
				report('conformance.ts: tools', `The manifest has no tool ${name}.`)
				continue
			}
			const given = tool.needsConnection ? { ...args, connection_id: 'check' } : args
			const place = `tool ${name}`
			const wrong = await faultOf(lab, tool.inputSchema, given)
			if (wrong !== null) report('conformance.ts: tools', `The example of ${name} does not fit its schema: ${wrong}`)
			const result = await callTool(lab, tool, stringifyJson(given))
			const shape = faultOfAnswer('callTool', result)
			if (shape !== undefined) report(place, `The answer has another shape: ${shape}.`)
			if (result.isError) report(place, 'Its example fails.')
			if (!tool.outputSchema) continue
			const { structuredContent } = result
			const mismatch =
				structuredContent === undefined ? 'there is none' : await faultOf(lab, tool.outputSchema, structuredContent)
			if (mismatch !== null) report(place, `structuredContent does not fit the outputSchema: ${mismatch}`)
		}
	},
}

/** Tokens that a tool costs a model in every conversation. */
export function tokensOf({ subject }: Pick<Lab, 'subject'>, { name, description, inputSchema }: ToolManifest): number {
	// The schema is part of a parsed JSON manifest.
	const schema = inputSchema as Parameters<typeof costOf>[0]['inputSchema']
	return costOf({ name: wireName(subject.manifest, name), description, inputSchema: schema })
}

function toolsOf({ subject }: Lab): readonly ToolManifest[] {
	const { tools } = subject.manifest
	if (tools.length === 0) throw new DoesNotApply('The driver has no tools.')
	return tools
}

/** Returns what is wrong with a value by a schema, which the driver's process applies. */
async function faultOf(lab: Lab, schema: object, value: object): Promise<string | null> {
	const process = await lab.process()
	lab.lastCall = 'checkArguments'
	return process.call('checkArguments', { schema: JSON.stringify(schema), args: stringifyJson(value as never) })
}

async function callTool(lab: Lab, { name, access, needsConnection }: ToolManifest, args: string): Promise<ToolResult> {
	const params = { name, access, args, context: JSON.stringify({ clientCapabilities: {}, inputResponses: {} }) }
	// An answer that asks for input has no shape of a result, which the caller reports.
	if (needsConnection) return (await lab.read('callTool', params)) as ToolResult
	const process = await lab.process()
	lab.lastCall = `tool ${name}`
	return decode(await process.call('callTool', params)) as ToolResult
}
