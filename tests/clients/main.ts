import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingToolChains } from '../../scripts/client-tool-chains.ts'
import { checkout } from '../../scripts/layout.ts'
import { run } from '../../scripts/run.ts'
import type { Program } from './programs.ts'

/**
 * `npm run test:clients`: the official clients of TypeScript, Python and Go, fastmcp and crewai. Installs those of other
 * languages once, by their own package managers, into `node_modules/.cache`. A missing tool chain is reported.
 */

const programs = join(import.meta.dirname, 'programs')
const cache = join(checkout, 'node_modules/.cache/roundhouse-clients')

/** Returns a folder for what these files describe, so that another version is prepared again. */
function folderOf(...files: readonly string[]): string {
	const digest = createHash('sha256')
	for (const file of files) digest.update(readFileSync(join(programs, file)))
	return join(cache, digest.digest('hex').slice(0, 16))
}

/** @throws Error if the command fails */
function must(command: string, args: readonly string[], cwd = programs): void {
	const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
	if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`)
}

/** crewai needs another version of the SDK than fastmcp. */
const pythonClients = { mcp: 'requirements.txt', fastmcp: 'requirements.txt', crewai: 'requirements_crewai.txt' }

function python(): readonly Program[] {
	return Object.entries(pythonClients).map(([name, requirements]) => ({
		name: `${name} (Python)`,
		command: pythonWith(requirements),
		args: [join(programs, `python_${name}.py`)],
	}))
}

/** Returns a Python that has these packages. */
function pythonWith(requirements: string): string {
	const folder = folderOf(requirements)
	const command = join(folder, 'bin/python')
	if (!existsSync(join(folder, 'ready'))) {
		must('python3', ['-m', 'venv', '--clear', folder])
		must(command, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements])
		must('touch', [join(folder, 'ready')])
	}
	return command
}

function go(): readonly Program[] {
	const command = join(folderOf('go/go.mod', 'go/go.sum', 'go/main.go'), 'client')
	if (!existsSync(command)) must('go', ['build', '-o', command, '.'], join(programs, 'go'))
	return [{ name: 'go-sdk', command, args: [] }]
}

const missing = missingToolChains()
for (const name of missing) console.log(`\nSKIPPED: the clients of ${name}, because this machine lacks it.\n`)
const isThere = (name: string) => !missing.some(other => other.startsWith(name))
const found = [...(isThere('Python') ? python() : []), ...(isThere('Go') ? go() : [])]
process.exitCode = await run('vitest', ['run', '--project', 'clients'], {
	ROUNDHOUSE_TEST_CLIENTS: JSON.stringify(found),
})
