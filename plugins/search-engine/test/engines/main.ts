import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { missingTools, prepare, type RunningEngine, releases, start } from './engine.ts'

/**
 * Runs the engine contract on real Elasticsearch nodes of both majors; the regular tests run it on the sample. Versions
 * as arguments select some. Without Java and Maven it reports clearly that it was skipped.
 */

const checkout = join(import.meta.dirname, '../../../..')
const cache = join(checkout, 'node_modules/.cache/roundhouse-engines')
const missing = missingTools()
if (missing !== undefined) {
	console.log(`\nSKIPPED: no test ran on a real Elasticsearch, because this machine lacks ${missing}.\n`)
	process.exit(0)
}

const running: RunningEngine[] = []
try {
	const versions = process.argv.slice(2)
	const wanted = releases.filter(({ version }) => versions.length === 0 || versions.includes(version))
	for (const release of wanted) {
		console.log(`Elasticsearch ${release.version}: downloading missing files, starting`)
		running.push(await start(release, await prepare(release, cache)))
	}
	const vitest = join(checkout, 'node_modules/vitest/vitest.mjs')
	const parameters = [vitest, 'run', '--project', 'node', 'plugins/search-engine/test/engine-contract']
	const env = { ...process.env, ROUNDHOUSE_TEST_ENGINES: running.map(({ url }) => url).join(',') }
	const { status } = spawnSync(process.execPath, parameters, { cwd: checkout, env, stdio: 'inherit' })
	process.exitCode = status ?? 1
} finally {
	await Promise.all(running.map(engine => engine.close()))
}
