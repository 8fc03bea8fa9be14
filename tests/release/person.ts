import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { checkout } from '../../scripts/layout.ts'

export interface Outcome {
	readonly code: number | null
	readonly stdout: string
	readonly stderr: string
	readonly seconds: number
}

/** A person with Node and npm, an empty folder and a HOME. Nothing of the checkout is on the path. */
export class Person {
	readonly home: string
	/** Where commands run. */
	readonly folder: string
	readonly env: NodeJS.ProcessEnv

	private constructor(home: string, folder: string, env: NodeJS.ProcessEnv) {
		this.home = home
		this.folder = folder
		this.env = env
	}

	static async make(root: string, npmRegistry: string): Promise<Person> {
		const [home, folder] = [join(root, 'home'), join(root, 'empty')]
		for (const path of [home, folder]) await mkdir(path, { recursive: true })
		const programs = (process.env.PATH ?? '').split(delimiter).filter(path => !path.startsWith(checkout))
		return new Person(home, folder, {
			PATH: [join(root, 'npm', 'bin'), ...programs].join(delimiter),
			HOME: home,
			ROUNDHOUSE_WINDOW: 'none',
			ROUNDHOUSE_SECRETS: 'file',
			npm_config_registry: npmRegistry,
			npm_config_prefix: join(root, 'npm'),
			npm_config_update_notifier: 'false',
		})
	}

	spawn(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
		return spawn(command, args, { cwd: this.folder, env: { ...this.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
	}

	/** Runs a command to its end. */
	async run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
		const start = performance.now()
		const child = this.spawn(command, args, env)
		child.stdin?.end()
		const [stdout, stderr, [code]] = await Promise.all([
			child.stdout ? text(child.stdout) : '',
			child.stderr ? text(child.stderr) : '',
			once(child, 'exit'),
		])
		return { code, stdout, stderr, seconds: (performance.now() - start) / 1000 }
	}

	/** Runs a command that must succeed. */
	async must(command: string, ...args: readonly string[]): Promise<Outcome> {
		const outcome = await this.run(command, args)
		if (outcome.code !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${outcome.stderr || outcome.stdout}`)
		return outcome
	}
}
