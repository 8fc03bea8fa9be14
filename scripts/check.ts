import { compile } from './compile.ts'
import { run } from './run.ts'

/** `npm run check`: types, lint and format, dead code, prose. Boundaries and the contract's rows are tests. */
const steps: readonly (readonly [name: string, check: () => Promise<number>])[] = [
	['types', () => compile('.')],
	['types of the window', () => compile('ui')],
	['lint and format', () => run('biome', ['check', '--error-on-warnings', '.'])],
	['dead code', () => run('knip', [])],
	['prose', () => run('node', ['scripts/prose.ts'])],
]

const failed: string[] = []
for (const [name, check] of steps) {
	if ((await check()) !== 0) failed.push(name)
}
process.stdout.write(failed.length === 0 ? 'check: all clean\n' : `check: failed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
