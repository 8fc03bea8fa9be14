import {
	DriverError,
	decode,
	type Encoded,
	isJsonObject,
	type JsonObject,
	jsonPart,
	stringifyJson,
	type ToolResult,
} from '@roundhouse/kit'
import { type EncodedMethod, faultOfAnswer } from '@roundhouse/kit/answer-shape'
import { JsonShape } from '@roundhouse/kit/wire/json-shape'
import { fitted } from './fitted.ts'

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

const narrowingHint = 'Ask for less: fewer rows or columns, a filter, a smaller size; export_data has no limit.'

function tooLarge(bytes: number, maxBytes: number): DriverError {
	const [unit, name] = maxBytes >= mib ? [mib, 'MB'] : [1000, 'kB']
	const size = Math.ceil(bytes / unit)
	return new DriverError(
		'query_failed',
		`The answer has ${size} ${name}. The limit is ${maxBytes / unit} ${name}. ${narrowingHint}`,
	)
}

/**
 * Fits the result of a driver's tool to a model's context: truncates the structured answer and marks it with
 * `cut_values`, and its text likewise. Long texts of other results are truncated and marked.
 * @param allowsAdditionalProperties whether the schema of the structured answer permits more members; otherwise the
 * answer is not truncated
 * @throws DriverError `query_failed` if a part that cannot be truncated, for example an image, is larger than `maxBytes` bytes
 */
export function fittedResult(
	result: ToolResult,
	{ maxBytes, allowsAdditionalProperties }: { readonly maxBytes: number; readonly allowsAdditionalProperties: boolean },
): ToolResult {
	const { structuredContent: structured } = result
	const whole = structured && stringifyJson(structured)
	if (whole !== undefined && !allowsAdditionalProperties && Buffer.byteLength(whole) > maxBytes)
		throw tooLarge(Buffer.byteLength(whole), maxBytes)
	const answer = structured && fittedAnswer(structured, maxBytes)
	// Most drivers send the structured answer as text too.
	const isCopy = ({ text }: JsonObject) => answer !== undefined && text === whole
	const others = fittedTexts(
		result.content.filter(block => !isCopy(block)),
		maxBytes,
	).values()
	const content = result.content.map(block =>
		isCopy(block) ? { ...block, text: stringifyJson(answer ?? null) } : (others.next().value ?? block),
	)
	return { ...result, content, ...(answer && { structuredContent: answer }) }
}

/**
 * Fits the texts of these blocks into a number of bytes, and marks a text that was truncated.
 * @throws DriverError `query_failed` if a part that cannot be truncated, for example an image, is larger
 */
export function fittedTexts<Block extends JsonObject>(blocks: readonly Block[], maxBytes: number): readonly Block[] {
	let room = maxBytes
	return blocks.map(block => {
		const { text } = block
		if (typeof text !== 'string') {
			room -= Buffer.byteLength(stringifyJson(block))
			if (room < 0) throw tooLarge(maxBytes - room, maxBytes)
			return block
		}
		const { value, cut } = fitted(text, Math.max(room, 0))
		room -= Buffer.byteLength(text)
		if (cut.length === 0) return block
		// Without the mark at its end.
		const kept = String(value).length - 1
		return { ...block, text: `${value} [cut: ${kept} of ${text.length} characters. ${narrowingHint}]` }
	})
}

function fittedAnswer(answer: JsonObject, maxBytes: number): JsonObject {
	const { value, cut } = fitted(answer, maxBytes)
	if (cut.length === 0 || !isJsonObject(value)) return answer
	return { ...value, hint: `The answer was cut. ${narrowingHint}`, cut_values: cut.map(part => ({ ...part })) }
}
