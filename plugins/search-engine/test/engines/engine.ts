import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, delimiter, join, sep } from 'node:path'

/** A version of Elasticsearch that can be assembled from Maven Central's artifacts. */
export interface EngineRelease {
	readonly version: string
	/** Group, artifact and version of each. Their dependencies are included. */
	readonly artifacts: readonly string[]
	readonly plugins: readonly string[]
	/** Whether plugins are modules in folders, as from 8.3 on. Otherwise they are on the class path. */
	readonly isModular?: boolean
	/** The least version of Java that runs it. */
	readonly java: number
}

/**
 * The releases that the small classes beside this file can start. From 8.9 on, `GET /` is in a module that Central does
 * not have, so `RootPlugin` answers it. Requests by query (`_delete_by_query`, `_reindex`) are in 7.17 only. None has security, TLS, scripts, ES|QL or X-Pack types.
 */
export const releases: readonly EngineRelease[] = [
	{
		version: '7.17.29',
		artifacts: [
			'org.elasticsearch:elasticsearch:7.17.29',
			'org.elasticsearch.plugin:transport-netty4-client:7.17.29',
			'org.elasticsearch.plugin:mapper-extras-client:7.17.29',
			'org.elasticsearch.plugin:reindex-client:7.17.29',
			'org.apache.logging.log4j:log4j-core:2.17.1',
		],
		plugins: [
			'org.elasticsearch.transport.Netty4Plugin',
			'org.elasticsearch.index.mapper.MapperExtrasPlugin',
			'org.elasticsearch.reindex.ReindexPlugin',
		],
		java: 17,
	},
	{
		version: '8.2.3',
		artifacts: [
			'org.elasticsearch:elasticsearch:8.2.3',
			'org.elasticsearch.plugin:transport-netty4:8.2.3',
			'org.apache.logging.log4j:log4j-core:2.17.1',
		],
		plugins: ['org.elasticsearch.transport.netty4.Netty4Plugin'],
		java: 17,
	},
	modularRelease('8.19.0'),
	modularRelease('9.2.0'),
]

function modularRelease(version: string): EngineRelease {
	return {
		version,
		artifacts: [
			`org.elasticsearch:elasticsearch:${version}`,
			`org.elasticsearch.plugin:transport-netty4:${version}`,
			'org.apache.logging.log4j:log4j-core:2.19.0',
		],
		plugins: ['org.elasticsearch.transport.netty4.Netty4Plugin', 'root.RootPlugin'],
		isModular: true,
		java: 21,
	}
}

/** Returns the tools that this machine lacks, or `undefined` if nodes can be built. */
export function missingTools(): string | undefined {
	const missing = ['mvn', 'java', 'javac'].filter(tool => spawnSync(tool, ['-version']).error !== undefined)
	return missing.length > 0 ? missing.join(', ') : undefined
}

/**
 * Returns the folder of the programs of a JDK for the release, with a separator at its end, or `undefined` if there is
 * none: first that of the path and of `JAVA_HOME`, then those that Debian's packages install.
 */
export function jdkFor({ java }: EngineRelease): string | undefined {
	const { JAVA_HOME } = process.env
	const homes = [...(JAVA_HOME ? [JAVA_HOME] : []), ...globSync('/usr/lib/jvm/*').toSorted()]
	return ['', ...homes.map(home => join(home, 'bin') + sep)].find(folder => versionOfJdk(folder) >= java)
}

/** Returns the major version of the compiler in the folder, or 0. */
function versionOfJdk(folder: string): number {
	const { stdout, stderr } = spawnSync(`${folder}javac`, ['-version'], { encoding: 'utf8' })
	return Number(/javac (\d+)/.exec(`${stdout ?? ''}${stderr ?? ''}`)?.[1] ?? 0)
}

/**
 * Downloads the jars once, into `cache`, and compiles the node. They are for tests only: never shipped, never
 * committed.
 */
