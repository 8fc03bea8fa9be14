import { run } from './run.ts'

/** `npm run check`: types, lint and format, dead code, prose. Boundaries and the contract's rows are tests. */
const steps: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
	['types', 'tsc', ['-p', '.']],
	['types of the window', 'tsc', ['-p', 'ui']],
	['lint and format', 'biome', ['check', '--error-on-warnings', '.']],
	['dead code', 'knip', []],
	['prose', 'node', ['scripts/prose.ts']],
]

const failed: string[] = []
for (const [name, command, args] of steps) {
	if ((await run(command, args)) !== 0) failed.push(name)
}
process.stdout.write(failed.length === 0 ? 'check: all clean\n' : `check: failed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
