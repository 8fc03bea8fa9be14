import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Returns the output of a program. */
export async function run(command: string, args: readonly string[]): Promise<string> {
	return (await promisify(execFile)(command, args)).stdout
}

/** Returns whether a process with this id is running. */
export function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0)
	} catch {
		return false
	}
}
