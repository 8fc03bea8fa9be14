import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { engineCache, jdkFor, missingTools, prepare, releases, start } from './engine.ts'

/**
 * Runs the engine contract on real Elasticsearch nodes, one after the other; the regular tests run it on the sample.
 * Versions as arguments select some. Without Java and Maven it reports clearly that it was skipped.
 */

const checkout = join(import.meta.dirname, '../../../..')
const missing = missingTools()
if (missing !== undefined) {
	console.log(`\nSKIPPED: no test ran on a real Elasticsearch, because this machine lacks ${missing}.\n`)
	process.exit(0)
}

const versions = process.argv.slice(2)
const ran: string[] = []
const skipped: string[] = []
for (const release of releases.filter(({ version }) => versions.length === 0 || versions.includes(version))) {
	const { version, java } = release
	const jdk = jdkFor(release)
	if (jdk === undefined) {
		skipped.push(`${version} (needs a JDK of version ${java} or later)`)
		continue
	}
	console.log(`Elasticsearch ${version}: downloading missing files, starting`)
	await using engine = await start(release, await prepare(release, engineCache, jdk), jdk)
	const vitest = join(checkout, 'node_modules/vitest/vitest.mjs')
	const parameters = [vitest, 'run', '--project', 'node', 'plugins/search-engine/test/engine-contract']
	const env = { ...process.env, ROUNDHOUSE_TEST_ENGINES: engine.url }
	const { status } = spawnSync(process.execPath, parameters, { cwd: checkout, env, stdio: 'inherit' })
	if (status !== 0) process.exitCode = status ?? 1
	ran.push(version)
}
console.log(`\nThe engine contract ran on real Elasticsearch ${ran.join(', ') || '(none)'}.`)
if (skipped.length > 0) console.log(`SKIPPED: real Elasticsearch ${skipped.join(', ')}.`)
