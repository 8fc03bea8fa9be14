import { spawn } from 'node:child_process'
import { rows } from './sql-driver.ts'

/** Runs a program of an engine that prints all rows, and counts its output. @throws Error if that is too little */
export async function printed(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
	const program = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
	let bytes = 0
	for await (const chunk of program.stdout) bytes += chunk.length
	if (bytes < rows) throw new Error(`${command} is missing, or printed too little.`)
}
