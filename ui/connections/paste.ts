import type { FormField, Manifest, SettingValue } from '../../host/api/api.ts'
import { isVisible } from './form-values.ts'

/** Reads what a user pastes into a connection's form: a URL with credentials, or a curl command if the driver takes one. */
export interface Pasted {
	/** Without credentials. For other schemes than `http` and `https`: host and port. */
	readonly address: string
	readonly host: string
	/** The port that the URL names. A URL of `http` or `https` always has one. */
	readonly port?: number
	/** Absent if the scheme does not say. */
	readonly isTls?: boolean
	readonly skipsVerification: boolean
	readonly credentials: Readonly<Partial<Record<Taken, string>>>
}

type Taken = NonNullable<FormField['takes']>

const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 }
const web: readonly string[] = Object.keys(defaultPorts)

/** Returns whether a driver that reads addresses gets a pasted text. It gets no plain name or host. */
export const mayBeAddress = (text: string) => /\S\s+\S|=|:\/\//.test(text)

const throughSsh = /^\s*([a-z][a-z0-9.-]*)\+ssh:\/\/(?:([^/?#]*)@)?(\[[^\]/?#]*\]|[^:@/?#]*)(?::(\d+))?\/(\S*)\s*$/i

/**
 * Splits an address with a server of SSH in front of the other, as TablePlus copies it. `ssh` asks for a password itself,
 * so one in the text is dropped.
 */
export function behindSsh(text: string): { readonly address: string; readonly destination: string } | undefined {
	const [found, scheme = '', login = '', host = '', port, rest = ''] = throughSsh.exec(text) ?? []
	if (found === undefined) return undefined
	const user = decoded(login.replace(/:.*$/s, ''))
	const destination = `${user && `${user}@`}${host}${port === undefined || port === '22' ? '' : `:${port}`}`
	return { address: `${scheme}://${rest}`, destination }
}

/** Describes what can be pasted; undefined if the form has no field for an address. */
export function pasteHint({ form, pastedAddress }: Manifest): string | undefined {
	if (!form.some(({ addresses }) => addresses !== undefined)) return undefined
	const { schemes, curl, readByDriver } = pastedAddress
	/** One that another begins with says nothing more. */
	const named = schemes.filter(scheme => !schemes.some(other => other !== scheme && other.startsWith(scheme)))
	const url = schemes.every(scheme => web.includes(scheme)) ? 'a URL' : `a URL (${named.join(', ')})`
	const others = [...(curl ? ['a curl command'] : []), ...(readByDriver === undefined ? [] : [readByDriver])]
	return [url, ...others].join(' or ')
}

/** Returns `undefined` if the driver takes no such text. */
export function readPasted(
	text: string,
	{ schemes, curl, requestMark }: Pick<Manifest['pastedAddress'], 'schemes' | 'curl' | 'requestMark'>,
): Pasted | undefined {
	const words = shellWords(text.trim())
	if (curl && words[0] === 'curl') return ofCurl(words.slice(1))
	return words.length === 1 ? ofUrl(words[0] ?? '', schemes, requestMark) : undefined
}

function ofUrl(text: string, schemes: readonly string[], requestMark?: string): Pasted | undefined {
	const url = URL.parse(text)
	const scheme = url?.protocol.slice(0, -1) ?? ''
	if (!url || url.hostname === '' || !schemes.includes(scheme)) return undefined
	const segments = url.pathname.split('/')
	const request = requestMark === undefined ? -1 : segments.findIndex(segment => segment.startsWith(requestMark))
	const path = segments
		.slice(0, request < 0 ? undefined : request)
		.join('/')
		.replace(/\/+$/, '')
	const isWeb = web.includes(scheme)
	const credentials = {
		...(url.username !== '' && { username: decoded(url.username) }),
		...(url.password !== '' && { password: decoded(url.password) }),
		...(!isWeb && path !== '' && { database: decoded(path.slice(1)) }),
	}
	return {
		address: isWeb ? `${url.protocol}//${url.host}${path}` : url.host,
		host: url.hostname,
		...((isWeb || url.port !== '') && { port: Number(url.port) || defaultPorts[scheme] }),
		...(isWeb && { isTls: url.protocol === 'https:' }),
		skipsVerification: false,
		credentials,
	}
}

/** Options of curl whose value is ignored. */
const withValue = /^(-[XdToAbcem]|--(request|data.*|json|output|cacert|cert|key|max-time|connect-timeout|url-query))$/

function ofCurl(words: readonly string[]): Pasted | undefined {
	let found: Pasted | undefined
	let credentials: Pasted['credentials'] = {}
	let skipsVerification = false
	for (let place = 0; place < words.length; place++) {
		const word = words[place] ?? ''
		if (word === '-u' || word === '--user') credentials = ofUser(words[++place] ?? '')
		else if (word === '-H' || word === '--header') credentials = { ...credentials, ...ofHeader(words[++place] ?? '') }
		else if (word === '-k' || word === '--insecure') skipsVerification = true
		else if (withValue.test(word)) place++
		else if (!word.startsWith('-')) found ??= ofUrl(/^\w+:\/\//.test(word) ? word : `http://${word}`, web)
	}
	if (!found) return undefined
	// The path belongs to the request, not to the server.
	const address = new URL(found.address).origin
	return { ...found, address, skipsVerification, credentials: { ...found.credentials, ...credentials } }
}

function ofUser(user: string): Pasted['credentials'] {
	const [username = '', ...password] = user.split(':')
	return { username, ...(password.length > 0 && { password: password.join(':') }) }
}

function ofHeader(header: string): Pasted['credentials'] {
	const [, scheme = '', value = ''] = /^authorization:\s*(\w+)\s+(\S+)$/i.exec(header) ?? []
	switch (scheme.toLowerCase()) {
		case 'apikey':
			return { apiKey: value }
		case 'bearer':
			return { bearerToken: value }
		case 'basic':
			return ofUser(fromBase64(value))
		default:
			return {}
	}
}

function fromBase64(text: string): string {
	try {
		return new TextDecoder().decode(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)))
	} catch {
		return ''
	}
}

/** A `%` that begins no escape is literal. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text)
	} catch {
		return text
	}
}

/** Splits like a shell: quotes contain blanks, a backslash at the end joins lines. */
function shellWords(text: string): readonly string[] {
	const parts = text.replaceAll(/\\\r?\n/g, ' ').matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gs)
	return [...parts].map(([word]) =>
		word.replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_, single, double, escaped) =>
			single !== undefined ? single : double !== undefined ? double.replaceAll(/\\(["\\$`])/g, '$1') : escaped,
		),
	)
}

/**
 * Returns the form's values with the pasted ones; undefined if no field takes an address. The mode of TLS follows the
 * scheme in both directions, unless the user has chosen it.
 */
export function filledIn(
	{ form }: Manifest,
	{ values, isTlsChosen }: { readonly values: Readonly<Record<string, SettingValue>>; readonly isTlsChosen: boolean },
	pasted: Pasted,
): Record<string, SettingValue> | undefined {
	const address = form.find(field => field.addresses !== undefined)
	if (!address) return undefined
	const filled: Record<string, SettingValue> = { ...values, [address.key]: pasted.address }
	const { portField } = address.addresses ?? {}
	if (portField !== undefined && pasted.port !== undefined) {
		filled[address.key] = pasted.host
		filled[portField] = pasted.port
	}
	for (const field of form) {
		const taken = field.takes && pasted.credentials[field.takes]
		if (taken !== undefined) {
			filled[field.key] = taken
			reveal(form, field, filled)
		}
		if (field.tls && !isTlsChosen && pasted.isTls !== undefined) {
			const mode = pasted.skipsVerification ? field.tls.unverified : field.tls.verified
			filled[field.key] = pasted.isTls ? mode : (field.default ?? '')
		}
	}
	return filled
}

/** Sets the fields on which the visibility of a field depends. */
function reveal(form: readonly FormField[], field: FormField, values: Record<string, SettingValue>): void {
	if (isVisible(field, values)) return
	for (const condition of [field.visibleWhen ?? []].flat()) {
		const [first] = condition.is
		if (first !== undefined && form.some(({ key }) => key === condition.field)) values[condition.field] = first
	}
}
