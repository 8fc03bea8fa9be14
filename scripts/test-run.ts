import { relative } from 'node:path'
import { checkout } from './layout.ts'
import { runMeasured } from './run.ts'
import { type FileCpu, runVitest } from './run-vitest.ts'

/** Sums of one run of `npm test`: what passed, failed, was skipped or is flaky, and where the CPU time went. */
export class TestRun {
	#passed = 0
	readonly #failures: string[] = []
	readonly #flaky: string[] = []
	readonly #skipped: string[] = []
	readonly #stages = new Map<string, { readonly cpuSeconds: number; readonly seconds: number }>()
	readonly #files: FileCpu[] = []

	/** Notes what this machine cannot prove, and how it could. */
	skip(reason: string): void {
		this.#skipped.push(reason)
	}

	/**
	 * Runs a program that passes or fails as a whole. What it prints appears in one piece when it ends, because others run
	 * beside it.
	 */
	async check(stage: string, name: string, command: string, args: readonly string[]): Promise<void> {
		const startedAt = Date.now()
		const { code, cpuSeconds, output } = await runMeasured(command, args, { keepsOutput: true })
		process.stdout.write(`\n${name}:\n${output}\n`)
		this.#add(stage, { cpuSeconds, startedAt })
		if (code === 0) this.#passed++
		else this.#failures.push(name)
	}

	/** Runs projects of Vitest side by side and adds their tests. */
	async vitest(
		projects: readonly string[],
		args: readonly string[] = [],
		env: Readonly<Record<string, string>> = {},
	): Promise<void> {
		const startedAt = Date.now()
		const outcome = await runVitest([...projects.flatMap(name => ['--project', name]), ...args], env)
		this.#passed += outcome.passed
		this.#failures.push(...outcome.failures)
		this.#flaky.push(...outcome.flaky)
		this.#files.push(...outcome.files)
		if (outcome.pending > 0)
			this.skip(`${outcome.pending} tests of ${projects.join(' and ')} that say in their file what they need`)
		// Files of components and apps run in the browser, which no file can measure: they have what is left.
		let left = outcome.cpuSeconds
		const [rest = 'node', ...others] = projects.includes('component')
			? ['component', ...projects.filter(name => name !== 'component' && name !== 'apps')]
			: projects
		for (const project of others) {
			const files = outcome.files.filter(file => file.project === project)
			const seconds = files.reduce((sum, { cpuMs }) => sum + cpuMs / 1000, 0)
			this.#add(project, { cpuSeconds: seconds, startedAt })
			left -= seconds
		}
		this.#add(rest, { cpuSeconds: left, startedAt })
	}

	/** Prints the sums, the last line in the form that CI reads. @returns the exit code */
	report(): number {
		this.#printCpu()
		if (this.#skipped.length > 0) process.stdout.write('\nNOT PROVED on this machine:\n')
		for (const reason of this.#skipped) process.stdout.write(`  SKIPPED: ${reason}\n`)
		for (const failure of this.#flaky) process.stdout.write(`FLAKY: ${failure.slice(0, 4000)}\n`)
		for (const failure of this.#failures) process.stdout.write(`FAILED: ${failure.slice(0, 4000)}\n`)
		// CI installs what the tests need, so a skipped test is a defect there.
		const failed = this.#failures.length + (process.env.CI === 'true' ? this.#skipped.length : 0)
		process.stdout.write(`${this.#flaky.length} flaky\n`)
		const skipped = this.#skipped.length > 0 ? `, ${this.#skipped.length} skipped` : ''
		process.stdout.write(`${this.#passed} passed, ${failed} failed${skipped}\n`)
		return failed === 0 ? 0 : 1
	}

	#add(stage: string, { cpuSeconds, startedAt }: { readonly cpuSeconds: number; readonly startedAt: number }): void {
		const before = this.#stages.get(stage) ?? { cpuSeconds: 0, seconds: 0 }
		const seconds = before.seconds + (Date.now() - startedAt) / 1000
		this.#stages.set(stage, { cpuSeconds: before.cpuSeconds + cpuSeconds, seconds })
	}

	#printCpu(): void {
		process.stdout.write('\nCPU seconds by stage, and seconds by the clock:\n')
		for (const [stage, { cpuSeconds, seconds }] of this.#stages)
			process.stdout.write(`  ${cpuSeconds.toFixed(0).padStart(6)} s ${seconds.toFixed(0).padStart(6)} s  ${stage}\n`)
		const slowest = this.#files.toSorted((one, other) => other.cpuMs - one.cpuMs).slice(0, 10)
		process.stdout.write('\nThe ten files with the most CPU time:\n')
		for (const { file, cpuMs } of slowest) {
			process.stdout.write(`  ${(cpuMs / 1000).toFixed(1).padStart(6)} s  ${relative(checkout, file)}\n`)
		}
	}
}
