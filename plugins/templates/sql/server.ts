import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { exactNumber, isExactNumber, isJsonObject, type Json, parseJson, stringifyJson } from '@roundhouse/kit'
import type { StartedFixture } from '@roundhouse/kit/conformance'

/** SQLite behind the protocol of `client.ts`, for the conformance kit. Each socket is a session. */

const password = 'a password of the tests'
const tables = `
	create table customers (id integer primary key, name text not null, note text default 'none', photo blob);
	create table orders (
		id integer primary key, customer integer not null references customers (id), state text, price numeric
	);
	create view totals as select customer, count(*) as orders from orders group by customer;
	insert into customers (name) values ('Ada'), ('Bo'), ('Cy');
	insert into orders (customer, state, price) values (1, 'new', 1.5), (1, 'paid', 20), (2, null, 3), (3, 'sent', 3);
`

/** @param more number of empty tables beside the others */
export async function startServer(more = 0): Promise<StartedFixture> {
	const folder = await mkdtemp(join(tmpdir(), 'sql-driver-'))
	const file = join(folder, 'data.sqlite')
	const owner = new DatabaseSync(file)
	// A reader then sees the last commit while another session writes.
	const others = Array.from({ length: more }, (_, at) => `create table empty_${at} (id integer primary key);`).join(
		'\n',
	)
	owner.exec(`pragma journal_mode = wal; begin; ${tables} ${others} commit;`)
	const sockets = new Set<Socket>()
	const server = createServer(socket => {
		sockets.add(socket)
		socket.on('error', () => {}).on('close', () => sockets.delete(socket))
		void serve(socket, file)
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	// A TCP server that listens has a port.
	const { port } = server.address() as AddressInfo
	return {
		settings: { host: '127.0.0.1', port, password },
		stop: async () => {
			for (const socket of sockets) socket.destroy()
			server.close()
			owner.close()
			await rm(folder, { recursive: true, force: true })
		},
	}
}

interface Message {
	readonly password?: string
	readonly isReadOnly?: boolean
	readonly sql?: string
	readonly values?: readonly Json[]
	readonly most?: number
}

async function serve(socket: Socket, file: string): Promise<void> {
	const database = new DatabaseSync(file)
	socket.once('close', () => database.close())
	let isLoggedIn = false
	for await (const line of createInterface({ input: socket })) {
		const message = parseJson(line) as Message
		// A table that never answers, to try cancelling.
		if (message.sql?.includes('from forever')) continue
		try {
			if (isLoggedIn) socket.write(`${stringifyJson(answerTo(database, message))}\n`)
			else {
				login(database, message)
				isLoggedIn = true
				socket.write('{"product": "Shelf SQL", "version": "1.0"}\n')
			}
		} catch (error) {
			const { message, code = 'failed' } = error as Error & { readonly code?: string }
			socket.write(`${stringifyJson({ error: { code, message } })}\n`)
		}
	}
}

function login(database: DatabaseSync, message: Message): void {
	if (message.password !== password) throw Object.assign(new Error('The password is wrong.'), { code: 'denied' })
	if (message.isReadOnly) database.exec('pragma query_only = on')
}

function answerTo(database: DatabaseSync, { sql = '', values = [], most = Number.POSITIVE_INFINITY }: Message): Json {
	const statement = database.prepare(sql)
	statement.setReadBigInts(true)
	statement.setReturnArrays(true)
	const columns = statement.columns().map(({ name }) => name)
	const given = values.map(input)
	if (columns.length === 0) {
		const { changes } = statement.run(...given)
		return { columns, rows: [], affected: Number(changes), isInTransaction: database.isTransaction }
	}
	const rows: Json[] = []
	for (const row of statement.iterate(...given)) {
		if (rows.length === most) break
		// The rows are arrays, by `setReturnArrays`.
		rows.push((row as unknown as SQLOutputValue[]).map(output))
	}
	return { columns, rows, affected: 0, isInTransaction: database.isTransaction }
}

function input(value: Json): SQLInputValue {
	if (isExactNumber(value)) return /^-?\d+$/.test(value.rawJSON) ? BigInt(value.rawJSON) : Number(value.rawJSON)
	if (isJsonObject(value)) return Buffer.from(String(value.bytes), 'base64')
	return typeof value === 'string' || typeof value === 'number' ? value : null
}

function output(value: SQLOutputValue): Json {
	if (typeof value === 'bigint') return exactNumber(String(value))
	return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value
}
