import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { directContext } from '@roundhouse/kit/testing'
import { connect } from '../../connect.ts'
import type { SearchConnection } from '../../connection.ts'
import { jdkFor, missingTools, prepare, releases, start } from '../engines/engine.ts'
import { call, decode, statement } from '../fixture.ts'
import { serverlessProxy } from '../serverless-proxy.ts'
import { NotRunnable, type Request } from './requests.ts'
import { type Answer, runCase, type Send } from './run-case.ts'
import { readClientSuite, readSuite, type YamlCase } from './suite.ts'

/**
 * `npm run test:yaml [VERSION] [NAME] [--cases FOLDER] [--serverless]`: runs Elastic's own REST cases on a real node,
 * each twice: by a plain client, and through the console of the driver. A case that holds for the plain client and not for
 * the driver is a defect of the driver. Cases that the node of the tests cannot run, for example those that need scripts,
 * are counted.
 *
 * For 8 and 9, `--cases` names a checkout of `elastic/elasticsearch-clients-tests` at the branch of the version. With
 * `--serverless`, the cases are those of Serverless, and the driver's requests pass a proxy that refuses what Serverless
 * does not offer.
 */

const checkout = join(import.meta.dirname, '../../../..')
const cache = join(checkout, 'node_modules/.cache/roundhouse-engines')
const {
	values: { cases: folder, serverless: isServerless = false },
	positionals: [wanted = '7.17.29', only = ''],
} = parseArgs({
	allowPositionals: true,
	options: { cases: { type: 'string' }, serverless: { type: 'boolean' } },
})
const major = Number.parseInt(wanted, 10)
const missing = missingTools()
const release = releases.find(({ version }) => version === wanted)
const jdk = release && jdkFor(release)
if (missing !== undefined || !release || jdk === undefined)
	throw new Error(`The cases need Java, Maven and one of ${releases.map(({ version }) => version).join(', ')}.`)

if (folder === undefined && major > 7)
	throw new Error(`The cases of ${wanted} need --cases with a checkout of elastic/elasticsearch-clients-tests.`)
const { source, cases, requestOf } = await (folder === undefined
	? readSuite(cache)
	: readClientSuite(folder, { major, isServerless }))
await using engine = await start(release, await prepare(release, cache, jdk), jdk)
await using proxy = isServerless ? await serverlessProxy(engine.url) : undefined
await using connection = await openConnection(proxy?.hosts ?? engine.url)
const counts = { held: 0, notHere: 0, notPlain: 0 }
const failures: string[] = []
for (const one of cases.filter(({ name }) => name.includes(only))) {
	const plain = await outcome(one, bare)
	await wipe()
	if (plain instanceof NotRunnable) counts.notHere++
	else if (plain) counts.notPlain++
	else {
		const error = await outcome(one, throughDriver)
		await wipe()
		if (error) failures.push(`${one.name}: ${error.message}`)
		else counts.held++
	}
}
console.log(
	`${source} on Elasticsearch ${wanted}${isServerless ? ' as Serverless' : ''}: ${counts.held} cases hold through the driver as for a plain client, ` +
		`${failures.length} do not; ${counts.notPlain} do not hold for a plain client on this node either, and ${counts.notHere} are not for it.`,
)
for (const failure of failures) console.log(`  ${failure}`)
process.exitCode = failures.length === 0 && counts.held > 0 ? 0 : 1

async function outcome(one: YamlCase, send: Send): Promise<Error | undefined> {
	try {
		await runCase(one, { send, requestOf, version: wanted })
		return undefined
	} catch (error) {
		return error instanceof Error ? error : new Error(String(error))
	}
}

async function bare({ method, path, body }: Request): Promise<Answer> {
	const headers = { 'content-type': body?.endsWith('\n') ? 'application/x-ndjson' : 'application/json' }
	const response = await fetch(engine.url + path, { method, headers, ...(body !== undefined && { body }) })
	return { status: response.status, text: await response.text() }
}

async function throughDriver({ method, path, body }: Request): Promise<Answer> {
	const text = `${method} ${path}${body === undefined ? '' : `\n${body}`}`
	const options = { maxRows: 10, showsRefusals: true }
	const result = decode(await connection.console.run(statement(connection, text), options, call()))
	return {
		status: Number.parseInt(result.status, 10),
		text: typeof result.raw === 'string' ? result.raw : Buffer.from(result.raw ?? []).toString('utf8'),
	}
}

async function openConnection(url: string): Promise<SearchConnection & AsyncDisposable> {
	const opened = await connect({ hosts: url, auth: 'none' }, directContext(), call())
	return Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close() })
}

/** Removes what a case left. */
async function wipe(): Promise<void> {
	for (const path of [
		'/*?expand_wildcards=all',
		'/_template/*',
		'/_index_template/*',
		'/_component_template/*',
		'/_ingest/pipeline/*',
	])
		await bare({ method: 'DELETE', path, body: undefined })
	const none = { persistent: { '*': null }, transient: { '*': null } }
	await bare({ method: 'PUT', path: '/_cluster/settings', body: JSON.stringify(none) })
}
