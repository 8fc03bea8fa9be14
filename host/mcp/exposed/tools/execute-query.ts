import { DriverError, type Statement } from '@roundhouse/kit'
import { z } from 'zod'
import type { ClientSession } from '../../access/client-session.ts'
import { type ConnectionCall, defineConnectionTool } from '../framework/define-tool.ts'
import { statementForms } from './engine-words.ts'
import { estimate } from './estimate.ts'
import { defaultRows, mostRows } from './row-set.ts'
import { analyse, longestStatement, runStatement } from './statement.ts'
import { defaultTimeoutSeconds, longestTimeoutSeconds } from './time-limit.ts'

const query = z.string().min(1).max(longestStatement)
const timeoutSeconds = z.int().min(1).max(longestTimeoutSeconds).default(defaultTimeoutSeconds)

export const executeQuery = defineConnectionTool({
	name: 'execute_query',
	title: 'Run statement',
	description: drivers => `${statementForms(drivers)} Writes ask the user.`,
	access: 'read',
	mayBe: 'write',
	input: {
		query,
		max_rows: z.int().min(1).max(mostRows).default(defaultRows),
		timeout_seconds: timeoutSeconds,
	},
	run: async (args, context) => {
		const { call } = context
		call.progress({ progress: 0, total: 1, message: 'Opening the connection' })
		const statement = await analyse(await context.open(), args.query, call.signal)
		if (statement.access === 'destructive') {
			throw new DriverError('denied', 'This statement destroys data: use confirm_destructive_operation.')
		}
		const session = await context.open(statement.access)
		const question = await askConsent(session, statement, context)
		if (question) return question
		call.progress({ progress: 0.3, total: 1, message: 'Running' })
		const limits = { maxRows: args.max_rows, timeoutSeconds: args.timeout_seconds }
		const result = await runStatement(session, statement, limits, context)
		call.progress({ progress: 1, total: 1, message: 'Done' })
		return result
	},
})

export const confirmDestructiveOperation = defineConnectionTool({
	name: 'confirm_destructive_operation',
	title: 'Run destructive statement',
	description: 'Runs a statement that execute_query refuses because it destroys data. Always asks the user.',
	access: 'destructive',
	input: { query },
	run: async ({ query }, context) => {
		const session = await context.open()
		const statement = await analyse(session, query, context.call.signal)
		if (statement.access !== 'destructive') {
			throw new DriverError('invalid_argument', 'query: it destroys nothing: use execute_query.')
		}
		const question = await askConsent(session, statement, context)
		if (question) return question
		const limits = { maxRows: defaultRows, timeoutSeconds: longestTimeoutSeconds }
		return runStatement(session, statement, limits, context)
	},
})

/** What the client is asked first, if anything: nobody is asked for a read. */
async function askConsent(
	session: ClientSession,
	statement: Statement,
	{ connection, services, round, call }: ConnectionCall,
) {
	const { access } = statement
	if (access === 'read') return undefined
	return services.consent.settle(
		{
			connection,
			statement: statement.text,
			summary: statement.summary,
			access,
			...(access === 'write' && { grantTarget: statement.grantTarget }),
			estimate: () => estimate(session, statement, call, services),
		},
		round,
	)
}
