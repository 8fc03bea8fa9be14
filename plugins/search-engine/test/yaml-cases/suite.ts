import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { parseAllDocuments } from 'yaml'

/**
 * Elasticsearch's own REST cases: `org.elasticsearch:rest-api-spec` of Maven Central, Apache License 2.0. The last version
 * there that contains them is 7.10.2. They are downloaded, and never committed.
 */
export const source = 'org.elasticsearch:rest-api-spec:7.10.2'

/** A step: `do`, `match`, `set`, …, with its argument. */
export type Step = Readonly<Record<string, unknown>>

export interface YamlCase {
	/** `search/10_source_filtering: _source: true` */
	readonly name: string
	readonly setup: readonly Step[]
	readonly steps: readonly Step[]
	readonly teardown: readonly Step[]
}

/** An API of the specification, as far as requests need it. */
export interface Api {
	readonly paths: readonly {
		readonly path: string
		readonly methods: readonly string[]
		readonly parts?: Readonly<Record<string, unknown>>
	}[]
	/** Whether its body is lines of JSON. */
	readonly isBulk: boolean
}

export interface Suite {
	readonly cases: readonly YamlCase[]
	readonly apis: ReadonlyMap<string, Api>
}

/** Downloads the artifact once, into `cache`, and reads it. */
export async function readSuite(cache: string): Promise<Suite> {
	const jar = join(cache, 'rest-api-spec-7.10.2.jar')
	if (!existsSync(jar)) {
		await mkdir(cache, { recursive: true })
		const words = ['-q', '-B', 'dependency:copy', `-Dartifact=${source}`, `-DoutputDirectory=${cache}`]
		const { status, stdout, stderr } = spawnSync('mvn', words, { cwd: cache, encoding: 'utf8' })
		if (status !== 0) throw new Error(`${source} cannot be downloaded:\n${stdout}\n${stderr}`)
	}
	const files = Object.entries(unzipSync(await readFile(jar))).map(([path, bytes]) => [path, text(bytes)] as const)
	return {
		cases: files.filter(([path]) => /\/test\/.*\.yml$/.test(path)).flatMap(([path, yaml]) => casesOf(path, yaml)),
		apis: new Map(files.filter(([path]) => /\/api\/.*\.json$/.test(path)).flatMap(([, json]) => apisOf(json))),
	}
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

function casesOf(path: string, yaml: string): readonly YamlCase[] {
	const parts = parseAllDocuments(yaml)
		.map(document => document.toJS({ maxAliasCount: -1 }))
		.filter(part => part !== null && typeof part === 'object')
		.flatMap(part => Object.entries(part as Readonly<Record<string, readonly Step[]>>))
	const stepsOf = (wanted: string) => parts.filter(([name]) => name === wanted).flatMap(([, steps]) => steps ?? [])
	const file = path.replace(/^.*\/test\//, '').replace(/\.yml$/, '')
	return parts
		.filter(([name]) => name !== 'setup' && name !== 'teardown')
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
