import {
	type Call,
	type ConsoleResult,
	DriverError,
	encodeWithRaw,
	type RunOptions,
	type Statement,
	type Verdict,
} from '@roundhouse/kit'
import { accessOf, type Client, messageIn } from './client.ts'

/** The language of the console: a line `METHOD /path`, then a JSON body up to an empty line. Comments behind `#`. */

const requestLine = /^([a-z]+)\s+(\/\S*)$/i

/** Finds the requests of a text. A line that is none gets the most dangerous verdict, and cannot be run. */
export function analyse(text: string): readonly Verdict[] {
	const verdicts: Verdict[] = []
	let isInBody = false
	for (const { 0: line, index } of text.matchAll(/.*/g)) {
		const content = line.trim()
		if (content === '') {
			// An empty match also follows each line, where it ends.
			if (line !== '' || text[index - 1] === '\n') isInBody = false
			continue
		}
		if (content.startsWith('#')) continue
		const start = index + line.indexOf(content)
		const end = start + content.length
		const [, method = ''] = requestLine.exec(content) ?? []
		const summary = content.slice(0, 200)
		const last = verdicts.at(-1)
		if (method !== '') verdicts.push({ start, end, access: accessOf(method.toUpperCase()), summary })
		else if (isInBody && last) verdicts[verdicts.length - 1] = { ...last, end }
		else {
			const fault = { code: 'invalid_argument', message: 'A request starts with METHOD /path.' } as const
			verdicts.push({ start, end, access: 'destructive', summary, fault })
		}
		isInBody = method !== '' || isInBody
	}
	return verdicts
}

/** Sends one request. The host has allowed it by its verdict. */
export async function run(
	client: Client,
	{ text }: Statement,
	{ showsRefusals, signal }: RunOptions & Pick<Call, 'signal'>,
) {
	const [first = '', ...rest] = text.split(/\r?\n/).filter(line => !line.trim().startsWith('#'))
	const [, method = '', path = ''] = requestLine.exec(first.trim()) ?? []
	if (method === '') throw new DriverError('invalid_argument', 'A request starts with METHOD /path.')
	const body = rest.join('\n').trim() || undefined
	const reply = await client.send({ method: method.toUpperCase(), path, body }, signal)
	const { status, tookMs, body: raw } = reply
	const fault = status < 400 ? undefined : ({ code: 'query_failed', message: messageIn(reply) } as const)
	if (fault && !showsRefusals) throw new DriverError(fault.code, fault.message)
	const shown = { status: String(status), tookMs, sizeBytes: raw.length, notices: [], ...(fault && { fault }) }
	return encodeWithRaw<ConsoleResult>({ ...shown, body: { view: 'json' }, raw })
}
