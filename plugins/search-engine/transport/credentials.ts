import { DriverError } from '@roundhouse/kit'

/** The authorization of a request, and the secrets that no message may contain. */
export interface Credentials {
	readonly authorization: string | undefined
	readonly secrets: readonly string[]
}

export interface CredentialFields {
	readonly auth: string
	readonly username: string
	readonly password: string
	readonly apiKey: string
	readonly bearerToken: string
}

/** @throws DriverError `invalid_argument` if the chosen method lacks its field */
export function readCredentials(fields: CredentialFields): Credentials {
	switch (fields.auth) {
		case 'none':
			return { authorization: undefined, secrets: [] }
		case 'basic':
			return basic(fields.username, fields.password)
		case 'apiKey':
			return apiKey(required(fields.apiKey, 'API key'))
		case 'bearer': {
			const token = required(fields.bearerToken, 'Bearer token')
			return { authorization: `Bearer ${token}`, secrets: [token] }
		}
		default:
			throw new DriverError('invalid_argument', `Authentication "${fields.auth}" is unknown.`)
	}
}

/** Without a user name nothing is sent, so that the default method also works with a cluster without security. */
function basic(username: string, password: string): Credentials {
	if (username === '') return { authorization: undefined, secrets: [] }
	const encoded = Buffer.from(`${username}:${password}`, 'utf8').toString('base64')
	return { authorization: `Basic ${encoded}`, secrets: [password, encoded] }
}

/** Elasticsearch requires base64 of `id:key`. Its API returns both forms, so both are accepted. */
function apiKey(key: string): Credentials {
	const encoded = key.includes(':') ? Buffer.from(key, 'utf8').toString('base64') : key
	return { authorization: `ApiKey ${encoded}`, secrets: [key, encoded, key.slice(key.indexOf(':') + 1)] }
}

function required(value: string, label: string): string {
	const text = value.trim()
	if (text === '') throw new DriverError('invalid_argument', `Authentication failed: ${label} is empty.`)
	if (/[^\x21-\x7e]/.test(text)) {
		throw new DriverError(
			'invalid_argument',
			`Authentication failed: ${label} contains a space or a special character.`,
		)
	}
	return text
}

/** Removes every secret from a text. Very short ones would match harmless words and protect nothing. */
export function redact(text: string, secrets: readonly string[]): string {
	return secrets
		.filter(secret => secret.length >= 3)
		.toSorted((a, b) => b.length - a.length)
		.reduce((left, secret) => left.replaceAll(secret, '•••'), text)
}
