import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { checkout } from './layout.ts'
import { runMeasured } from './run.ts'

/** A run of Vitest, in which files that failed run once more, alone, to tell what is flaky. */

/** What Vitest's JSON reporter writes, as far as it is read here. Times are milliseconds. */
interface Summary {
	readonly testResults: readonly TestFile[]
}
interface TestFile {
	readonly name: string
	/** Why the file could not be loaded. */
	readonly message: string
	readonly assertionResults: readonly {
		readonly fullName: string
		readonly status: string
		readonly failureMessages: readonly string[]
	}[]
}

/** CPU time of a test file with its processes, as tests/setup/cpu.ts reports it. */
export interface FileCpu {
	readonly file: string
	/** The project of Vitest that ran it. */
	readonly project: string
	readonly cpuMs: number
}

interface Outcome {
	readonly passed: number
	/** Tests that say in their file what they need. */
	readonly pending: number
	/** Names and messages of what failed. */
	readonly failures: readonly string[]
	/** Names and messages of what failed beside the other workers, and passed alone. */
	readonly flaky: readonly string[]
	readonly files: readonly FileCpu[]
	/** CPU seconds of all that ran. */
	readonly cpuSeconds: number
}

/** More files that fail have a common cause. */
const maxRetriedFiles = 5

/** Runs Vitest. A file that fails beside others and passes alone is reported as flaky: a defect of its test or of the product. */
export async function runVitest(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
	const first = await vitest(args, env)
	const failed = first.files.filter(file => failuresOf(file).length > 0)
	const isRetried = failed.length > 0 && failed.length <= maxRetriedFiles
	const second = isRetried
		? await vitest([...args, '--maxWorkers=1', ...new Set(failed.map(({ name }) => relative(checkout, name)))], env)
		: undefined
	// A file may belong to two projects.
	const again = Map.groupBy(second?.files ?? [], ({ name }) => name)
	const files = [...first.files.filter(({ name }) => !again.has(name)), ...[...again.values()].flat()]
	const passedAgain = new Set(
		[...again].filter(([, results]) => results.flatMap(failuresOf).length === 0).map(([name]) => name),
	)
	const failures = files.flatMap(failuresOf)
	const statuses = files.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
	const passed = statuses.filter(status => status === 'passed').length
	const failing = statuses.filter(status => status === 'failed').length
	// An error beside the tests fails no test.
	const hasOther = (second ?? first).code !== 0 && failures.length === 0
	return {
		passed,
		pending: statuses.length - passed - failing,
		failures: hasOther ? [`vitest ${args.join(' ')}`] : failures,
		flaky: failed.filter(({ name }) => passedAgain.has(name)).flatMap(failuresOf),
		files: first.cpu,
		cpuSeconds: first.cpuSeconds + (second?.cpuSeconds ?? 0),
	}
}

async function vitest(args: readonly string[], env: Readonly<Record<string, string>>) {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-test-'))
	const report = join(folder, 'report.json')
	const cpuReport = join(folder, 'cpu.jsonl')
	const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
	const { code, cpuSeconds } = await runMeasured('vitest', ['run', ...reporters, ...args], {
		env: { ...env, ROUNDHOUSE_TEST_CPU: cpuReport },
	})
	const summary = existsSync(report) ? (JSON.parse(await readFile(report, 'utf8')) as Summary) : undefined
	const cpu = existsSync(cpuReport) ? (await readFile(cpuReport, 'utf8')).trim().split('\n') : []
	await rm(folder, { recursive: true, force: true })
	return { code, cpuSeconds, files: summary?.testResults ?? [], cpu: cpu.map(line => JSON.parse(line) as FileCpu) }
}

function failuresOf({ name, message, assertionResults }: TestFile): readonly string[] {
	const file = relative(checkout, name)
	const failed = assertionResults.filter(({ status }) => status === 'failed')
	return [
		...(message === '' || failed.length > 0 ? [] : [`${file}\n${message}`]),
		...failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}\n${failureMessages.join('\n')}`),
	]
}
