import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A version of Elasticsearch that can be assembled from Maven Central's artifacts. */
export interface EngineRelease {
	readonly version: string
	/** Group, artifact and version of each. Their dependencies are included. */
	readonly artifacts: readonly string[]
	readonly plugins: readonly string[]
}

/**
 * The releases that one small class can start: from 8.3 on, a node is created differently, and from 8.9 on `GET /` is
 * in a module that Central does not have. Neither has security, TLS, scripts or X-Pack types.
 */
export const releases: readonly EngineRelease[] = [
	{
		version: '7.17.29',
		artifacts: [
			'org.elasticsearch:elasticsearch:7.17.29',
			'org.elasticsearch.plugin:transport-netty4-client:7.17.29',
			'org.elasticsearch.plugin:mapper-extras-client:7.17.29',
			'org.apache.logging.log4j:log4j-core:2.17.1',
		],
		plugins: ['org.elasticsearch.transport.Netty4Plugin', 'org.elasticsearch.index.mapper.MapperExtrasPlugin'],
	},
	{
		version: '8.2.3',
		artifacts: [
			'org.elasticsearch:elasticsearch:8.2.3',
			'org.elasticsearch.plugin:transport-netty4:8.2.3',
			'org.apache.logging.log4j:log4j-core:2.17.1',
		],
		plugins: ['org.elasticsearch.transport.netty4.Netty4Plugin'],
	},
]

/** Returns the tools that this machine lacks, or `undefined` if nodes can be built. */
export function missingTools(): string | undefined {
	const missing = ['mvn', 'java', 'javac'].filter(tool => spawnSync(tool, ['-version']).error !== undefined)
	return missing.length > 0 ? missing.join(', ') : undefined
}

/**
 * Downloads the jars once, into `cache`, and compiles the node. They are for tests only: never shipped, never
 * committed.
 */
export async function prepare(release: EngineRelease, cache: string): Promise<string> {
	const folder = join(cache, release.version)
	const finished = join(folder, 'finished')
	if (await exists(finished)) return folder
	await mkdir(join(folder, 'classes'), { recursive: true })
	await writeFile(join(folder, 'pom.xml'), pomOf(release))
	run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], folder)
	const source = join(import.meta.dirname, 'EngineNode.java')
	run('javac', ['-nowarn', '-cp', 'lib/*', '-d', 'classes', source], folder)
	await writeFile(finished, '')
	return folder
}

function pomOf({ version, artifacts }: EngineRelease): string {
	const dependencies = artifacts.map(artifact => {
		const [group, name, number] = artifact.split(':')
		return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${number}</version></dependency>`
	})
	return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>roundhouse.tests</groupId><artifactId>engine</artifactId><version>${version}</version>
<dependencies>${dependencies.join('\n')}</dependencies></project>\n`
}

function run(command: string, parameters: readonly string[], folder: string) {
	const { status, stdout, stderr } = spawnSync(command, parameters, { cwd: folder, encoding: 'utf8' })
	if (status !== 0) throw new Error(`${command} failed:\n${stdout}\n${stderr}`)
}

export interface RunningEngine {
	readonly url: string
	close(): Promise<void>
}

/** Starts a node on a free loopback port. Its data is deleted when it stops. */
export async function start(release: EngineRelease, folder: string): Promise<RunningEngine> {
	const home = await mkdtemp(join(tmpdir(), `roundhouse-engine-${release.version}-`))
	const port = await freePort()
	const flags = [
		'-Xms512m',
		'-XX:TieredStopAtLevel=1',
		'-XX:+UseSerialGC',
		'-Xmx512m',
		'-Dio.netty.noUnsafe=true',
		'-Des.set.netty.runtime.available.processors=false',
	]
	const classPath = ['classes', 'lib/*'].join(process.platform === 'win32' ? ';' : ':')
	const child = spawn('java', [...flags, '-cp', classPath, 'EngineNode', home, String(port), ...release.plugins], {
		cwd: folder,
		stdio: ['pipe', 'pipe', 'pipe'],
	})
	await started(child, release)
	return {
		url: `http://127.0.0.1:${port}`,
		async close() {
			const ended = new Promise(resolve => child.once('exit', resolve))
			child.stdin?.end()
			await ended
			await rm(home, { recursive: true, force: true })
		},
	}
}

function started(child: ChildProcess, { version }: EngineRelease): Promise<void> {
	return new Promise((resolve, reject) => {
		let output = ''
		const giveUp = () => {
			child.kill()
			reject(new Error(`Elasticsearch ${version} did not start within a minute:\n${output}`))
		}
		const timer = setTimeout(giveUp, 60_000)
		const read = (chunk: Buffer) => {
			output += chunk.toString('utf8')
			if (!/^started$/m.test(output)) return
			clearTimeout(timer)
			resolve()
		}
		child.stdout?.on('data', read)
		child.stderr?.on('data', read)
		child.once('exit', code => {
			clearTimeout(timer)
			reject(new Error(`Elasticsearch ${version} ended with ${code}:\n${output}`))
		})
	})
}

function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer()
		server.once('error', reject)
		server.listen(0, '127.0.0.1', () => {
			const address = server.address()
			server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
		})
	})
}

async function exists(path: string): Promise<boolean> {
	try {
		await access(path)
		return true
	} catch {
		// A missing file is a valid result.
		return false
	}
}
