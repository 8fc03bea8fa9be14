import { DriverError, decode, type Encoded, jsonPart } from '@roundhouse/kit'
import { type EncodedMethod, faultOfAnswer } from '@roundhouse/kit/answer-shape'
import { JsonShape } from '@roundhouse/kit/wire/json-shape'

const mib = 1024 * 1024
/**
 * Upper limit of the JSON in one answer for an AI client. Parsing blocks the host, and a driver can send 64 MiB of
 * JSON, which took 17 seconds and 3.5 GB. Text besides the JSON is not parsed and does not count.
 */
const maxBytes = 8 * mib
const limits = { depth: 256, parts: 1_000_000, digits: 4_000_000 }

/** A driver's process or a session, which says whose answer is wrong and logs it. */
interface Answering<M extends EncodedMethod> {
	wrongAnswer(method: M, fault: string): DriverError
}

/** Answers of drivers whose parts go to clients as they are. */
const passedOn: ReadonlySet<string> = new Set(['callTool', 'getPrompt', 'readResource'])

/** A page that a client would run. Only Roundhouse has pages (host/mcp/exposed/apps). */
function refersToPage(value: unknown, name = ''): boolean {
	if (typeof value === 'string') return name !== 'text' && /^\s*ui:/i.test(value)
	if (typeof value !== 'object' || value === null) return false
	return Object.entries(value).some(([name, member]) => name !== 'structuredContent' && refersToPage(member, name))
}

/**
 * Parses the answer of a driver.
 * @throws DriverError `query_failed` if it is too large; `internal_failure` if it has another shape than the method's
 */
export function decodeAnswer<T, M extends EncodedMethod>(method: M, encoded: Encoded<T>, from: Answering<M>): T {
	const json = jsonPart(encoded)
	if (json.length > maxBytes) throw tooLarge(json.length, maxBytes)
	const shape = new JsonShape(limits)
	shape.push(json)
	if (shape.excess) throw new DriverError('query_failed', `The answer has too many parts. ${narrowingHint}`)
	const answer = decode(encoded)
	const fault = faultOfAnswer(method, answer)
	if (fault !== undefined) throw from.wrongAnswer(method, fault)
	if (passedOn.has(method) && refersToPage(answer)) throw from.wrongAnswer(method, 'it refers to a page (ui:…)')
	return answer
}

export const narrowingHint = 'Ask for less: fewer rows or columns, a filter, a smaller size; export_data has no limit.'

export function tooLarge(bytes: number, maxBytes: number): DriverError {
	const [unit, name] = maxBytes >= mib ? [mib, 'MB'] : [1000, 'kB']
	const size = Math.ceil(bytes / unit)
	return new DriverError(
		'query_failed',
		`The answer has ${size} ${name}. The limit is ${maxBytes / unit} ${name}. ${narrowingHint}`,
	)
}
