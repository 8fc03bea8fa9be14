import { type RedactionPatterns, redactionPatterns, withoutKnownSecrets } from './redaction.ts'
import { namesSecret, plainName } from './secret-names.ts'

/**
 * Removes credentials from a statement of the user, so that the rest can be stored. First removes the secrets that the
 * host knows, wherever they occur. Then redacts by name: JSON members (also inside strings and after comments), query
 * parameters and headers. Patterns find the remaining credentials.
 */
export function withoutCredentials(text: string): string {
	return withoutPatterns(redactNamed(withoutKnownSecrets(text), 0))
}

function withoutPatterns(text: string): string {
	return [...unnamedSecrets, ...redactionPatterns].reduce(
		(rest, [pattern, replacement]) => rest.replace(pattern, replacement),
		text,
	)
}

const removed = '[redacted]'

/**
 * Maximum nesting level that is searched, for example JSON in a string in a parameter. No engine parses deeper levels.
 */
const maxDepth = 3

function redactNamed(text: string, depth: number): string {
	return redactHeaders(redactArrows(redactParameters(redactMembers(text, depth), depth)))
}

/** Matches names of objects that contain only secrets, also in their names. */
const bagName = /(?:credentials|secrets|cookies)$/

const stringPattern = /"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\[^\n])*"?/.source
const anyString = new RegExp(stringPattern, 'g')
/**
 * Matches white space and comments between tokens. Length and number are limited. Without limits, a text of many names
 * with comments would be scanned again from each name.
 */
