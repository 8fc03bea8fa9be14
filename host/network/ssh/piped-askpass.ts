import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJsonOrUndefined } from '../../../base/parse-json.ts'
import type { AnswerPrompt } from './askpass.ts'

/**
 * Questions of an `ssh` that cannot start a shell script, as that of Windows: the program in `SSH_ASKPASS` is Node. A batch
 * file would let a server's prompt run commands. Node runs the text below before it looks at its argument, which is the
 * question, and never runs that. Question and answer go through a named pipe, or a socket file elsewhere, so secrets are in
 * no file and in no argument.
 */
const program = `import { existsSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
process.report.excludeNetwork = true
// In argv, Node has made a path of the question.
const [, text, ...more] = process.report.getReport().header.commandLine
// A ProxyCommand may be a program of Node, which is run as it is.
if (text !== undefined && more.length === 0 && !existsSync(process.argv[1] ?? text)) {
	const { path, token } = JSON.parse(process.env.ROUNDHOUSE_SSH_ASK)
	const asker = process.ppid
	const watch = setInterval(() => {
		try {
			process.kill(asker, 0)
		} catch {
			process.exit(1)
		}
	}, 1000)
	let answer = ''
	const socket = connect(path, () => {
		socket.write(JSON.stringify({ token, text, kind: process.env.SSH_ASKPASS_PROMPT ?? '', asker }) + '\\n')
	})
	socket.setEncoding('utf8').on('data', data => void (answer += data))
	await new Promise(resolve => socket.on('error', resolve).on('close', resolve))
	clearInterval(watch)
	if (!answer.startsWith('y')) process.exit(1)
	writeSync(1, answer.slice(1) + '\\n')
	process.exit(0)
}
`
const longestQuestion = 20_000

const questionSchema = z.strictObject({
	token: z.string(),
	text: z.string(),
	kind: z.string(),
	asker: z.int().positive(),
})

/** As `Askpass`, without a script. */
export class PipedAskpass {
	/** Variables of `ssh`. */
	readonly variables: Readonly<Record<string, string>>
	readonly #answer: AnswerPrompt
	/** Any user of the machine may open a named pipe, so each question has it. */
	readonly #token = randomBytes(32).toString('base64url')
	readonly #closing = new AbortController()
	readonly #server: Server

	private constructor(path: string, answer: AnswerPrompt) {
		this.#answer = answer
		this.#server = createServer({ allowHalfOpen: true }, socket => void this.#hear(socket)).listen(path)
		this.variables = {
			SSH_ASKPASS: process.execPath,
			NODE_OPTIONS: `--import data:text/javascript;base64,${Buffer.from(program).toString('base64')}`,
			ROUNDHOUSE_SSH_ASK: JSON.stringify({ path, token: this.#token }),
		}
	}

	/** @param folder that only this user may enter */
	static async open(folder: string, answer: AnswerPrompt, platform = process.platform): Promise<PipedAskpass> {
		const path = platform === 'win32' ? `\\\\.\\pipe\\roundhouse-ssh-${randomUUID()}` : join(folder, 'q')
		const askpass = new PipedAskpass(path, answer)
		await once(askpass.#server, 'listening')
		return askpass
	}

	/** Withdraws open questions. */
	async close(): Promise<void> {
		this.#closing.abort(new Error('ssh has ended.'))
		this.#server.close()
	}

	async #hear(socket: Socket): Promise<void> {
		const gone = new AbortController()
		const withdraw = () => gone.abort(new Error('ssh no longer asks.'))
		socket.on('error', withdraw).once('close', withdraw).setEncoding('utf8')
		const signal = AbortSignal.any([this.#closing.signal, gone.signal])
		signal.addEventListener('abort', () => socket.destroy(), { once: true })
		const question = await lineOf(socket)
		const asked = question === undefined ? undefined : questionSchema.safeParse(parseJsonOrUndefined(question)).data
		if (!asked || !this.#isOurs(asked.token)) return void socket.destroy()
		const { text, kind, asker } = asked
		const isYesOrNo = kind === 'confirm' || /\(yes\/no/.test(text)
		const prompt = { text, asker, kind: kind === 'none' ? 'notice' : isYesOrNo ? 'confirm' : 'secret' } as const
		const answer = await this.#answer(prompt, signal).catch(() => undefined)
		// A notice stays until ssh ends its program.
		if (prompt.kind !== 'notice') socket.end(answer === undefined ? 'n' : `y${answer}`)
	}

	#isOurs(token: string): boolean {
		const [given, own] = [Buffer.from(token), Buffer.from(this.#token)]
		return given.length === own.length && timingSafeEqual(given, own)
	}
}

/** Returns the first line, or `undefined` if there is none. What follows is read and dropped. */
async function lineOf(socket: Socket): Promise<string | undefined> {
	const { promise, resolve } = Promise.withResolvers<string | undefined>()
	let text = ''
	socket.on('data', (data: string) => {
		if (text.length > longestQuestion) return
		text += data
		const end = text.indexOf('\n')
		if (end >= 0) resolve(text.slice(0, end))
		else if (text.length > longestQuestion) resolve(undefined)
	})
	socket.once('end', () => resolve(undefined)).once('close', () => resolve(undefined))
	return promise
}
