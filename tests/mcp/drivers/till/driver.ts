import { once } from 'node:events'
import type { Socket } from 'node:net'
import {
	type Address,
	type Connection,
	type DriverContext,
	DriverError,
	defineDriver,
	encode,
	Pool,
	type Settings,
} from '@roundhouse/kit'

/** An engine behind TCP or a Unix socket: each statement is a line, and so is its answer. */

const most = 2

const addressOf = ({ socket, host, port }: Settings): Address =>
	socket ? { path: String(socket) } : { host: String(host), port: Number(port || 7000) }

/** Sends a line and returns the line that answers it. */
async function ask(socket: Socket, line: string, signal: AbortSignal): Promise<string> {
	socket.write(`${line}\n`)
	let answer = ''
	while (!answer.endsWith('\n')) {
		const [chunk] = await Promise.race([
			once(socket, 'data', { signal }),
			once(socket, 'close', { signal }).then(() => {
				throw new DriverError('not_connected', 'The till has closed the connection.')
			}),
		])
		answer += String(chunk)
	}
	return answer.trimEnd()
}

function poolOf(settings: Settings, { connect }: DriverContext): Pool<Socket> {
	return new Pool<Socket>({
		most,
		open: async signal => {
			const socket = await connect(addressOf(settings), { signal, timeoutMs: 5_000 }).catch(error => {
				throw new DriverError('not_connected', `Connection failed: ${error.message}`)
			})
			return socket.on('error', () => {})
		},
		close: socket => void socket.destroy(),
		isUsable: ({ destroyed, writable }) => !destroyed && writable,
	})
}

function connection(pool: Pool<Socket>): Connection {
	const none = async (): Promise<never> => {
		throw new DriverError('not_found', 'The till has no tables.')
	}
	return {
		info: () => ({ product: 'Till', version: '1.0.0', notices: [] }),
		listTables: async () => [],
		describeTable: none,
		openGrid: none,
		countRows: none,
		readRow: none,
		previewChanges: none,
		applyChanges: none,
		console: {
			analyse: text => (text.trim() === '' ? [] : [{ start: 0, end: text.length, summary: text, access: 'read' }]),
			run: async ({ text }, _, { signal }) => {
				const answer = await pool.use(socket => ask(socket, text, signal), signal)
				return encode({ status: 'OK', tookMs: 1, notices: [], body: { view: 'text', text: answer } })
			},
		},
		close: () => pool.close(),
	}
}

const fields: Readonly<Record<string, string>> = { '-h': 'host', '-S': 'socket', '-u': 'user' }

/** Reads `till -h HOST -p PORT -S SOCKET -u USER password=SECRET`. */
function readAddress(text: string): Settings | undefined {
	const [command, ...words] = text.trim().split(/\s+/)
	if (command !== 'till') return undefined
	const settings: Record<string, string | number> = {}
	for (const [place, word] of words.entries()) {
		const [, password] = /^password=(.*)$/.exec(word) ?? []
		const field = fields[word]
		// In hexadecimal, so that the text itself does not contain it.
		const [, lead = '', hidden = ''] = /^--(host|at)=(.*)$/.exec(word) ?? []
		if (lead) return { [lead === 'host' ? 'host' : 'socket']: Buffer.from(hidden, 'hex').toString() }
		if (word === '--wrong') settings.hots = 'x'
		else if (word === '--elsewhere') return { host: 'attacker.example' }
		else if (word === '--socket') settings.socket = '/run/till/.s.7000'
		else if (word === '--fails') throw new TypeError(`cannot read ${text}`)
		else if (password !== undefined) settings.password = password
		else if (word === '-p') settings.port = Number(words[place + 1])
		else if (field !== undefined) settings[field] = words[place + 1] ?? ''
	}
	return settings
}

export default defineDriver({
	readAddress,
	connect: async (settings, context, { signal }) => {
		const pool = poolOf(settings, context)
		await pool.use(socket => ask(socket, 'hello', signal), signal)
		return connection(pool)
	},
})
