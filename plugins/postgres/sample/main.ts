import type { Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import type { Sample, SampleContext } from '@roundhouse/kit'
import { openEngine } from './engine.ts'
import { codes, command, Framing, isCopyIn, refusal, statusIn, welcome } from './messages.ts'

/**
 * Starts the sample: PostgreSQL in WebAssembly, which has one session. Its clients take turns. It cancels nothing, and a
 * transaction of one client makes the others wait.
 */
export async function startSample(
	{ listen }: Pick<SampleContext, 'listen'>,
	{ port = 0 }: { readonly port?: number } = {},
): Promise<Sample> {
	const db = await openEngine()
	const { rows } = await db.query<{ readonly version: string }>("select current_setting('server_version') as version")
	const session = new SharedSession(db)
	const sockets = new Set<Socket>()
	const greeting = welcome(rows[0]?.version ?? '')
	const listener = await listen(
		socket => {
			sockets.add(socket)
			socket.on('close', () => sockets.delete(socket))
			serve(socket, session, greeting)
		},
		{ port },
	)
	const settings = {
		host: '127.0.0.1',
		port: listener.port,
		database: 'postgres',
		username: 'postgres',
		sslMode: 'disable',
	}
	return {
		settings,
		url: `postgresql://postgres@127.0.0.1:${listener.port}/postgres`,
		close: async () => {
			for (const socket of sockets) socket.destroy()
			await listener.close()
			await db.close()
		},
	}
}

/** Letters that end a batch: Query, Sync, and the end of COPY data. */
const ends = new Set(['Q', 'S', 'c', 'f'])

function serve(socket: Socket, session: SharedSession, greeting: Buffer): void {
	const framing = new Framing()
	const client = session.add()
	let isLoggedIn = false
	let batch: Buffer[] = []
	socket.on('error', () => {}).on('close', () => session.remove(client))
	socket.on('data', (chunk: Buffer) => {
		for (const message of framing.push(chunk)) receive(message)
	})

	function receive(message: Buffer): void {
		if (!isLoggedIn) return logIn(message.readInt32BE(4))
		const letter = String.fromCharCode(message[0] ?? 0)
		if (letter === 'X') return void socket.end()
		batch.push(message)
		if (!ends.has(letter)) return
		const whole = Buffer.concat(batch)
		batch = []
		session.run(client, whole).then(
			answer => socket.write(answer),
			(error: Error) => socket.destroy(error),
		)
	}

	function logIn(code: number): void {
		if (code === codes.ssl || code === codes.gss) return void socket.write('N')
		if (code === codes.cancel) return void socket.end()
		framing.startLogin()
		isLoggedIn = true
		socket.write(greeting)
	}
}

interface Client {
	/** The first message: what the client sets for its session. */
	setup: Buffer | undefined
}

/** How long a client waits for the transaction of another one. */
const waitLimitMs = 3_000

/** The one session of the engine. A client in a transaction keeps it. */
class SharedSession {
	readonly #db: PGlite
	#owner: Client | undefined
	#status = 'I'
	#last: Promise<unknown> = Promise.resolve()
	#isFree = Promise.withResolvers<void>()

	constructor(db: PGlite) {
		this.#db = db
	}

	add(): Client {
		return { setup: undefined }
	}

	/** Ends the transaction of a client that has gone. */
	remove(client: Client): void {
		this.#queue(async () => {
			if (this.#owner === client && this.#status !== 'I') await this.#send(command('rollback'))
		}).catch(() => {})
	}

	async run(client: Client, batch: Buffer): Promise<Uint8Array> {
		while (this.#owner !== client && this.#status !== 'I') {
			const isOver = await this.#untilFree()
			if (!isOver)
				return refusal(
					'55P03',
					'The sample has one session, and a transaction is open in it. Commit it or roll it back.',
				)
		}
		return this.#queue(async () => {
			// Another client may have begun a transaction in the meantime.
			if (this.#owner !== client && this.#status !== 'I') return refusal('55P03', 'The sample is busy. Try again.')
			if (this.#owner !== client) await this.#giveTo(client)
			if (isCopyIn(batch)) return refusal('0A000', 'The sample takes no data of COPY.', this.#status)
			client.setup ??= batch
			return this.#send(batch)
		})
	}

	/** Settings of one client do not reach the next. */
	async #giveTo(client: Client): Promise<void> {
		this.#owner = client
		await this.#send(command('discard all'))
		if (client.setup) await this.#send(client.setup)
	}

	async #send(batch: Buffer): Promise<Uint8Array> {
		const answer = await this.#db.execProtocolRaw(batch)
		this.#status = statusIn(answer) ?? this.#status
		if (this.#status === 'I') {
			this.#isFree.resolve()
			this.#isFree = Promise.withResolvers()
		}
		return answer
	}

	async #untilFree(): Promise<boolean> {
		let timer: NodeJS.Timeout | undefined
		const over = new Promise<boolean>(resolve => {
			timer = setTimeout(() => resolve(false), waitLimitMs)
		})
		try {
			return await Promise.race([this.#isFree.promise.then(() => true), over])
		} finally {
			clearTimeout(timer)
		}
	}

	#queue<T>(work: () => Promise<T>): Promise<T> {
		const next = this.#last.then(work, work)
		this.#last = next.catch(() => {})
		return next
	}
}
