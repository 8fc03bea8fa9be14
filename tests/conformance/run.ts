import { spawn } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { toolGroups } from '@roundhouse/kit/tool-groups'
import { startEndpoint } from '../mcp/endpoint.ts'

/**
 * Runs the official MCP conformance suite on both eras against an endpoint with the fixture drivers, and prints the
 * scores. Exits with 1 if a scored scenario fails without a baseline entry, or passes with one.
 */

const folder = import.meta.dirname
const root = join(folder, '..', '..')
const suite = join(root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
const out = join(root, 'out', 'conformance')
const drivers = [join(folder, 'drivers', 'test'), join(folder, 'drivers', 'json')]
/**
 * The suite runs these without a score: an extension that the endpoint does not advertise, and three scenarios of the
 * core.
 */
const isExtension = (scenario: string) => scenario.startsWith('tasks-')
const unscored = new Set([
	'json-schema-2020-12',
	'http-header-validation',
	'http-custom-header-server-validation',
	'server-session-lifecycle',
	'server-sse-polling',
])

async function runSuite(url: string, version: string, options: readonly string[]): Promise<boolean> {
	const output = join(out, version)
	await rm(output, { recursive: true, force: true })
	const child = spawn(
		process.execPath,
		[suite, 'server', '--url', url, '--requirements', version, ...options, '-o', output],
		{ stdio: ['ignore', 'pipe', 'pipe'] },
	)
	let text = ''
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
	const code = await new Promise<number | null>(resolve => child.once('close', resolve))
	const scenarios = (await readScenarios(output)).filter(({ name }) => !isExtension(name))
	const score = (name: string, of: readonly Scenario[]) =>
		console.log(`${version} ${name}: ${of.filter(({ passed }) => passed).length} of ${of.length}`)
	score(
		'scored',
		scenarios.filter(({ name }) => !unscored.has(name)),
	)
	const others = scenarios.filter(({ name }) => unscored.has(name))
	score('unscored core', others)
	for (const { name, passed } of scenarios) if (!passed) console.log(`  fails: ${name}`)
	if (code !== 0) console.log(text)
	return code === 0 && others.every(({ passed }) => passed)
}

interface Scenario {
	readonly name: string
	readonly passed: boolean
}

interface Check {
	readonly status: string
}

async function readScenarios(output: string): Promise<readonly Scenario[]> {
	const folders = (await readdir(output)).filter(name => name.startsWith('server-'))
	return Promise.all(
		folders.map(async folder => {
			const checks = JSON.parse(await readFile(join(output, folder, 'checks.json'), 'utf8')) as readonly Check[]
			const name = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
			return { name, passed: checks.every(({ status }) => status !== 'FAILURE') }
		}),
	)
}

await using fixture = await startEndpoint({ drivers, settings: { authentication: false }, hasRealClock: true })
const origin = `http://localhost:${fixture.port}`
const url = `${origin}/mcp`
// The suite sends no token, and calls the tools of drivers.
await fixture.tokens.setGroups('bridge', toolGroups)
fixture.endpoint.configure({ allowedOrigins: [origin] })

const baseline = join(folder, 'baseline-2025-11-25.yml')
const isModernClean = await runSuite(url, '2026-07-28', [])
const isLegacyClean = await runSuite(url, '2025-11-25', ['--expected-failures', baseline])
process.exitCode = isModernClean && isLegacyClean ? 0 : 1
