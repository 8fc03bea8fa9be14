import { run } from '../../scripts/run.ts'

/** `npm run fuzz -- [name] [arguments of it]`: one program, or all of them with their defaults. */

const programs: Readonly<Record<string, string>> = {
	mcp: 'tests/fuzz/mcp.ts',
	window: 'tests/fuzz/window.ts',
	'driver-channel': 'tests/fuzz/driver-channel.ts',
	oracle: 'tests/oracle/main.ts',
	completion: 'tests/fuzz/completion.ts',
}
const [name, ...args] = process.argv.slice(2)
const chosen = Object.entries(programs).filter(([known]) => name === undefined || name === known)
if (chosen.length === 0) throw new Error(`There is no fuzzer ${name}. There are ${Object.keys(programs).join(', ')}.`)
for (const [, program] of chosen) {
	process.exitCode = await run('node', [program, ...args])
	if (process.exitCode !== 0) break
}
