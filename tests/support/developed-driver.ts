import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { openSupportDirectory } from '../../base/support-directory.ts'
import { connectToHost, type HostClient } from '../../host/api/client.ts'
import { Roundhouse } from './roundhouse.ts'

/** One line of `roundhouse driver dev --json`. */
type Event = Readonly<Record<string, unknown>> & { readonly event?: string }

/** A new driver from the minimal template, and `roundhouse driver dev` on it. */
export class DevelopedDriver implements AsyncDisposable {
	readonly folder: string
	readonly #author: Roundhouse
	readonly #events: Event[] = []
	readonly #owned: AsyncDisposableStack
	#seen = 0

	private constructor(folder: string, author: Roundhouse, owned: AsyncDisposableStack) {
		this.folder = folder
		this.#author = author
		this.#owned = owned
	}

	/** Creates the driver `notes`. */
	static async make(): Promise<DevelopedDriver> {
		await using owned = new AsyncDisposableStack()
		const place = await mkdtemp(join(tmpdir(), 'roundhouse-author-'))
		owned.defer(() => rm(place, { recursive: true, force: true }))
		const author = owned.use(await Roundhouse.make())
		const { command, args } = author.command('driver', 'new', 'notes')
		await once(spawn(command, args, { cwd: place, env: author.environment, stdio: 'ignore' }), 'exit')
		return new DevelopedDriver(join(place, 'notes'), author, owned.move())
	}

	/** Starts `roundhouse driver dev`. */
	start(...options: readonly string[]): void {
		const { command, args } = this.#author.command('driver', 'dev', this.folder, '--json', ...options)
		const child: ChildProcess = spawn(command, args, {
			env: this.#author.environment,
			stdio: ['ignore', 'pipe', 'ignore'],
		})
		if (child.stdout) createInterface(child.stdout).on('line', line => this.#events.push(JSON.parse(line)))
		this.#owned.defer(async () => {
			child.kill('SIGTERM')
			if (child.exitCode === null) await once(child, 'exit')
		})
	}

	/** Waits for the next event of a kind, after those that were returned before. */
	async next(event: string): Promise<Event> {
		await expect.poll(() => this.#find(event), { timeout: 40_000 }).not.toBe(-1)
		const at = this.#find(event)
		this.#seen = at + 1
		return this.#events[at] ?? {}
	}

	#find(event: string): number {
		return this.#events.findIndex((one, at) => at >= this.#seen && one.event === event)
	}

	/** Connects to the host, once it is ready. */
	async host(): Promise<HostClient> {
		const { home } = await this.next('ready')
		const host = await connectToHost(await openSupportDirectory(String(home)))
		if (!host) throw new Error('no host answers')
		return this.#owned.use(host)
	}

	read(name: string): Promise<string> {
		return readFile(join(this.folder, name), 'utf8')
	}

	/** Replaces a text of a source, as an editor would save it. */
	async edit(name: string, before: string, after: string): Promise<void> {
		const text = await this.read(name)
		expect(text).toContain(before)
		await writeFile(
			join(this.folder, name),
			text.replace(before, () => after),
		)
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.#owned.disposeAsync()
	}
}
