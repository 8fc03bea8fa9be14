import { DriverError, type Pasted } from '@roundhouse/kit'
import type { ConsoleRequest } from './request.ts'
import { quoted, shellWords } from './shell-words.ts'

/** Placeholder for the value of the `Authorization` header. The shell replaces it by the user's variable. */
const placeholder = '$ROUNDHOUSE_AUTH'

/** Returns a request as a command for a POSIX shell. `origin` contains no credential. */
export function curlOf({ method, path, body }: ConsoleRequest, origin: string, needsAuthorization: boolean): string {
	const url = `${origin}${path.pathname}${path.search === '' ? '' : `?${path.search}`}`
	return [
		// With `-X HEAD`, curl waits for a body that never arrives.
		method === 'HEAD' ? 'curl --head' : `curl -X ${method}`,
		// Brackets and braces of a path are literal, not patterns of curl.
		'--globoff',
		quoted(url),
		...(needsAuthorization ? [`-H "Authorization: ${placeholder}"`] : []),
		...(body === undefined ? [] : [`-H ${quoted('Content-Type: application/json')}`, `--data-binary ${quoted(body)}`]),
	].join(' ')
}

/** curl's options with a value that is not part of the request. */
const withValue =
	/^(?:-[AbceEKmoTwxyYz]|--(?:user-agent|cookie|cookie-jar|cacert|capath|cert|cert-type|key|key-type|ciphers|config|connect-timeout|max-time|output|proxy|proxy-user|referer|resolve|connect-to|retry|retry-delay|retry-max-time|write-out|interface|limit-rate|dump-header|netrc-file|oauth2-bearer|aws-sigv4|pinnedpubkey|tls-max|upload-file))$/
const short = /^-([sSkLvifgGIN#]+)$/

/** Converts a curl command to a console request. Returns `undefined` for any other text. @throws DriverError */
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
	return {
		text,
		...(left.length > 0 && {
			notice: `Left out: ${left.join(', ')}. The settings of the connection are used instead.`,
		}),
	}
}

/** Splits `--request=POST`, `-XPOST` and `-dbody` into option and value. */
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
		`The body of this command is in a file (${body}). Paste the content of the file instead.`,
	)
}
