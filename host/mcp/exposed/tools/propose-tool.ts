import { DriverError } from '@roundhouse/kit'
import { z } from 'zod'
import { defineConnectionTool } from '../framework/define-tool.ts'
import { namesIn } from '../framework/offered-requests.ts'
import type { ProposedTool } from '../framework/showing.ts'
import { offer } from './open-in-window.ts'

const group = 'custom'

export const proposeTool = defineConnectionTool({
	name: 'propose_tool',
	title: 'Propose a tool',
	description: 'Proposes a tool to the user. Runs nothing.',
	access: 'read',
	group,
	effect: 'none',
	input: {
		name: z
			.string()
			.regex(/^[a-z][a-z0-9_]{2,46}$/)
			.describe('Such as daily_errors'),
		description: z.string().trim().min(1).max(500).describe('When to use it'),
		query: z.string().min(1).max(10_000).describe('With {{name}} for a parameter'),
		parameters: z.array(z.string().max(400)).max(20).default([]).describe('Each as name: meaning'),
	},
	output: { status: z.string() },
	run: async ({ name, description, query, parameters }, context) => {
		const described = parameters.map(parameterIn)
		requireFitting(query, described)
		return offer({ kind: 'tool', text: query, tool: { name, description, parameters: described } }, group, context)
	},
})

/** A list of objects would cost each conversation forty tokens more. @throws DriverError `invalid_argument` */
function parameterIn(text: string): ProposedTool['parameters'][number] {
	const [, name, description] = /^\s*([A-Za-z0-9_.-]{1,64})\s*:\s*(\S.{0,299})$/s.exec(text) ?? []
	if (name === undefined || description === undefined)
		throw new DriverError(
			'invalid_argument',
			'parameters: each is a name, a colon and its meaning: "limit: Rows at most".',
		)
	return { name, type: 'text', description: description.trim() }
}

/** @throws DriverError `invalid_argument` unless each parameter is in the statement, and each of the statement is one */
function requireFitting(query: string, parameters: readonly { readonly name: string }[]): void {
	const used = namesIn(query)
	const described = new Set(parameters.map(({ name }) => name))
	const missing = used.find(name => !described.has(name))
	if (missing !== undefined) throw new DriverError('invalid_argument', `parameters: {{${missing}}} is not described.`)
	const unused = [...described].find(name => !used.includes(name))
	if (unused !== undefined) throw new DriverError('invalid_argument', `query: it has no {{${unused}}}.`)
}
