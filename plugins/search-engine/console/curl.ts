import { DriverError, type Pasted } from '@roundhouse/kit'
import type { ConsoleRequest } from './request.ts'
import { quoted, shellWords } from './shell-words.ts'

/** What stands for the value of the `Authorization` header: the shell puts in what the person keeps under this name. */
const placeholder = '$ROUNDHOUSE_AUTH'

/** A request as a line for a POSIX shell. `origin` holds no credential. */
export function curlOf({ method, path, body }: ConsoleRequest, origin: string, needsAuthorization: boolean): string {
	const url = `${origin}${path.pathname}${path.search === '' ? '' : `?${path.search}`}`
	return [
		// A HEAD that is only named waits for a body that never comes.
		method === 'HEAD' ? 'curl --head' : `curl -X ${method}`,
		// Brackets and braces of a path are its own, and no list of curl's.
		'--globoff',
		quoted(url),
		...(needsAuthorization ? [`-H "Authorization: ${placeholder}"`] : []),
		...(body === undefined ? [] : [`-H ${quoted('Content-Type: application/json')}`, `--data-binary ${quoted(body)}`]),
	].join(' ')
}

/** curl's options with a value that is no part of a request. */
const withValue =
	/^(?:-[AbceEKmoTwxyYz]|--(?:user-agent|cookie|cookie-jar|cacert|capath|cert|cert-type|key|key-type|ciphers|config|connect-timeout|max-time|output|proxy|proxy-user|referer|resolve|connect-to|retry|retry-delay|retry-max-time|write-out|interface|limit-rate|dump-header|netrc-file|oauth2-bearer|aws-sigv4|pinnedpubkey|tls-max|upload-file))$/
const short = /^-([sSkLvifgGIN#]+)$/

/** A line of curl as a request of the console; `undefined` for another text. @throws DriverError */
export function readCurl(line: string): Pasted | undefined {
	const words = shellWords(line.trim())
	if (words?.[0] !== 'curl') return undefined
	let method: string | undefined
	let target: string | undefined
	const bodies: string[] = []
	const dropped: string[] = []
	let isQuery = false
	const rest = words.slice(1)
	for (let place = 0; place < rest.length; place++) {
		const [option, joined] = parted(rest[place] ?? '')
		const value = () => joined ?? rest[++place] ?? ''
		if (option === '-X' || option === '--request') method = value().toUpperCase()
		else if (option === '-H' || option === '--header') dropped.push(value().split(':')[0]?.trim() ?? '')
		else if (option === '-u' || option === '--user') {
			value()
			dropped.push('the user and password')
		} else if (/^(?:-d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json)$/.test(option)) {
			const body = value()
			if (body.startsWith('@') && option !== '--data-raw') throw fromFile(body)
			bodies.push(body)
		} else if (option === '--url') target ??= value()
		else if (option === '--head' || option === '-I') method ??= 'HEAD'
		else if (option === '-G' || option === '--get') isQuery = true
		else if (withValue.test(option)) value()
		else if (short.test(option)) {
			if (option.includes('I')) method ??= 'HEAD'
			if (option.includes('G')) isQuery = true
		} else if (!option.startsWith('-')) target ??= option
	}
	if (target === undefined) return undefined
	const path = pathIn(target)
	const query = isQuery && bodies.length > 0 ? `${path.includes('?') ? '&' : '?'}${bodies.join('&')}` : ''
	const body = isQuery ? '' : bodies.join('&')
	const text = `${method ?? (body === '' ? 'GET' : 'POST')} ${path}${query}${body === '' ? '' : `\n${body.trimEnd()}`}`
	const left = dropped.filter(name => name !== '' && !/^(?:content-type|accept)$/i.test(name))
	return { text, ...(left.length > 0 && { notice: `Left out: ${left.join(', ')}. The connection has its own.` }) }
}

/** `--request=POST`, `-XPOST` and `-dbody` are an option with its value. */
function parted(word: string): readonly [option: string, value: string | undefined] {
	const long = /^(--[a-z-]+)=([\s\S]*)$/.exec(word)
	if (long) return [long[1] ?? '', long[2]]
	const joined = /^(-[XHdu])([\s\S]+)$/.exec(word)
	return joined ? [joined[1] ?? '', joined[2]] : [word, undefined]
}

function pathIn(target: string): string {
	const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^[^/?]*/, '')
	return path.startsWith('/') ? path : `/${path}`
}

function fromFile(body: string): DriverError {
	return new DriverError(
		'invalid_argument',
		`The body of this line is in a file (${body}): paste what is in it instead.`,
	)
}
