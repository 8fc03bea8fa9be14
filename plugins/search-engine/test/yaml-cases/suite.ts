import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { parseAllDocuments } from 'yaml'
import { type Api, officialClient, type RequestOf, specified } from './requests.ts'

/**
 * Elastic's own REST cases, Apache License 2.0, never committed: those of 7 are in `org.elasticsearch:rest-api-spec` of
 * Maven Central, which is downloaded (7.10.2 is the last version with them). Those of 8 and 9 are in the repository
 * `elastic/elasticsearch-clients-tests` on GitHub, with a branch for each minor version.
 */
const artifact = 'org.elasticsearch:rest-api-spec:7.10.2'

/** A step: `do`, `match`, `set`, …, with its argument. */
export type Step = Readonly<Record<string, unknown>>

export interface YamlCase {
	/** `search/10_source_filtering: _source: true` */
	readonly name: string
	readonly setup: readonly Step[]
	readonly steps: readonly Step[]
	readonly teardown: readonly Step[]
}

export interface Suite {
	readonly source: string
	readonly cases: readonly YamlCase[]
	readonly requestOf: RequestOf
}

/** Reads the cases in a checkout of `elastic/elasticsearch-clients-tests`. Its requests are those of the official client. */
export async function readClientSuite(
	folder: string,
	{ major, isServerless }: { readonly major: number; readonly isServerless: boolean },
): Promise<Suite> {
	const files = (await readdir(join(folder, 'tests'), { recursive: true })).filter(path => path.endsWith('.yml')).sort()
	const kind = isServerless ? 'serverless' : 'stack'
	const cases = await Promise.all(
		files.map(async path => casesOf(path, await readFile(join(folder, 'tests', path), 'utf8'), kind)),
	)
	return { source: 'elastic/elasticsearch-clients-tests', cases: cases.flat(), requestOf: await officialClient(major) }
}

/** Downloads the artifact once, into `cache`, and reads it. */
export async function readSuite(cache: string): Promise<Suite> {
	const jar = join(cache, 'rest-api-spec-7.10.2.jar')
	if (!existsSync(jar)) {
		await mkdir(cache, { recursive: true })
		const words = ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${cache}`]
		const { status, stdout, stderr } = spawnSync('mvn', words, { cwd: cache, encoding: 'utf8' })
		if (status !== 0) throw new Error(`${artifact} cannot be downloaded:\n${stdout}\n${stderr}`)
	}
	const files = Object.entries(unzipSync(await readFile(jar))).map(([path, bytes]) => [path, text(bytes)] as const)
	const apis = new Map(files.filter(([path]) => /\/api\/.*\.json$/.test(path)).flatMap(([, json]) => apisOf(json)))
	return {
		source: artifact,
		cases: files.filter(([path]) => /\/test\/.*\.yml$/.test(path)).flatMap(([path, yaml]) => casesOf(path, yaml)),
		requestOf: specified(apis),
	}
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

/** @param kind of the clusters that the cases must be for, if a file names any */
function casesOf(path: string, yaml: string, kind: 'stack' | 'serverless' = 'stack'): readonly YamlCase[] {
	const parts = parseAllDocuments(yaml)
		.map(document => document.toJS({ maxAliasCount: -1 }))
		.filter(part => part !== null && typeof part === 'object')
		.flatMap(part => Object.entries(part as Readonly<Record<string, readonly Step[]>>))
	const stepsOf = (wanted: string) => parts.filter(([name]) => name === wanted).flatMap(([, steps]) => steps ?? [])
	const [requires] = parts.filter(([name]) => name === 'requires').map(([, value]) => value as unknown)
	if (requires !== undefined && (requires as Readonly<Record<string, unknown>>)[kind] !== true) return []
	const file = path.replace(/^.*\/test\//, '').replace(/\.yml$/, '')
	return parts
		.filter(([name]) => !['setup', 'teardown', 'requires'].includes(name))
		.map(([name, steps]) => ({
			name: `${file}: ${name}`,
			setup: stepsOf('setup'),
			steps: steps ?? [],
			teardown: stepsOf('teardown'),
		}))
}

function apisOf(json: string): readonly (readonly [string, Api])[] {
	const apis = JSON.parse(json) as Readonly<
		Record<string, { readonly url?: Pick<Api, 'paths'>; readonly body?: { readonly serialize?: string } }>
	>
	return Object.entries(apis).flatMap(([name, { url, body }]) =>
		url ? [[name, { paths: url.paths, isBulk: body?.serialize === 'bulk' }] as const] : [],
	)
}
