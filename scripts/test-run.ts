import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { checkout } from './layout.ts'
import { type FileCpu, runVitest } from './run-vitest.ts'

/** Sums of one run of `npm test`: what passed, failed, was skipped or is flaky, and where the CPU time went. */
export class TestRun {
	#passed = 0
	readonly #failures: string[] = []
	readonly #flaky: string[] = []
	readonly #skipped: string[] = []
	/** CPU seconds by stage. */
	readonly #cpu = new Map<string, number>()
	readonly #files: FileCpu[] = []

	/** Notes what this machine cannot prove, and how it could. */
	skip(reason: string): void {
		this.#skipped.push(reason)
	}

	/** Runs a program that passes or fails as a whole. */
	async check(stage: string, name: string, work: () => Promise<number>): Promise<void> {
		const code = await this.#measure(stage, work)
		if (code === 0) this.#passed++
		else this.#failures.push(name)
	}

	/** Runs projects of Vitest side by side and adds their tests. */
	async vitest(
		projects: readonly string[],
		args: readonly string[] = [],
		env: Readonly<Record<string, string>> = {},
	): Promise<void> {
		const before = childCpuSeconds()
		const outcome = await runVitest([...projects.flatMap(name => ['--project', name]), ...args], env)
		this.#passed += outcome.passed
		this.#failures.push(...outcome.failures)
		this.#flaky.push(...outcome.flaky)
		this.#files.push(...outcome.files)
		if (outcome.pending > 0)
			this.skip(`${outcome.pending} tests of ${projects.join(' and ')} that say in their file what they need`)
		// Files of components and apps run in the browser, which no file can measure: they have what is left.
		let left = childCpuSeconds() - before
		const [rest = 'node', ...others] = projects.includes('component')
			? ['component', ...projects.filter(name => name !== 'component' && name !== 'apps')]
			: projects
		for (const project of others) {
			const files = outcome.files.filter(file => file.project === project)
			const seconds = files.reduce((sum, { cpuMs }) => sum + cpuMs / 1000, 0)
			this.#addCpu(project, seconds)
			left -= seconds
		}
		this.#addCpu(rest, left)
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

	async #measure<T>(stage: string, work: () => Promise<T>): Promise<T> {
		const before = childCpuSeconds()
		const result = await work()
		this.#addCpu(stage, childCpuSeconds() - before)
		return result
	}

	#addCpu(stage: string, seconds: number): void {
		this.#cpu.set(stage, (this.#cpu.get(stage) ?? 0) + seconds)
	}

	#printCpu(): void {
		process.stdout.write('\nCPU seconds by stage:\n')
		for (const [stage, seconds] of this.#cpu) process.stdout.write(`  ${seconds.toFixed(0).padStart(6)} s  ${stage}\n`)
		const slowest = this.#files.toSorted((one, other) => other.cpuMs - one.cpuMs).slice(0, 10)
		process.stdout.write('\nThe ten files with the most CPU time:\n')
		for (const { file, cpuMs } of slowest) {
			process.stdout.write(`  ${(cpuMs / 1000).toFixed(1).padStart(6)} s  ${relative(checkout, file)}\n`)
		}
	}
}

/**
 * Returns the CPU time of all processes that this one started and waited for, on Linux (`cutime` and `cstime` of
 * proc_pid_stat(5)); 0 elsewhere.
 */
function childCpuSeconds(): number {
	if (process.platform !== 'linux') return 0
	const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
	// Ticks of 10 ms on every Linux that Node supports.
	return (Number(fields[13]) + Number(fields[14])) / 100
}
