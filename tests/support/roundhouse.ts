import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import { openSupportDirectory } from '../../base/support-directory.ts'
import type { Entry } from '../../host/api/api.ts'
import { connectToHost, type HostClient } from '../../host/api/client.ts'
import { endOfLog, type TestedHost, testedHosts } from './tested-hosts.ts'

/** The product as a user runs it: the launcher, a separate support directory, real processes. */

const launcher = join(import.meta.dirname, '..', '..', 'host', 'bin', 'roundhouse.mjs')
/** With these variables the launcher runs the command line in its own process. */
const flags = ['--disable-sigusr1']

export interface Ready {
	readonly pid: number
	readonly home: string
	readonly mcp: { readonly url: string; readonly port: number }
	readonly ui: { readonly url: string } | null
}

export interface CommandResult {
	readonly code: number
	readonly stdout: string
	readonly stderr: string
}

export class Roundhouse implements AsyncDisposable, TestedHost {
	readonly home: string
	readonly #env: Readonly<Record<string, string>>
	readonly #atEnd: (() => void)[] = []
	/** Commands without an end yet. */
	readonly #running = new Map<ChildProcess, string>()
	#host: ChildProcess | undefined
	#log = ''
	isDisposed = false

	private constructor(home: string, env: Readonly<Record<string, string>>) {
		this.home = home
		this.#env = env
		testedHosts.add(this)
	}

	/** Creates an empty support directory; `env` is added to the environment of the commands. */
	static async make(env: Readonly<Record<string, string>> = {}): Promise<Roundhouse> {
		return new Roundhouse(await mkdtemp(join(tmpdir(), 'roundhouse-home-')), env)
	}

	/** The end of what the host logged. */
	get log(): string {
		return this.#log
	}

	/** The commands that have not ended. */
	get running(): readonly string[] {
		return [...this.#running.values()]
	}

	get environment(): NodeJS.ProcessEnv {
		return {
			...process.env,
			ROUNDHOUSE_HOME: this.home,
			ROUNDHOUSE_SECRETS: 'file',
			ROUNDHOUSE_WINDOW: 'none',
			...this.#env,
		}
	}

	/** Returns how another program starts a command. */
	command(...args: string[]): { readonly command: string; readonly args: string[] } {
		return { command: process.execPath, args: [...flags, launcher, ...args] }
	}

	/**
	 * `isLaunched`: through the launcher's process, as `npx --no roundhouse` does, which starts the process with the flags.
	 */
	spawn(args: readonly string[], { isLaunched = false } = {}): ChildProcess {
		const child = spawn(process.execPath, [...(isLaunched ? [] : flags), launcher, ...args], {
			env: this.environment,
			stdio: ['pipe', 'pipe', 'pipe'],
		})
		this.#running.set(child, args.join(' '))
		child.once('exit', () => this.#running.delete(child))
		return child
	}

	/** Runs one command to its end. */
	async run(args: readonly string[], stdin = ''): Promise<CommandResult> {
		const child = this.spawn(args)
		child.stdin?.end(stdin)
		const [stdout, stderr, [code]] = await Promise.all([
			child.stdout ? text(child.stdout) : '',
			child.stderr ? text(child.stderr) : '',
			once(child, 'exit'),
		])
		return { code, stdout, stderr }
	}

	/** Runs one command that must succeed, and parses the JSON that it prints. */
	async json<T = Record<string, unknown>>(args: readonly string[], stdin?: string): Promise<T> {
		const { code, stdout, stderr } = await this.run([...args, '--json'], stdin)
		if (code !== 0) throw new Error(`roundhouse ${args.join(' ')} failed: ${stderr}`)
		return JSON.parse(stdout)
	}

	/** Installs the driver: a copy of the run's installation, or a new installation. */
	async install(): Promise<void> {
		const installed = process.env.ROUNDHOUSE_TEST_INSTALLED
		if (installed) await cp(installed, this.home, { recursive: true })
		else await this.json(['plugin', 'install', 'search-engine'])
	}

	/**
	 * Installs the driver and saves a connection to its sample.
	 * @returns the connection's id
	 */
	async addSample(...policies: readonly string[]): Promise<string> {
		await this.install()
		const { id } = await this.json<{ id: string }>([
			'connection',
			'add',
			'--driver',
			'search-engine',
			'--name',
			'Sample',
			'--sample',
			...policies,
		])
		return id
	}

	/** Creates a token for an AI client. */
	async addToken(level: 'read-only' | 'read-write' | 'full', groups: readonly ToolGroup[] = []): Promise<string> {
		const shown = groups.flatMap(group => ['--group', group])
		return (await this.json<{ token: string }>(['token', 'create', '--name', 'mine', '--level', level, ...shown])).token
	}

	/** Returns an address that admits one browser to the running host's window, as `roundhouse open` prints it. */
	async enter(): Promise<Entry> {
		return this.withHost(host => host.call('app.entry', {}))
	}

	/** Calls the running host, like commands do. */
	async withHost<T>(work: (host: HostClient) => Promise<T>): Promise<T> {
		const client = await connectToHost(await openSupportDirectory(this.home))
		if (!client) throw new Error('no host answers')
		await using host = client
		return await work(host)
	}

	/** Returns whether the started host has exited. */
	get hasEnded(): boolean {
		return this.#host !== undefined && (this.#host.exitCode !== null || this.#host.signalCode !== null)
	}

	/** Runs when the test is over. */
	onDispose(work: () => void): void {
		this.#atEnd.push(work)
	}

	/** Starts the host and waits for its ready line. */
	async serve(args: readonly string[] = []): Promise<Ready> {
		const host = this.spawn(['serve', '--mcp-port', '0', '--ui-port', '0', ...args])
		this.#host = host
		const failed = once(host, 'exit').then(async () => {
			throw new Error(`the host ended before it was ready: ${host.stderr?.read() ?? ''}`)
		})
		failed.catch(() => {})
		const [line] = await Promise.race([once(host.stdout ?? host, 'data'), failed])
		host.stderr?.on('data', (chunk: Buffer) => {
			this.#log = endOfLog(this.#log + chunk)
		})
		return JSON.parse(String(line))
	}

	/** Stops the host like a user, and returns its exit code. */
	async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
		const host = this.#host
		this.#host = undefined
		if (!host || host.exitCode !== null) return host?.exitCode ?? null
		const exited = once(host, 'exit')
		host.kill(signal)
		const [code] = await exited
		return code
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.stop()
		this.isDisposed = true
		for (const work of this.#atEnd) work()
		// A host in the background that is just ending may still write there.
		await rm(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
	}
}
