import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'
import { Agent, type Cost } from './agent.ts'
import { tasks } from './tasks/index.ts'

/**
 * Tasks of agents on the sample, in order, each with its cost for a model. docs/ai-tasks.md keeps the figures; `npx
 * vitest run tests/agents --update` writes them again.
 */

let roundhouse: Roundhouse
let agent: Agent
/** The same client for a user who has switched on the diagnose tools. */
let diagnosing: Agent
const costs = new Map<string, Cost>()
beforeAll(async () => {
	roundhouse = await Roundhouse.make()
	const exports = join(await realpath(roundhouse.home), 'exports')
	await roundhouse.addSample('--ai-policy', 'allow', '--external-access', 'read-write')
	const token = await roundhouse.addToken('full')
	const wider = await roundhouse.addToken('full', ['core', 'write', 'diagnose'])
	await mkdir(exports)
	await writeFile(
		join(roundhouse.home, 'settings.json'),
		JSON.stringify({ exports: { folder: exports }, mcp: { costLimitRows: 20_000 } }),
	)
	const { mcp } = await roundhouse.serve()
	agent = await Agent.connect(mcp.url, token)
	diagnosing = await Agent.connect(mcp.url, wider)
})
afterAll(async () => {
	await agent?.[Symbol.asyncDispose]()
	await diagnosing?.[Symbol.asyncDispose]()
	await roundhouse?.[Symbol.asyncDispose]()
})

test.each(tasks)('$asked', async ({ asked, needsDiagnose, solve, expected }) => {
	const solver = needsDiagnose ? diagnosing : agent
	solver.cost()
	expect(await solve(solver)).toEqual(expected)
	costs.set(asked, solver.cost())
})

const turns = tasks.flatMap(({ needsDiagnose, wrongTurns = [] }) =>
	wrongTurns.flatMap(turn => ('call' in turn ? [{ ...turn, needsDiagnose }] : [])),
)
test.each(turns)('a wrong turn is led back: $does', async ({ needsDiagnose, call: [tool, args], says }) => {
	expect(await (needsDiagnose ? diagnosing : agent).call(tool, args)).toMatch(says)
})

test('there are sixty tasks, and half of them have wrong turns', () => {
	expect(tasks.length).toBeGreaterThanOrEqual(60)
	expect(tasks.filter(({ wrongTurns }) => wrongTurns !== undefined).length).toBeGreaterThanOrEqual(30)
})

/** Four characters are about one token. */
const tokens = (bytes: number) => Math.ceil(bytes / 4)

test('the default tool list costs at most 3,000 tokens with the search-engine driver installed', async () => {
	expect(await agent.toolTokens()).toBeLessThan(3_000)
})

test('exploring an unknown index costs at most 2,500 tokens, and no task costs more than 9,000', () => {
	expect(tokens(costs.get('Explore what you do not know.')?.bytes ?? Number.POSITIVE_INFINITY)).toBeLessThan(2_500)
	for (const [asked, { bytes }] of costs) expect(tokens(bytes), asked).toBeLessThan(9_000)
})

test('the table of costs in docs/ai-tasks.md matches the measured costs', async () => {
	const lines = tasks.flatMap(({ asked, wrongTurns = [] }) => {
		const { calls, bytes } = costs.get(asked) ?? { calls: 0, bytes: 0 }
		const turns = wrongTurns.map(({ does }) => does).join('; ')
		const cells = [
			asked.replaceAll('|', '\\|'),
			calls,
			bytes.toLocaleString('en'),
			tokens(bytes).toLocaleString('en'),
			turns,
		]
		return `| ${cells.join(' | ')} |`
	})
	const table = [
		'| What a person asks | Calls | Bytes | Tokens | Wrong turns |',
		'| - | - | - | - | - |',
		...lines,
	].join('\n')
	const head =
		'# What tasks cost a model\n\nTasks of an agent on the sample, solved by what tools, instructions and errors say; `tests/agents` runs them and keeps this table. Bytes of arguments and answers, four of them a token. A wrong turn is what a model does first or instead; the test checks that the answer leads back, by the name of what is allowed or missing.\n\n'
	await expect(`${head}${table}\n`).toMatchFileSnapshot('../../docs/ai-tasks.md')
})
