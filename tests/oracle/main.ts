import { releases, startRelease } from '../../plugins/search-engine/test/engines/engine.ts'
import { openMariadbDefinitions, openPostgresDefinitions } from './definition-subjects.ts'
import { runDefinitions } from './definitions.ts'
import { openMariadb } from './mariadb.ts'
import type { Oracle } from './oracle.ts'
import { openPostgres } from './postgres.ts'
import { runOracle } from './run.ts'
import { openSearchEngine } from './search-engine.ts'
import { runUndoPairs } from './undo.ts'

/**
 * `npm run fuzz -- oracle definitions [postgres|mariadb] [pairs] [seed]`: random definitions of tables and changes of them.
 *
 * `npm run fuzz -- oracle [undo] [postgres|mariadb|search-engine] [cases] [seed]`: all engines if none is named. `undo`:
 * pairs of a change and its undo, in place of questions. Elasticsearch is that of `ROUNDHOUSE_TEST_ENGINES`, or 8.19 from Maven Central.
 */

const owned = new AsyncDisposableStack()
const oracles: Readonly<Record<string, () => Promise<Oracle | undefined>>> = {
	postgres: openPostgres,
	mariadb: openMariadb,
	'search-engine': async () => {
		const [known] = (process.env.ROUNDHOUSE_TEST_ENGINES ?? '').split(',').filter(Boolean)
		const release = releases.find(({ version }) => version.startsWith('8.19'))
		const url = known ?? (release && owned.use(await startRelease(release))?.url)
		return url === undefined ? undefined : openSearchEngine(url)
	},
}

const words = process.argv.slice(2)
const isOfDefinitions = words[0] === 'definitions'
if (isOfDefinitions) words.shift()
const subjects = { postgres: openPostgresDefinitions, mariadb: openMariadbDefinitions } as const
const isUndo = words[0] === 'undo'
if (isUndo) words.shift()
const names =
	words[0] !== undefined && Object.hasOwn(oracles, words[0])
		? words.splice(0, 1)
		: Object.keys(isOfDefinitions ? subjects : oracles)
const cases = Number(words[0] ?? 20_000)
const seed = Number(words[1] ?? Date.now() % 1_000_000)
if (Number.isNaN(cases + seed))
	throw new Error(`Give ${Object.keys(oracles).join(' or ')}, a number of cases, and a seed.`)
await using _ = owned
for (const name of names) {
	if (isOfDefinitions) {
		await using subject = await subjects[name as keyof typeof subjects]()
		if (!subject) {
			console.log(`SKIPPED: ${name}, because this machine lacks its server.`)
			continue
		}
		const differences = await runDefinitions(subject, { pairs: cases, seed })
		for (const difference of differences) console.log(`\n${difference}\n`)
		console.log(`${name}: ${cases} pairs of definitions from seed ${seed}, ${differences.length} differences`)
		if (differences.length > 0) process.exitCode = 1
		continue
	}
	await using oracle = await oracles[name]?.()
	if (!oracle) {
		console.log(`SKIPPED: ${name}, because this machine lacks its server, or what starts it.`)
		continue
	}
	console.log(`oracle of ${name}, seed ${seed}`)
	if (isUndo) {
		const { made, conflicts, differences } = await runUndoPairs(oracle, { pairs: cases, seed })
		for (const difference of differences) console.log(`\n${difference}\n`)
		console.log(`${name}: ${made} pairs, ${conflicts} with conflicts, ${differences.length} differences`)
		if (differences.length > 0) process.exitCode = 1
		continue
	}
	const startedAt = performance.now()
	let told = 0
	const onProgress = (asked: number) => {
		if (asked < told + 5_000) return
		told = asked
		console.log(`${asked} cases, ${Math.round((asked / (performance.now() - startedAt)) * 1000)} each second`)
	}
	const onDifference = (difference: string) => console.log(`\n${difference}\n`)
	const { asked, differences } = await runOracle(oracle, { cases, seed, onProgress, onDifference })
	console.log(`${name}: ${asked} cases, ${differences.length} differences`)
	if (differences.length > 0) process.exitCode = 1
}
