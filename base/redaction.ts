import { homedir } from 'node:os'
import { isExactNumber, type Json } from '@roundhouse/kit/json'

/**
 * Redacts text that leaves the process: secrets the process has handled, authorization headers, credentials in URLs,
 * the user's home folder. Called when an error or a log line is made (contract, "Tool error result": "Error text is
 * redacted before leaving the process").
 */

const removed = '[redacted]'
/** Longest first: a secret must be replaced before a shorter one that it contains. */
let known: readonly string[] = []

/** Shorter secrets would match ordinary text, and their removal protects little. */
const minSecretLength = 4

/**
 * Data is not searched for shorter secrets, nor for secrets of digits alone: they may occur by chance, and numbers must
 * not change.
 */
const minLengthInData = 8
let knownInData: readonly string[] = []
/**
 * Matches a JSON text that may contain one of them. One expression is eight times faster than a search for each.
 */
let secretInJson = /(?!)/

/** The connections that each known secret belongs to. A secret without an entry belongs to all. */
const owners = new Map<string, Set<string>>()
let revision = 0

/** Changes when a text may be redacted in another way than before. */
export function secretsRevision(): number {
	return revision
}

/**
 * Registers a secret. It and its usual encodings are removed from every text redacted from now on, and from the data of
 * its connection.
 */
export function rememberSecret(secret: string, connectionId?: string): void {
	if (secret.length < minSecretLength) return
	revision++
	const isNew = !known.includes(secret)
	const forms = formsOf(secret)
	if (isNew) {
		known = [...new Set([...known, ...forms])].sort((a, b) => b.length - a.length)
		knownInData = known.filter(form => form.length >= minLengthInData && !/^\d+$/.test(form))
		secretInJson = patternOf(knownInData)
	}
	for (const form of forms) {
		if (connectionId === undefined) owners.delete(form)
		else if (isNew || owners.has(form)) owners.set(form, new Set([...(owners.get(form) ?? []), connectionId]))
	}
}

/** Forgets all secrets. For tests, whose files share a process. */
export function forgetSecrets(): void {
	revision++
	known = []
	knownInData = []
	secretInJson = patternOf([])
	owners.clear()
}

function patternOf(secrets: readonly string[]): RegExp {
	if (secrets.length === 0) return /(?!)/
	// The print of a part of a surrogate pair depends on its neighbours, so any text may contain such a secret.
	if (!secrets.every(secret => secret.isWellFormed())) return /(?:)/
	return new RegExp(secrets.map(secret => RegExp.escape(JSON.stringify(secret).slice(1, -1))).join('|'))
}

/** Returns a secret and its usual encodings. */
function formsOf(secret: string): readonly string[] {
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
	return [...forms, ...forms.map(toBase64Url)].filter(form => form.length >= minSecretLength)
}

/**
 * Returns the encodings of a secret inside a longer base64 text, for example `user:password`: three alignments, each
 * without the characters that it shares with its neighbours.
 */
function insideBase64(secret: string): readonly string[] {
	const bytes = Buffer.from(secret)
	return [0, 1, 2]
		.map(offset => {
			const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
			return text.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3))
		})
		.filter(text => text.length >= minSecretLength)
}

const toBase64Url = (text: string) =>
	text
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replace(/={1,2}$/, '')

/**
 * Patterns with their replacements. The texts may come from an attacker, so a pattern must read each character a
 * bounded number of times: it begins with fixed text, or has no unbounded repetition.
 */
export type RedactionPatterns = readonly (readonly [RegExp, string])[]

/** Credentials recognized by their form. */
export const redactionPatterns: RedactionPatterns = [
	[/\b(Bearer|Basic|ApiKey)\s+[A-Za-z0-9._~+/=-]{4,}/gi, `$1 ${removed}`],
	[/:\/\/[^\s/]+@/g, `://${removed}@`],
	[/\brh_[A-Za-z0-9]{8,}/g, `rh_${removed}`],
]

/** Returns the text without the secrets that the process has handled. */
export function withoutKnownSecrets(text: string): string {
	return without(known, text)
}

function without(secrets: readonly string[], text: string): string {
	return secrets.reduce((rest, secret) => rest.replaceAll(secret, removed), text)
}

/**
 * Returns the secrets to remove from what comes from a connection, or from anywhere. The secrets of other connections
 * are not removed: the gaps would tell a reader which of its guesses are right.
 */
function secretsOf(connectionId: string | undefined, secrets: readonly string[]): readonly string[] {
	if (connectionId === undefined) return secrets
	return secrets.filter(form => owners.get(form)?.has(connectionId) ?? true)
}

/** Upper limit of a message. Longer text is truncated before it is searched. */
const maxTextLength = 16_000
/** Number of characters also dropped before a cut, because they may be the beginning of a secret. */
const cutMargin = 1024

/**
 * Returns whether {@link withoutSecrets} could change the data with this JSON text, for some connection.
 */
export function mayContainSecret(json: string): boolean {
	return secretInJson.test(json)
}

/**
 * Returns data for an AI client, without the secrets that an engine may have echoed. Numbers do not change.
 * @param connectionId the connection that the data comes from
 */
export function withoutSecrets<T extends Json>(value: T, connectionId?: string): T {
	const secrets = secretsOf(connectionId, knownInData)
	return secrets.length === 0 ? value : (cleaned(value, text => without(secrets, text)) as T)
}

function cleaned(value: Json, clean: (text: string) => string): Json {
	if (typeof value === 'string') return clean(value)
	if (typeof value !== 'object' || value === null || isExactNumber(value)) return value
	if (Array.isArray(value)) return value.map(item => cleaned(item, clean))
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [clean(key), cleaned(member, clean)]))
}

/**
 * Returns the text redacted, also by the patterns in `more`. A text of more than 16,000 characters is truncated.
 * @param connectionId the connection that the text comes from, if it is one
 */
export function redact(text: string, more: RedactionPatterns = [], connectionId?: string): string {
	if (text.length <= maxTextLength) return cleanedText(text, more, connectionId)
	const margin = Math.max(cutMargin, known[0]?.length ?? 0)
	return `${cleanedText(text.slice(0, maxTextLength), more, connectionId).slice(0, -margin)} … (cut)`
}

function cleanedText(text: string, more: RedactionPatterns, connectionId: string | undefined): string {
	let clean = without(secretsOf(connectionId, known), text)
	for (const [pattern, replacement] of redactionPatterns) clean = clean.replace(pattern, replacement)
	const home = homedir()
	if (home.length > 1) clean = clean.replaceAll(home, '~')
	return more.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), clean)
}
