/** Messages of PostgreSQL's protocol, as far as a server in front of an engine needs them. */

/** Codes of messages before the login. */
export const codes = { ssl: 80_877_103, gss: 80_877_104, cancel: 80_877_102 } as const

/** Divides what arrives into messages. The first has no letter. */
export class Framing {
	#received: Buffer = Buffer.alloc(0)
	#isLoggedIn = false

	startLogin(): void {
		this.#isLoggedIn = true
	}

	/** Returns the messages that are complete now, each with its head. */
	*push(chunk: Buffer): Generator<Buffer> {
		this.#received = Buffer.concat([this.#received, chunk])
		for (;;) {
			const head = this.#isLoggedIn ? 1 : 0
			if (this.#received.length < head + 4) return
			const size = head + this.#received.readInt32BE(head)
			if (this.#received.length < size) return
			const message = this.#received.subarray(0, size)
			this.#received = this.#received.subarray(size)
			yield message
		}
	}
}

function message(letter: string, ...parts: readonly (string | Buffer)[]): Buffer {
	const body = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)))
	const head = Buffer.alloc(5)
	head.write(letter, 0, 'latin1')
	head.writeInt32BE(body.length + 4, 1)
	return Buffer.concat([head, body])
}

const int = (value: number) => {
	const bytes = Buffer.alloc(4)
	bytes.writeInt32BE(value)
	return bytes
}

/** The end of a login without a password. */
export const welcome = (version: string): Buffer =>
	Buffer.concat([
		message('R', int(0)),
		...Object.entries({
			server_version: version,
			server_encoding: 'UTF8',
			client_encoding: 'UTF8',
			DateStyle: 'ISO, MDY',
			integer_datetimes: 'on',
			standard_conforming_strings: 'on',
		}).map(([name, value]) => message('S', name, value)),
		message('K', int(1), int(1)),
		message('Z', Buffer.from('I')),
	])

/** An error, after which the client may go on. @param status of its transaction */
export const refusal = (code: string, text: string, status = 'I'): Buffer =>
	Buffer.concat([
		message('E', 'SERROR', 'VERROR', `C${code}`, `M${text}`, Buffer.from([0])),
		message('Z', Buffer.from(status)),
	])

export const command = (sql: string): Buffer => message('Q', sql)

/** Whether a batch asks for data of COPY, for which the engine in WebAssembly waits without end. */
export const isCopyIn = (batch: Buffer) =>
	batch[0] === 'Q'.charCodeAt(0) && /^copy\s[\s\S]*\sfrom\s+stdin\b/i.test(batch.toString('utf8', 5))

/** Returns the state of the transaction that the last message of an answer tells. */
export function statusIn(answer: Uint8Array): string | undefined {
	const [letter, , , , size, status] = answer.subarray(-6)
	return letter === 'Z'.charCodeAt(0) && size === 5 ? String.fromCharCode(status ?? 0) : undefined
}
