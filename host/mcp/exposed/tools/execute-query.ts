import { DriverError, type Statement } from '@roundhouse/kit'
import { z } from 'zod'
import { recordedStatement, shownStatement } from '../../../connections/parameters.ts'
import type { ClientSession } from '../../access/client-session.ts'
import { type ConnectionCall, defineConnectionTool } from '../framework/define-tool.ts'
import { statementForms } from './engine-text.ts'
import { estimate } from './estimate.ts'
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
			const tool = statement.access === 'write' ? executeQuery : confirmDestructiveOperation
			const words = `This statement writes, and query only reads: use ${tool.toolName}.`
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
			const words = 'This statement destroys data: use confirm_destructive_operation.'
			throw new DriverError('denied', `${words}${reasonWords(statement)}`)
		}
		const session = await context.open(statement.access)
		const question = await askConsent(session, statement, context)
		if (question) return question
		call.progress({ progress: 0.3, total: 1, message: 'Running' })
		const result = await runStatement(session, { statement, ...limitsOf(args) }, context)
		call.progress({ progress: 1, total: 1, message: 'Done' })
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
		if (statement.access !== 'destructive') {
			throw new DriverError('invalid_argument', 'query: the statement is not destructive. Use execute_query.')
		}
		const question = await askConsent(session, statement, context)
		if (question) return question
		const limits = { maxRows: defaultRows, timeoutSeconds: maxTimeoutSeconds }
		return runStatement(session, { statement, ...limits }, context)
	},
})

function limitsOf(args: { readonly max_rows: number; readonly timeout_seconds: number }): RunLimits {
	return { maxRows: args.max_rows, timeoutSeconds: args.timeout_seconds, isTimeoutChosen: true }
}

/** Asks for consent to a statement that writes. @returns the question to the client, if any */
export async function askConsent(
	session: ClientSession,
	statement: Statement,
	{ connection, services, round, call }: ConnectionCall,
) {
	const { access } = statement
	if (access === 'read') return undefined
	return services.consent.settle(
		{
			connection,
			statement: shownStatement(statement),
			recorded: recordedStatement(statement),
			summary: statement.summary,
			access,
			reason: statement.reason,
			...(access === 'write' && { grant: statement.grant }),
			estimate: () => estimate(signal => session.call('assess', { statement }, { signal }), call, services),
		},
		round,
	)
}
