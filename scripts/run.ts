import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { checkout } from './layout.ts'

export interface Finished {
	readonly code: number
	/** CPU seconds of the program with its processes. On Linux only; 0 elsewhere. */
	readonly cpuSeconds: number
	/** What it printed, if that was kept. */
	readonly output: string
}

interface RunOptions {
	readonly env?: Readonly<Record<string, string>>
	/** Keeps what the program prints, for a program that runs beside another. */
	readonly keepsOutput?: boolean
}

/** CPU seconds of ended children that were counted. */
let counted: number | undefined

/** Runs a program of node_modules/.bin, or any other, and waits. @returns its exit code */
export async function run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>) {
	return (await runMeasured(command, args, { ...(env && { env }) })).code
}

/** Runs a program like {@link run}, and measures it. Several may run side by side. */
export function runMeasured(command: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
	return new Promise((resolve, reject) => {
		const output = options.keepsOutput ? 'pipe' : 'inherit'
		const env = { ...process.env, ...options.env }
		const child = spawn(command, args, { cwd: checkout, stdio: ['inherit', output, output], env })
		counted ??= endedChildrenCpuSeconds()
		let kept = ''
		let cpuSeconds = 0
		for (const stream of [child.stdout, child.stderr])
			stream?.setEncoding('utf8').on('data', (text: string) => (kept += text))
		child.once('error', reject)
		child.once('exit', () => {
			// Children end one after another, and each is counted before the next.
			const all = endedChildrenCpuSeconds()
			cpuSeconds = all - (counted ?? 0)
			counted = all
		})
		child.once('close', (code, signal) => resolve({ code: code ?? (signal ? 1 : 0), cpuSeconds, output: kept }))
	})
}

/**
 * Returns the CPU time of all processes that this one started and waited for, on Linux (`cutime` and `cstime` of
 * proc_pid_stat(5)); 0 elsewhere.
 */
function endedChildrenCpuSeconds(): number {
	if (process.platform !== 'linux') return 0
	const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
	// Ticks of 10 ms on every Linux that Node supports.
	return (Number(fields[13]) + Number(fields[14])) / 100
}
