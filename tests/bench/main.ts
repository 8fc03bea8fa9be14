import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBuilt } from '../../scripts/build.ts'

/**
 * `npm run bench [-- NAME]` runs each file here that exports `bench`. A file measures one room beside a peer or a limit
 * in the same run. Benchmarks assert nothing; docs/performance.md keeps the results.
 */
await ensureBuilt()
const wanted = process.argv.slice(2)
const names = (await readdir(import.meta.dirname))
	.map(file => /^(\w+)\.bench\.ts$/.exec(file)?.[1])
	.filter(name => name !== undefined)
for (const name of names.sort()) {
	if (wanted.length > 0 && !wanted.includes(name)) continue
	process.stdout.write(`\n# ${name}\n\n`)
	const { bench }: { bench(): Promise<void> } = await import(join(import.meta.dirname, `${name}.bench.ts`))
	await bench()
}
