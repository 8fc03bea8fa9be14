import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEndpoint } from '../mcp/endpoint.ts'
import type { Program } from './programs.ts'

/** Converters of agent frameworks read the schemas of all tools. `npm run test:clients` prepares them. */

const programs: readonly Program[] = JSON.parse(process.env.ROUNDHOUSE_TEST_CLIENTS ?? '[]')
const python = programs.find(({ name }) => name === 'mcp (Python)')

/** Rows and parameters have names of the user's choice, which no strict schema can list. They are sent as they are. */
const withFreeNames = [
	'confirm_destructive_operation',
	'execute_query',
	'explain_query',
	'insert_rows',
	'query',
	'update_rows',
]

test.skipIf(!python)(
	'google-genai takes every tool, and the strict form of openai-agents all but those with free names',
	async () => {
		await using fixture = await startEndpoint({
			drivers: ['search-engine', 'postgres', 'mariadb'].map(name => join('plugins', name)),
		})
		const { tools } = (await fixture.call('tools/list')).json.result
		expect(tools.length).toBeGreaterThan(25)
		const program = join(import.meta.dirname, 'programs/python_converters.py')
		const { stdout, stderr } = spawnSync(python?.command ?? '', [program], {
			input: JSON.stringify(tools),
			encoding: 'utf8',
		})
		expect(stdout, stderr).not.toBe('')
		const found = JSON.parse(stdout)
		expect(found['google-genai']).toEqual({})
		expect(Object.keys(found['openai-agents']).sort()).toEqual(withFreeNames)
	},
)
