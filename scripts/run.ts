import { spawn } from 'node:child_process'
import { checkout } from './layout.ts'

/** Runs a program of node_modules/.bin, or any other, and waits. @returns its exit code */
export function run(
	command: string,
	args: readonly string[],
	env: Readonly<Record<string, string>> = {},
): Promise<number> {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd: checkout, stdio: 'inherit', env: { ...process.env, ...env } })
		child.once('error', reject)
		child.once('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
	})
}
