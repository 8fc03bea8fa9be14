import { spawn } from 'node:child_process'
import { messageOf } from '../../../base/errors.ts'
import { onAbort } from '../../../base/on-abort.ts'

/** A program may ask its user, for example with a fingerprint. */
const longestRunMs = 120_000
const longestOutputBytes = 64 * 1024
/** The end of what a program says is why it failed. */
const shownCharacters = 2000

/** Why a command gave no secret, in words for the person alone: they may name accounts and files. */
export class CommandFault extends Error {}

/**
 * Splits a command as a shell does: at spaces outside of quotes, with `\` before a character. Nothing else has a meaning:
 * no variable, no pipe, no `~`.
 * @throws CommandFault if a quote has no end
 */
export function wordsOf(command: string): readonly string[] {
	const words: string[] = []
	let word: string | undefined
	let quote = ''
	for (let at = 0; at < command.length; at++) {
		const letter = command[at] ?? ''
		const next = command[at + 1]
		const escapes = letter === '\\' && quote !== "'" && next !== undefined && (quote === '' || /["\\]/.test(next))
		if (escapes) {
			word = `${word ?? ''}${next}`
			at++
		} else if (letter === quote) quote = ''
		else if (quote === '' && /["']/.test(letter)) {
			quote = letter
			word ??= ''
		} else if (quote === '' && /\s/.test(letter)) {
			if (word !== undefined) words.push(word)
			word = undefined
		} else word = `${word ?? ''}${letter}`
	}
	if (quote !== '') throw new CommandFault(`A quote has no end: ${quote}`)
	return word === undefined ? words : [...words, word]
}

/**
 * Runs a command without a shell. The environment is that of the host, because such programs find their account there.
 * @returns the first line that it prints: password managers print more about the entry below it
 * @throws CommandFault
 */
export async function runCommand(command: string, signal: AbortSignal, limitMs = longestRunMs): Promise<string> {
	const [program = '', ...args] = wordsOf(command)
	const { code, output, errors } = await outputOf(
		program,
		args,
		AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
	)
	signal.throwIfAborted()
	if (code === 'stopped') throw new CommandFault(`It took longer than ${limitMs / 1000} seconds, or printed too much.`)
	const said = errors.trim().slice(-shownCharacters)
	if (code !== 0) throw new CommandFault(`It ended with the code ${code}.${said && `\n${said}`}`)
	const [line = ''] = output.split(/\r?\n/, 1)
	if (line === '') throw new CommandFault(`It printed nothing in its first line.${said && `\n${said}`}`)
	return line
}

/** Ends the program with all that it started, if it takes too long, prints too much, or is no longer needed. */
function outputOf(program: string, args: readonly string[], signal: AbortSignal) {
	return new Promise<{ readonly code: number | 'stopped'; readonly output: string; readonly errors: string }>(
		(resolve, reject) => {
			const isGrouped = process.platform !== 'win32'
			const child = spawn(program, args, {
				stdio: ['ignore', 'pipe', 'pipe'],
				env: withoutOurs(process.env),
				detached: isGrouped,
				windowsHide: true,
			})
			const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
			let bytes = 0
			let isStopped = false
			const stop = () => {
				isStopped = true
				try {
					if (isGrouped && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
					else child.kill('SIGKILL')
				} catch {
					// It has ended.
				}
			}
			const watch = onAbort(signal, stop)
			for (const name of ['stdout', 'stderr'] as const)
				child[name].on('data', (chunk: Buffer) => {
					bytes += chunk.length
					if (bytes > longestOutputBytes) stop()
					else printed[name].push(chunk)
				})
			child.once('error', error => {
				watch[Symbol.dispose]()
				const isMissing = 'code' in error && error.code === 'ENOENT'
				reject(new CommandFault(isMissing ? `There is no program ${program}.` : messageOf(error)))
			})
			child.once('close', code => {
				watch[Symbol.dispose]()
				const text = (name: keyof typeof printed) => Buffer.concat(printed[name]).toString('utf8')
				resolve({ code: isStopped ? 'stopped' : (code ?? -1), output: text('stdout'), errors: text('stderr') })
			})
		},
	)
}

const withoutOurs = (environment: NodeJS.ProcessEnv) =>
	Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('ROUNDHOUSE_')))
