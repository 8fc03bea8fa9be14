import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Framing, welcome } from '../sample/messages.ts'
import { allBinaries } from '../servers/binaries.ts'

/** The real psql, in front of a server that records what it sends and runs nothing. */

/** Returns the path of psql, which packages of Debian contain and packages of npm do not. */
export async function findPsql(): Promise<string | undefined> {
	for (const { folder } of await allBinaries()) {
		const path = join(folder, 'psql')
		const isThere = await access(path).then(
			() => true,
			() => false,
		)
		if (isThere) return path
	}
	return undefined
}

/** Sent between two scripts. */
const boundary = 'select $roundhouse$boundary$roundhouse$'

/** Runs scripts in one process of psql, and returns the statements that it sent for each. */
export async function sentByPsql(psql: string, scripts: readonly string[]): Promise<readonly (readonly string[])[]> {
	await using owned = new AsyncDisposableStack()
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-psql-'))
	owned.defer(() => rm(folder, { recursive: true, force: true }))
	const recorder = await startRecorder()
	owned.defer(recorder.stop)
	const options: string[] = []
	for (const [at, script] of scripts.entries()) {
		const path = join(folder, `${at}.sql`)
		await writeFile(path, script)
		options.push('-f', path, '-c', boundary)
	}
	const address = `host=127.0.0.1 port=${recorder.port} user=test dbname=test sslmode=disable gssencmode=disable`
	const process = spawn(psql, ['-X', '-q', '-d', address, ...options], { stdio: 'ignore' })
	await once(process, 'exit')
	const sent: string[][] = [[]]
	for (const text of recorder.received) {
		if (text === boundary) sent.push([])
		else sent.at(-1)?.push(text)
	}
	return sent.slice(0, -1)
}

/** An empty answer, and the sign that the server is ready for the next statement. */
const emptyAnswer = Buffer.from('I\0\0\0\x04Z\0\0\0\x05I', 'latin1')

async function startRecorder() {
	const received: string[] = []
	const server = createServer(socket => {
		const framing = new Framing()
		let isLoggedIn = false
		socket.on('error', () => {})
		socket.on('data', (chunk: Buffer) => {
			for (const message of framing.push(chunk)) {
				if (!isLoggedIn) {
					isLoggedIn = true
					framing.startLogin()
					socket.write(welcome('15.0'))
				} else if (message[0] === 'Q'.charCodeAt(0)) {
					received.push(message.toString('utf8', 5, message.length - 1))
					socket.write(emptyAnswer)
				}
			}
		})
	}).listen(0, '127.0.0.1')
	await once(server, 'listening')
	// A TCP server that listens has a port.
	const { port } = server.address() as AddressInfo
	return { port, received, stop: async () => void server.close() }
}
