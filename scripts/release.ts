import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openPoints, readConfig } from './release/config.ts'
import { packProgram } from './release/npm-package.ts'
import { buildProgram } from './release/program.ts'

/**
 * `npm run release -- --out FOLDER`: renders a release from `release.json`. Run twice, also elsewhere, it writes the same
 * bytes (docs/releasing.md).
 */
const { values } = parseArgs({
	options: {
		out: { type: 'string', default: 'out' },
		/** Another `release.json`, for rehearsals. */
		config: { type: 'string' },
		/** Refuses a release that cannot be published. */
		final: { type: 'boolean', default: false },
	},
})
const config = await readConfig(values.config)
const missing = openPoints(config)
if (values.final && missing.length > 0) throw new Error(`This release cannot be published. ${missing.join(' ')}`)
const out = resolve(values.out)
await rm(out, { recursive: true, force: true })
const program = join(out, 'program')
await mkdir(program, { recursive: true })
await buildProgram(config, program)
const made = [await packProgram(config, program, out)]
for (const name of made) process.stdout.write(`${name}\n`)
for (const point of missing) process.stdout.write(`For rehearsals only: ${point}\n`)
