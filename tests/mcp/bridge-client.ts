import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { JsonObject } from '@roundhouse/kit'
import { type BridgeOptions, runBridge } from '../../host/mcp/bridge/index.ts'
import { modernVersion } from './endpoint.ts'

/** A bridge with a client at its stdin and stdout. */
export function startBridge(options: Pick<BridgeOptions, 'supportPath'> & Partial<BridgeOptions>) {
	const input = new PassThrough()
	const output = new PassThrough()
	const logged: string[] = []
	const lines = createInterface({ input: output })[Symbol.asyncIterator]()
	const ended = runBridge({
		startHost: () => {
			throw new Error('no host is running')
		},
		version: '0.1.0',
		log: message => void logged.push(message),
		...options,
		input,
		output,
	})
	ended.catch(() => {})
	const write = (message: JsonObject) => void input.write(`${JSON.stringify(message)}\n`)
	const nextLine = async (): Promise<string | undefined> => (await lines.next()).value
	// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
	const next = async (): Promise<any> => {
		const line = await nextLine()
		return line === undefined ? undefined : JSON.parse(line)
	}
	return {
		ended,
		logged,
		write,
		writeLine: (line: string) => void input.write(`${line}\n`),
		next,
		nextLine,
		legacy: (method: string, params: JsonObject = {}, id: string | number = method) => {
			write({ jsonrpc: '2.0', id, method, params })
			return next()
		},
		modern: (method: string, params: JsonObject = {}, id: string | number = method) => {
			write({ jsonrpc: '2.0', id, method, params: { ...params, _meta: modernMeta } })
			return next()
		},
		/** Ends the input, like a client that exits. */
		end: () => {
			input.end()
			return ended
		},
	}
}

export const modernMeta: JsonObject = {
	'io.modelcontextprotocol/protocolVersion': modernVersion,
	'io.modelcontextprotocol/clientCapabilities': {},
}
