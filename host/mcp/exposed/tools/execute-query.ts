import { type Access, DriverError } from '@roundhouse/kit'
import { z } from 'zod'
import { mayCall } from '../../access/authorization.ts'
import { showsGroup } from '../../access/groups.ts'
import type { McpCall } from '../../protocol/method.ts'
import { defineConnectionTool, isInputRequired } from '../framework/define-tool.ts'
import { runConsented } from './consented-run.ts'
import { statementForms } from './engine-text.ts'
import { parameters, statementOf, unlistedParameters } from './parameters.ts'
import { defaultRows, maxResultRows } from './row-set.ts'
import { maxStatementLength, type RunLimits, reasonWords, runStatement, statementOutput } from './statement.ts'
import { defaultTimeoutSeconds, maxTimeoutSeconds } from './time-limit.ts'

const query = z.string().min(1).max(maxStatementLength).describe('One statement')
const timeoutSeconds = z
	.int()
	.min(1)
	.max(maxTimeoutSeconds)
	.default(defaultTimeoutSeconds)
	.describe('Seconds until it is stopped')

const limits = {
	max_rows: z.int().min(1).max(maxResultRows).default(defaultRows).describe('Rows at most'),
	timeout_seconds: timeoutSeconds,
}

export const queryTool = defineConnectionTool({
	name: 'query',
	title: 'Run query',
	description: drivers => `${statementForms(drivers)} Only reads; execute_query writes.`,
	access: 'read',
	group: 'core',
	effect: 'none',
	input: { query, parameters, ...limits },
	unlisted: unlistedParameters,
	output: statementOutput,
	run: async (args, context) => {
		const statement = await statementOf(await context.open(), args, context.call)
		if (statement.access !== 'read') {
			const words = `This statement writes, and query only reads${wayOf(statement.access, context.call)}`
			throw new DriverError('denied', `${words}${reasonWords(statement)}`)
		}
		return runStatement(await context.open(), { statement, ...limitsOf(args) }, context)
	},
})

export const executeQuery = defineConnectionTool({
	name: 'execute_query',
	title: 'Run statement',
	description: 'Runs one statement as query does, also one that writes: that asks the user.',
	access: 'read',
	group: 'write',
	effect: 'changes',
	input: { query, parameters, ...limits },
	unlisted: unlistedParameters,
	output: statementOutput,
	run: async (args, context) => {
		const { call } = context
		call.progress({ progress: 0, total: 1, message: 'Opening the connection' })
		const statement = await statementOf(await context.open(), args, call)
		if (statement.access === 'destructive') {
			const words = `This statement destroys data${wayOf('destructive', call)}`
			throw new DriverError('denied', `${words}${reasonWords(statement)}`)
		}
		const session = await context.open(statement.access)
		const requireAccess = (access: Access, why: string) => {
			if (access !== 'destructive') return
			throw new DriverError('denied', `This statement destroys data${wayOf('destructive', call)} ${why}`.trim())
		}
		const onRunning = () => call.progress({ progress: 0.3, total: 1, message: 'Running' })
		const limits = limitsOf(args)
		const result = await runConsented(session, { statement, limits, requireAccess, onRunning }, context)
		if (!isInputRequired(result)) call.progress({ progress: 1, total: 1, message: 'Done' })
		return result
	},
})

export const confirmDestructiveOperation = defineConnectionTool({
	name: 'confirm_destructive_operation',
	title: 'Run destructive statement',
	description: 'Runs a statement that execute_query refuses because it destroys data. Always asks the user.',
	access: 'destructive',
	group: 'write',
	effect: 'changes',
	input: { query, parameters },
	unlisted: unlistedParameters,
	output: statementOutput,
	run: async (args, context) => {
		const session = await context.open()
		const statement = await statementOf(session, args, context.call)
		const requireAccess = (access: Access) => {
			if (access === 'destructive') return
			throw new DriverError('invalid_argument', 'query: the statement is not destructive. Use execute_query.')
		}
		requireAccess(statement.access === 'read' ? 'read' : 'destructive')
		const limits = { maxRows: defaultRows, timeoutSeconds: maxTimeoutSeconds }
		return runConsented(session, { statement, limits, requireAccess }, context)
	},
})

/** Returns the end of a sentence: the tool that runs such a statement, or who can allow the caller to use it. */
function wayOf(access: 'write' | 'destructive', { caller }: McpCall): string {
	const { toolName } = access === 'write' ? executeQuery : confirmDestructiveOperation
	if (mayCall(caller, access) && showsGroup(caller, 'write')) return `: use ${toolName}.`
	return `. The token "${caller.name}" may not use ${toolName}. The user can give this client a token that may, in Settings, AI access, Tokens.`
}

function limitsOf(args: { readonly max_rows: number; readonly timeout_seconds: number }): RunLimits {
	return { maxRows: args.max_rows, timeoutSeconds: args.timeout_seconds, isTimeoutChosen: true }
}
