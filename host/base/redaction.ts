import { homedir } from 'node:os'

/**
 * Removes what must not leave the process from a text: secrets the process has handled, authorization headers,
 * credentials in URLs, the person's home folder. Called where an error or a log line is made (contract, "Tool error
 * result": "Error text is redacted before leaving the process").
 */

const removed = '[redacted]'
const known = new Set<string>()

/** Short words would tear ordinary text apart, and protect little. */
const shortestSecret = 4

/** From here on this text, and its usual encodings, are removed from every redacted text. */
export function rememberSecret(secret: string): void {
	if (secret.length < shortestSecret) return
	for (const form of [
		secret,
		encodeURIComponent(secret),
		JSON.stringify(secret).slice(1, -1),
		Buffer.from(secret).toString('base64'),
		Buffer.from(secret).toString('base64url'),
	]) {
		known.add(form)
	}
}

const patterns: readonly (readonly [RegExp, string])[] = [
	[/\b(Bearer|Basic|ApiKey)\s+[A-Za-z0-9._~+/=-]{4,}/gi, `$1 ${removed}`],
	[/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${removed}@`],
	[/\brh_[A-Za-z0-9]{8,}/g, `rh_${removed}`],
]

export function redact(text: string): string {
	let clean = text
	for (const secret of known) clean = clean.replaceAll(secret, removed)
	for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement)
	const home = homedir()
	return home.length > 1 ? clean.replaceAll(home, '~') : clean
}
