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
	const all = [...known, ...forms, ...forms.map(toBase64Url)].filter(form => form.length >= shortestSecret)
	known = [...new Set(all)].sort((a, b) => b.length - a.length)
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

const toBase64Url = (text: string) =>
	text
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replace(/={1,2}$/, '')

/**
 * What to look for, and what to write in its place. The texts may be a stranger's, so a pattern reads each character a
 * bounded number of times: it begins with something fixed, or repeats nothing without a bound.
 */
export type RedactionPatterns = readonly (readonly [RegExp, string])[]

const patterns: RedactionPatterns = [
	[/\b(Bearer|Basic|ApiKey)\s+[A-Za-z0-9._~+/=-]{4,}/gi, `$1 ${removed}`],
	[/:\/\/[^\s/]+@/g, `://${removed}@`],
	[/\brh_[A-Za-z0-9]{8,}/g, `rh_${removed}`],
]

/** What a value is called that is a secret, whoever it belongs to. */
const secretName =
	'password|passwd|passphrase|secret|api_?key|access_?key|secret_?key|private_?key|token|authorization|credentials?'
const namedSecrets: RedactionPatterns = [
	[
		new RegExp(
			`("[\\w .-]{0,60}(?:${secretName})"\\s{0,20}:\\s{0,20})(?:"""[\\s\\S]*?(?:"""|$)|"(?:[^"\\\\\\n]|\\\\[^\\n])*"?)`,
			'gi',
		),
		`$1"${removed}"`,
	],
	[new RegExp(`([?&][\\w.-]{0,60}(?:${secretName})=)[^&\\s]+`, 'gi'), `$1${removed}`],
]

/** A statement that a person typed, as it may be kept: whole, but for what in it lets somebody in. */
export function withoutCredentials(text: string): string {
	const clean = known.reduce((rest, secret) => rest.replaceAll(secret, removed), text)
	return [...namedSecrets, ...patterns].reduce(
		(rest, [pattern, replacement]) => rest.replace(pattern, replacement),
		clean,
	)
}

/** No message for people is longer; what is beyond is cut away before anybody searches it. */
const longestText = 16_000
/** Where a text is cut, so much before the cut goes too, because it may be the beginning of something to be removed. */
const tornEnd = 1024

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

/** The text without what must not leave, and without what `more` finds; a text of more than 16,000 characters is cut. */
export function redact(text: string, more: RedactionPatterns = []): string {
	if (text.length <= longestText) return cleanedText(text, more)
	const torn = Math.max(tornEnd, known[0]?.length ?? 0)
	return `${cleanedText(text.slice(0, longestText), more).slice(0, -torn)} … (cut)`
}

function cleanedText(text: string, more: RedactionPatterns): string {
	let clean = text
	for (const secret of known) clean = clean.replaceAll(secret, removed)
	for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement)
	const home = homedir()
	if (home.length > 1) clean = clean.replaceAll(home, '~')
	return more.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), clean)
}
