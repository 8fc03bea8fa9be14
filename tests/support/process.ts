import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What a program prints. */
export async function run(command: string, args: readonly string[]): Promise<string> {
	return (await promisify(execFile)(command, args)).stdout
}

/** Whether there is a process of this number. */
export function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0)
	} catch {
		return false
	}
}