const gap = /(?:\s+|#[^\n]{0,1000}(?:\n|$)|\/\/[^\n]{0,1000}(?:\n|$)|\/\*[\s\S]{0,1000}?\*\/){0,50}/y
/** A string, a list without objects, or a number. `null`, `true` and objects contain no secret themselves. */
const secretValue = new RegExp(`${stringPattern}|${/\[[^[\]{}]{0,10000}(?:\]|$)|-?\d[^\s,}\]]*/.source}`, 'y')
/** A string, or a bracket outside of strings. */
const stringOrBracket = new RegExp(`${stringPattern}|${/[[\]{}]/.source}`, 'g')

/**
 * Redacts members of JSON in the console's dialect, which allows comments, triple quotes, and text before and after the
 * JSON.
 */
function redactMembers(text: string, depth: number): string {
	let [clean, at, ownerEnd] = ['', 0, 0]
	for (;;) {
		anyString.lastIndex = at
		const found = anyString.exec(text)
		if (!found) return clean + text.slice(at)
		const [token] = found
		const end = found.index + token.length
		const content = contentOf(token)
		const isSecret = namesSecret(content)
		// The settings of a connector: `"password": {"label": …, "value": …}`, or `{"name": "PASSWORD", "value": …}`.
		const value = isSecret || (found.index < ownerEnd && content === 'value') ? valueAfter(text, end) : undefined
		const bag = isSecret && !value ? bagAfter(text, end) : undefined
		if (bag) {
			const isWhole = text[bag.start] === '[' || bagName.test(plainName(content))
			clean += text.slice(at, bag.start)
			clean += isWhole ? `"${removed}"` : redactValues(text.slice(bag.start, bag.end))
			at = bag.end
			continue
		}
		if (isSecret && !value) ownerEnd = Math.max(ownerEnd, endOfFlatObject(text, end))
		else if (nameMembers.has(content) && namesSecretAfter(text, end)) ownerEnd = endOfObject(text, end)
		clean += text.slice(at, found.index)
		clean += value ? `${text.slice(found.index, value.start)}"${removed}"` : redactString(token, content, depth)
		at = value?.end ?? end
	}
}

/** Redacts a string that itself contains JSON, a header or a query. */
function redactString(token: string, content: string, depth: number): string {
	if (depth === maxDepth || !/[:=]/.test(content)) return token
	// Decoded, because an escaped slash (`https:\\/\\/`) hides an address from the patterns.
	const clean = withoutPatterns(redactNamed(content, depth + 1))
	if (clean === content) return token
	return token.startsWith('"""') ? `"""${clean}"""` : JSON.stringify(clean)
}

function contentOf(token: string): string {
	if (token.startsWith('"""')) return token.slice(3).replace(/"""$/, '')
	try {
		return String(JSON.parse(token))
	} catch {
		// The string has no closing quote, or has an escape sequence that JSON does not allow.
		return token.replace(/^"|"$/g, '')
	}
}

/** Returns the start and the end of the value after a name and its colon. */
function valueAfter(text: string, end: number): { readonly start: number; readonly end: number } | undefined {
	const start = startOfValue(text, end)
	if (start === undefined) return undefined
	secretValue.lastIndex = start
	return secretValue.test(text) ? { start, end: secretValue.lastIndex } : undefined
}

/** Longest list and object of secrets that are recognized. An object may be read again from each name in it. */
const maxListLength = 20_000
const maxObjectLength = 4_000

/** Members that show what an object under a secret name is: a field of a mapping, or settings with a label. */
const describing: ReadonlySet<string> = new Set(['type', 'properties', 'label'])

/**
 * Returns the start and the end of the object or list after a name and its colon. An object or list without a closing
 * bracket ends at the end of the text. Fields of mappings and connector settings (`"password": {"label": …, "value":
 * …}`) are excluded, so that their types and labels stay.
 */
function bagAfter(text: string, end: number): { readonly start: number; readonly end: number } | undefined {
	const start = startOfValue(text, end)
	if (start === undefined || !/[[{]/.test(text[start] ?? '')) return undefined
	const bag = text.slice(start, start + (text[start] === '[' ? maxListLength : maxObjectLength))
	let depth = 0
	for (const { 0: token, index } of bag.matchAll(stringOrBracket)) {
		if (/^[[{]$/.test(token)) depth++
		else if (/^[\]}]$/.test(token)) {
			if (--depth === 0) return { start, end: start + index + 1 }
		} else if (depth === 1 && describing.has(contentOf(token)) && isName(bag, index + token.length)) return undefined
	}
	return { start, end: start + bag.length }
}

/** Redacts the strings and numbers of an object, not the names of its members. */
function redactValues(bag: string): string {
	const strings = bag.replace(anyString, (token, at: number) =>
		isName(bag, at + token.length) ? token : `"${removed}"`,
	)
	return strings.replace(/(?<=[:,[]\s{0,100})-?\d[\d.eE+-]{0,400}/g, `"${removed}"`)
}

function isName(text: string, end: number): boolean {
	return startOfValue(text, end) !== undefined
}

/** Members that name the `value` beside them. */
const nameMembers: ReadonlySet<string> = new Set(['name', 'key', 'field'])

/** Whether the string after a member's name is the name of a secret. */
function namesSecretAfter(text: string, end: number): boolean {
	const value = valueAfter(text, end)
	return value !== undefined && namesSecret(contentOf(text.slice(value.start, value.end)))
}

/** Returns the end of the flat object that a place is in. */
function endOfObject(text: string, from: number): number {
	const length = text.slice(from, from + 5_000).search(/[{}]/)
	return length < 0 ? from : from + length
}

const flatObject = /:\s{0,100}\{[^{}]{0,5000}\}/y

/** Returns the end of the object after a name, or 0 if the object contains a nested object. */
function endOfFlatObject(text: string, end: number): number {
	flatObject.lastIndex = end
	return flatObject.test(text) ? flatObject.lastIndex : 0
}

/** Returns where the value after a name and its colon starts; `undefined` if there is no colon. */
function startOfValue(text: string, end: number): number | undefined {
	const colon = afterGap(text, end)
	return text[colon] === ':' ? afterGap(text, colon + 1) : undefined
}

function afterGap(text: string, from: number): number {
	gap.lastIndex = from
	gap.test(text)
	return gap.lastIndex
}

/** Redacts query parameters, and settings written as `name=value`. A value may be encoded JSON, as in `source=`. */
function redactParameters(text: string, depth: number): string {
	return text.replace(/(?<![\w.%-])([\w.%-]{1,100})=([^&;\s"']+)/g, (pair: string, name: string, value: string) => {
		if (namesSecret(decoded(name)) || isAuthorizationCode(name, value)) return `${name}=${removed}`
		if (depth === maxDepth || !value.includes('%')) return pair
		const content = decoded(value)
		const clean = redactNamed(content, depth + 1)
		return clean === content ? pair : `${name}=${encodeURIComponent(clean)}`
	})
}

/** Whether a parameter is the code of an OpenID login, and not a status or an error code. */
function isAuthorizationCode(name: string, value: string): boolean {
	return name === 'code' && value.length >= 8 && /\d/.test(value) && /[a-z]/i.test(value)
}

/** Redacts settings written as `name => value`, as in the pipelines of Logstash. */
function redactArrows(text: string): string {
	return text.replace(
		/(?<![\w-])([\w-]{1,60})(["']?\s{0,20}=>\s{0,20})(?:"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?|[^\s"',;}]+)/g,
		(setting: string, name: string, arrow: string) => (namesSecret(name) ? `${name}${arrow}"${removed}"` : setting),
	)
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text.replaceAll('+', ' '))
	} catch {
		// A literal percent sign.
		return text
	}
}

/** Redacts a header on a separate line, or in quotes as curl takes it, and members with other quotes than JSON has. */
function redactHeaders(text: string): string {
	return text.replace(
		/(?<![\w./%-])([\w-]{1,60})('?):[ \t]{0,20}([^"'\s][^"'\n]*|"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?)/g,
		(header: string, name: string, quote: string, value: string) =>
			namesSecret(name) && !value.replace(/^["']/, '').startsWith(removed) ? `${name}${quote}: ${removed}` : header,
	)
}

/** Patterns for secrets that have no name to parse. */
const unnamedSecrets: RedactionPatterns = [
	[/(\s(?:-u|--user[= ])\s{0,5}['"]?[^\s:'"]{1,100}:)[^\s'"]+/g, `$1${removed}`],
	[/(hooks\.slack\.com\/services\/)[^\s"'\\]+/g, `$1${removed}`],
	[/(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g, `$1${removed}`],
]
