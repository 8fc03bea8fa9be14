import { homedir } from 'node:os'
import { isExactNumber, type Json } from '@roundhouse/kit/json'

/**
 * Removes what must not leave the process from a text: secrets the process has handled, authorization headers,
 * credentials in URLs, the person's home folder. Called where an error or a log line is made (contract, "Tool error
 * result": "Error text is redacted before leaving the process").
 */

const removed = '[redacted]'
/** Longest first: a secret that holds another must not be torn apart by it. */
let known: readonly string[] = []

/** Short words would tear ordinary text apart, and protect little. */
const shortestSecret = 4

/**
 * Data is not searched for short secrets, nor for ones of digits alone: what stands there by chance would be torn, and
 * a number must leave as it came.
 */
const shortestInData = 8
let knownInData: readonly string[] = []

/** From here on this text, and its usual encodings, are removed from every redacted text. */
export function rememberSecret(secret: string): void {
	if (secret.length < shortestSecret || known.includes(secret)) return
	const url = encodeURIComponent(secret.toWellFormed())
	const forms = [
		secret,
		url,
		url.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase()),
		url.replaceAll('%20', '+'),
		encodeURI(secret.toWellFormed()),
		JSON.stringify(secret).slice(1, -1),
		Buffer.from(secret).toString('base64'),
		...insideBase64(secret),
	]
	known = [...new Set([...known, ...forms, ...forms.map(toBase64Url)])].sort((a, b) => b.length - a.length)
	knownInData = known.filter(form => form.length >= shortestInData && !/^\d+$/.test(form))
}

/**
 * What the secret looks like in the middle of a longer base64 text, `user:password` for example: three alignments, each
 * without the characters it shares with its neighbours.
 */
function insideBase64(secret: string): readonly string[] {
	const bytes = Buffer.from(secret)
	return [0, 1, 2]
		.map(offset => {
			const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
			return text.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3))
		})
		.filter(text => text.length >= shortestSecret)
}

const toBase64Url = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

const patterns: readonly (readonly [RegExp, string])[] = [
	[/\b(Bearer|Basic|ApiKey)\s+[A-Za-z0-9._~+/=-]{4,}/gi, `$1 ${removed}`],
	[/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/]+@/gi, `$1${removed}@`],
	[/\brh_[A-Za-z0-9]{8,}/g, `rh_${removed}`],
]

/** Data on its way to an AI client, without the secrets that an engine may have echoed. Numbers stay as they are. */
export function withoutSecrets<T extends Json>(value: T): T {
	return knownInData.length === 0 ? value : (cleaned(value) as T)
}

function cleaned(value: Json): Json {
	if (typeof value === 'string') return knownInData.reduce((text, secret) => text.replaceAll(secret, removed), value)
	if (typeof value !== 'object' || value === null || isExactNumber(value)) return value
	if (Array.isArray(value)) return value.map(cleaned)
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleaned(key), cleaned(member)]))
}

export function redact(text: string): string {
	let clean = text
	for (const secret of known) clean = clean.replaceAll(secret, removed)
	for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement)
	const home = homedir()
	return home.length > 1 ? clean.replaceAll(home, '~') : clean
}
