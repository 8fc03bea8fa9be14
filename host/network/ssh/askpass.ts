import { constants } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '../../../base/is-running.ts'

/**
 * Questions of `ssh`: it starts the program in `SSH_ASKPASS` with the text of each. That program is a shell script, so
 * that it needs no Node: it leaves the question as a file in a folder that only this user may enter, and waits at a pipe
 * for the answer. Secrets are in no file and in no argument.
 */

/** A question of `ssh`, or of one that it starts for a host on the way. */
export interface SshPrompt {
	readonly text: string
	/** `confirm`: yes or no. `notice`: nothing to answer, for example a key that waits for a touch. */
	readonly kind: 'secret' | 'confirm' | 'notice'
	/** PID of the program that asks: one asks again after a wrong answer, another one for its own host. */
	readonly asker: number
	/** Whether a server may have written the text. */
	readonly isOfServer?: boolean
}

/** @param signal aborts when `ssh` no longer waits @returns `undefined` if the user refuses */
export type AnswerPrompt = (prompt: SshPrompt, signal: AbortSignal) => Promise<string | undefined>

const script = `#!/bin/sh
umask 077
cd "\${0%/*}" || exit 1
mkfifo "$$.answer" || exit 1
trap 'rm -f "$$.answer" "$$.question"' EXIT
printf '%s\\n%s\\n%s' "$PPID" "$SSH_ASKPASS_PROMPT" "$1" >"$$.new"
mv "$$.new" "$$.question"
{
	# ssh reads to the end of its pipe, which each process here holds.
	trap 'kill "$!"; exit' TERM
	while kill -0 "$PPID"; do sleep 1 & wait; done
	printf n >"$$.answer"
} >/dev/null 2>&1 &
watch=$!
answer=$(cat "$$.answer")
kill "$watch" 2>/dev/null
case $answer in
y*) printf '%s\\n' "\${answer#y}" ;;
*) exit 1 ;;
esac
`
const pollMs = 50
const mostAttempts = 100

export class Askpass {
	/** The value of `SSH_ASKPASS`. */
	readonly program: string
	readonly #folder: string
	readonly #answer: AnswerPrompt
	readonly #closing = new AbortController()
	readonly #watching: Promise<void>

	private constructor(folder: string, answer: AnswerPrompt) {
		this.#folder = folder
		this.#answer = answer
		this.program = join(folder, 'ask')
		this.#watching = this.#watch()
	}

	/** @param folder that does not exist yet, in one that only this user may enter */
	static async open(folder: string, answer: AnswerPrompt): Promise<Askpass> {
		await mkdir(folder, { mode: 0o700 })
		await writeFile(join(folder, 'ask'), script, { mode: 0o700, flag: 'wx' })
		return new Askpass(folder, answer)
	}

	/** Withdraws open questions. */
	async close(): Promise<void> {
		this.#closing.abort(new Error('ssh has ended.'))
		await this.#watching
	}

	async #watch(): Promise<void> {
		const { signal } = this.#closing
		const asked = new Map<number, AbortController>()
		const asking: Promise<void>[] = []
		while (!signal.aborted) {
			const names = await readdir(this.#folder).catch(() => [])
			for (const pid of names.map(questionPid).filter(pid => pid !== undefined && !asked.has(pid))) {
				if (pid === undefined) continue
				const gone = new AbortController()
				asked.set(pid, gone)
				asking.push(this.#ask(pid, AbortSignal.any([signal, gone.signal])))
			}
			for (const [pid, gone] of asked) if (!isRunning(pid)) gone.abort(new Error('ssh no longer asks.'))
			await sleep(pollMs, undefined, { signal }).catch(() => {})
		}
		await Promise.all(asking)
	}

	async #ask(pid: number, signal: AbortSignal): Promise<void> {
		const file = (end: string) => join(this.#folder, `${pid}.${end}`)
		const [asker, kind, ...text] = (await readFile(file('question'), 'utf8').catch(() => '')).split('\n')
		await rm(file('question'), { force: true })
		const prompt = { text: text.join('\n'), asker: Number(asker) }
		// The question about an unknown host comes without its kind.
		const isYesOrNo = kind === 'confirm' || /\(yes\/no/.test(prompt.text)
		const asked = { ...prompt, kind: kind === 'none' ? 'notice' : isYesOrNo ? 'confirm' : 'secret' } as const
		const answer = await this.#answer(asked, signal).catch(() => undefined)
		if (asked.kind === 'notice') return
		await writeAnswer(pid, file('answer'), answer === undefined ? 'n' : `y${answer}`)
	}
}

function questionPid(name: string): number | undefined {
	const pid = /^(\d+)\.question$/.exec(name)?.[1]
	return pid === undefined ? undefined : Number(pid)
}

/** The script may not wait at the pipe yet. A withdrawn question is answered too, so that the script ends. */
async function writeAnswer(pid: number, path: string, answer: string): Promise<void> {
	for (let attempt = 0; attempt < mostAttempts && isRunning(pid); attempt++) {
		try {
			const pipe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK)
			await pipe.write(answer)
			return await pipe.close()
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENXIO') return
		}
		await sleep(pollMs)
	}
}
