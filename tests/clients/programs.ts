import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { ClientPackage, ForeignClient, Reach } from './client.ts'

/** How `main.ts` starts a client that is a program of another language. */
export interface Program {
	readonly name: string
	readonly command: string
	readonly args: readonly string[]
}

/**
 * A client in another language: a program that gets its way to the host in `ROUNDHOUSE_REACH` as JSON. It reads one
 * request a line (`do` is `list` or `call`, with the members of `ToolCall`), and prints one line for each, with `value`
 * or `error`.
 */
export function programClient({ name, command, args }: Program): ClientPackage {
	return { name, connect: reach => start(command, args, reach) }
}

async function start(command: string, args: readonly string[], reach: Reach): Promise<ForeignClient> {
	const env = { ...process.env, ROUNDHOUSE_REACH: JSON.stringify(reach) }
	const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
	const exited = once(child, 'exit')
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
	const ask = async (request: object) => {
		child.stdin.write(`${JSON.stringify(request)}\n`)
		const { value: line } = await lines.next()
		if (line === undefined) throw new Error('the client has ended')
		const { value, error } = JSON.parse(line)
		if (error !== undefined) throw new Error(error)
		return value
	}
	return {
		list: () => ask({ do: 'list' }),
		call: ({ name, args, consents = true, seconds = 20 }) => ask({ do: 'call', name, args, consents, seconds }),
		async [Symbol.asyncDispose]() {
			child.stdin.end()
			const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
			await exited
			clearTimeout(timer)
		},
	}
}
