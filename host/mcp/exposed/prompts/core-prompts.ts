import { type Json, stringifyJson } from '@roundhouse/kit'
import type { SavedConnection } from '../../../connections/saved-connections.ts'
import type { ClientSession } from '../../access/client-session.ts'
import type { Caller } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { complete } from '../../protocol/outcome.ts'
import { repeated } from '../../protocol/outgoing-text.ts'
import { readColumns, readTables } from '../connections/schema-reading.ts'
import type { RecentQuery } from '../framework/recent-queries.ts'
import type { Services } from '../framework/services.ts'
import type { Prompt, PromptArgument } from './prompt.ts'

const connectionArgument = { name: 'connection', description: 'Name or id of the connection', required: true }
const tableArgument = { name: 'table', description: 'Name of the table', required: true }

/** A schema longer than this is cut; a model reads the rest with its tools. */
const tablesShown = 150

interface Reading {
	readonly signal: AbortSignal
	/** What this caller ran on the connection, the newest first. */
	readonly recentQueries: readonly RecentQuery[]
}

interface Recipe {
	readonly name: string
	readonly title: string
	readonly description: string
	readonly arguments: readonly PromptArgument[]
	/** What is read of the connection, and what is asked about it. */
	write(session: ClientSession, args: Readonly<Record<string, string>>, reading: Reading): Promise<readonly string[]>
}

/** Of the history so much is shown; `list_recent_queries` has the rest. */
const statementsShown = 50
const longestStatement = 500

const recipes: readonly Recipe[] = [
	{
		name: 'explain_table',
		title: 'Explain a table',
		description: 'Explains what a table holds, from its live schema.',
		arguments: [connectionArgument, tableArgument],
		write: async (session, { table = '' }, { signal }) => [
			section(`Columns of ${table}`, await readColumns(session, table, signal)),
			'Explain what one row of this table stands for, what each column means, and how the table is likely used.',
			'Look at a few rows with browse_table before you answer. Say what you are not sure of.',
		],
	},
	{
		name: 'explain_schema',
		title: 'Explain a schema',
		description: 'Explains what a database holds, from its live schema.',
		arguments: [connectionArgument],
		write: async (session, _args, { signal }) => [
			section('Tables', (await readTables(session, signal)).slice(0, tablesShown)),
			'Explain what this database is about and how its tables belong together. Group them by subject, largest first.',
			'Call describe_table where a name alone does not tell. Say what you are not sure of.',
		],
	},
	{
		name: 'data_quality_audit',
		title: 'Audit a table',
		description: 'Looks for gaps and contradictions in the data of a table.',
		arguments: [connectionArgument, tableArgument],
		write: async (session, { table = '' }, { signal }) => [
			section(`Columns of ${table}`, await readColumns(session, table, signal)),
			'Look for missing values, impossible values, duplicates, and columns that contradict each other.',
			'Write read-only checks, cheapest first, run them, and report each finding with its count and an example.',
		],
	},
	{
		name: 'question_to_query',
		title: 'Answer a question with a query',
		description: 'Writes and runs a query that answers a question.',
		arguments: [
			connectionArgument,
			{ name: 'question', description: 'The question, in your own words', required: true },
		],
		write: async (session, { question = '' }, { signal }) => [
			section('Tables', (await readTables(session, signal)).slice(0, tablesShown)),
			`Question: ${question}`,
			'Find the tables that matter, call describe_table on each, then write one read-only query that answers the',
			'question, run it with execute_query, and answer in plain words with the query beside it.',
		],
	},
	{
		name: 'review_query',
		title: 'Review a query',
		description: 'Reviews a query for mistakes, cost and safety.',
		arguments: [connectionArgument, { name: 'query', description: 'The query to review', required: true }],
		write: async (session, { query = '' }, { signal }) => [
			section('Tables', (await readTables(session, signal)).slice(0, tablesShown)),
			`Query:\n\n${query.slice(0, 8000)}`,
			'Check the names against describe_table. Say what the query does, whether it can give wrong results, what it',
			'costs, and whether it changes data. Do not run it if it writes. Propose a better one where there is one.',
		],
	},
	{
		name: 'summarize_history',
		title: 'Summarize what was run',
		description: 'Tells what you ran on a connection since Roundhouse started.',
		arguments: [connectionArgument],
		write: async (_session, _args, { recentQueries }) => [
			section('Statements, the newest first', recentQueries.map(describeQuery)),
			'Say in plain words what was looked for, what was changed and what failed. Name every statement that wrote or',
			'destroyed data with its time. Say so if nothing was run.',
		],
	},
]

/** The core's prompts: a message built from the live schema of one connection. */
export function corePrompts(services: Services): readonly Prompt[] {
	return recipes.map(recipe => ({
		descriptor: {
			name: recipe.name,
			title: recipe.title,
			description: recipe.description,
			arguments: recipe.arguments.map(argument => ({ ...argument })),
		},
		arguments: recipe.arguments,
		get: async (args, { call }) => {
			const connection = findConnection(args.connection ?? '', call.caller, services)
			await services.firstUse.permit(connection, call)
			const session = await services.gate.open(connection, call)
			const { product, version } = session.info
			const lines = [
				`Connection: ${connection.name} (connection_id ${connection.id}), ${product} ${version}`,
				...(await recipe.write(session, args, {
					signal: call.signal,
					recentQueries: services.recentQueries.of(call.caller, connection.id, statementsShown),
				})),
			]
			const content = { type: 'text', text: lines.join('\n\n') }
			return complete({ description: recipe.description, messages: [{ role: 'user', content }] })
		},
	}))
}

/** People name connections by their name, programs by their id. @throws ProtocolError `invalid_params`; as the gate */
function findConnection(wanted: string, caller: Caller, { gate }: Services): SavedConnection {
	const byName = gate.visible(caller).filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
	if (byName.length > 1)
		throw new ProtocolError('invalid_params', `Several connections are named "${repeated(wanted)}": use the id.`)
	return byName[0] ?? gate.find(wanted, caller)
}

function describeQuery({ statement, access, ranAt, tookMs, outcome }: RecentQuery): Json {
	return { ran_at: ranAt, access, outcome, took_ms: tookMs, statement: statement.slice(0, longestStatement) }
}

function section(title: string, value: readonly Json[]): string {
	return `${title}:\n${value.map(item => `- ${stringifyJson(item)}`).join('\n')}`
}