export async function prepare(release: EngineRelease, cache: string, jdk: string): Promise<string> {
	const folder = join(cache, release.version)
	const finished = join(folder, 'finished')
	const project = pomOf(release)
	if ((await readFile(finished, 'utf8').catch(() => '')) === project) return folder
	await rm(folder, { recursive: true, force: true })
	await mkdir(join(folder, 'classes'), { recursive: true })
	await writeFile(join(folder, 'pom.xml'), project)
	run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], folder)
	const compile = (classes: string, ...sources: readonly string[]) => {
		const files = sources.map(source => join(import.meta.dirname, source))
		run(`${jdk}javac`, ['-nowarn', '-cp', 'lib/*', '-d', classes, ...files], folder)
	}
	if (release.isModular) {
		compile('classes', 'ModularNode.java', 'EngineFolder.java')
		compile('root-classes', 'root/RootPlugin.java')
		await mkdir(join(folder, 'RootPlugin'), { recursive: true })
		run(`${jdk}jar`, ['--create', '--file', 'RootPlugin/root.jar', '-C', 'root-classes', '.'], folder)
		await mkdir(join(folder, 'Netty4Plugin'), { recursive: true })
		for (const jar of globSync(join(folder, 'lib/{netty-,transport-netty4-}*.jar'))) {
			await rename(jar, join(folder, 'Netty4Plugin', basename(jar)))
		}
	} else {
		compile('classes', 'EngineNode.java', 'EngineFolder.java')
	}
	await writeFile(finished, project)
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

/** Where the jars are kept. */
export const engineCache = join(import.meta.dirname, '../../../../node_modules/.cache/roundhouse-engines')

/** Starts a node, or returns `undefined` if this machine lacks a JDK or Maven. */
export async function startRelease(release: EngineRelease): Promise<RunningEngine | undefined> {
	const jdk = missingTools() === undefined ? jdkFor(release) : undefined
	return jdk === undefined ? undefined : start(release, await prepare(release, engineCache, jdk), jdk)
}

export interface RunningEngine extends AsyncDisposable {
	readonly url: string
}

/** Starts a node on a free loopback port. Its data is deleted when it stops. */
export async function start(release: EngineRelease, folder: string, jdk: string): Promise<RunningEngine> {
	const home = await mkdtemp(join(tmpdir(), `roundhouse-engine-${release.version}-`))
	const port = await freePort()
	const flags = [
		'-XX:TieredStopAtLevel=1',
		'-XX:+UseSerialGC',
		release.isModular ? '-Xmx768m' : '-Xmx512m',
		'-Dio.netty.noUnsafe=true',
		'-Des.set.netty.runtime.available.processors=false',
	]
	const classPath = ['-cp', ['classes', 'lib/*'].join(delimiter)]
	const { version, plugins } = release
	const node = release.isModular
		? [...modularFlags(home), ...classPath, 'ModularNode', home, String(port), version, ...plugins.flatMap(withFolder)]
		: [...classPath, 'EngineNode', home, String(port), ...plugins]
	const child = spawn(`${jdk}java`, [...flags, ...node], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
	await started(child, release)
	return {
		url: `http://127.0.0.1:${port}`,
		async [Symbol.asyncDispose]() {
			const ended = new Promise(resolve => child.once('exit', resolve))
			child.stdin?.end()
			await ended
			await rm(home, { recursive: true, force: true })
		},
	}
}

/** The server's start program sets these. `docker` is a distribution without native programs. */
function modularFlags(home: string): readonly string[] {
	return [
		'-Des.distribution.type=docker',
		`-Des.path.home=${home}`,
		`-Djava.library.path=${join(home, 'lib')}`,
		'--add-opens=java.base/java.nio=ALL-UNNAMED',
		'--enable-native-access=ALL-UNNAMED',
	]
}

/** Returns a plugin's class and the folder of its jars, which has the class's simple name. */
function withFolder(plugin: string): readonly string[] {
	return [plugin, plugin.slice(plugin.lastIndexOf('.') + 1)]
}

function started(child: ChildProcess, { version }: EngineRelease): Promise<void> {
	return new Promise((resolve, reject) => {
		let output = ''
		const giveUp = () => {
			child.kill()
			reject(new Error(`Elasticsearch ${version} did not start within five minutes:\n${output}`))
		}
		const timer = setTimeout(giveUp, 300_000)
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
