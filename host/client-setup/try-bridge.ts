import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Bridge } from './clients.ts'
import { setupErrors } from './setup.ts'

const answerTimeoutMs = 15_000

/**
 * Tests the complete path like a client: starts the bridge, which finds or starts the host, and requests the server's
 * identity. @returns the server's name and version @throws HostError `setup/bridge_failed`
 */
export async function tryBridge(bridge: Bridge): Promise<{ readonly name: string; readonly version: string }> {
	// A host that is started for the test ends after it.
	const child = spawn(bridge.command, [...bridge.args, '--keep-host', '1'], { env: { ...process.env, ...bridge.env } })
	let complaint = ''
	child.stderr.on('data', data => {
		complaint = `${complaint}${data}`.slice(-2000)
	})
	const { promise, resolve, reject } = Promise.withResolvers<{ name: string; version: string }>()
	const fail = (reason: string) => reject(setupErrors.make('bridge_failed', { reason }))
	const timeout = setTimeout(() => fail(`no answer within ${answerTimeoutMs / 1000} s. ${complaint}`), answerTimeoutMs)
	child.once('error', error => fail(error.message))
	child.once('exit', code => fail(`it ended with exit code ${code}. ${complaint}`))
	createInterface({ input: child.stdout }).on('line', line => {
		const { result, error } = JSON.parse(line)
		if (error) fail(error.message)
		else resolve(result._meta['io.modelcontextprotocol/serverInfo'])
	})
	child.stdin.on('error', () => {})
	const meta = {
		'io.modelcontextprotocol/protocolVersion': '2026-07-28',
		'io.modelcontextprotocol/clientCapabilities': {},
		'io.modelcontextprotocol/clientInfo': { name: 'roundhouse-set-up', version: '1' },
	}
	child.stdin.write(
		`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: meta } })}\n`,
	)
	try {
		return await promise
	} finally {
		clearTimeout(timeout)
		child.removeAllListeners('exit')
		child.stdin.end()
		child.kill()
	}
}
