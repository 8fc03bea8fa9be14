import { DriverError, decode, type Encoded, jsonPart, stringifyJson, type ToolResult } from '@roundhouse/kit'
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
	return answer
}

const narrowingHint = 'Ask for less: fewer rows or columns, a filter, a smaller size.'

function tooLarge(bytes: number, most: number): DriverError {
	const size = Math.ceil(bytes / mib)
	return new DriverError('query_failed', `The answer has ${size} MB. The limit is ${most / mib} MB. ${narrowingHint}`)
}

/**
 * Limits the result of a driver's tool to the size of the core's results. Truncates and marks long texts. Structured
 * content must match the tool's schema, so it cannot be truncated. @throws DriverError `query_failed` if it is larger
 * than `most` bytes
 */
export function fittedResult(result: ToolResult, most: number): ToolResult {
	const structuredBytes = result.structuredContent ? Buffer.byteLength(stringifyJson(result.structuredContent)) : 0
	if (structuredBytes > most) throw tooLarge(structuredBytes, most)
	let room = most
	const content = result.content.map(block => {
		const { text } = block
		if (typeof text !== 'string') {
			room -= Buffer.byteLength(stringifyJson(block))
			if (room < 0) throw tooLarge(most - room, most)
			return block
		}
		const bytes = Buffer.byteLength(text)
		const shown = Math.max(room, 0)
		room -= bytes
		if (bytes <= shown) return block
		const kept = Buffer.from(text)
			.subarray(0, shown)
			.toString('utf8')
			.replace(/\uFFFD$/, '')
		return { ...block, text: `${kept}… [cut: ${kept.length} of ${text.length} characters. ${narrowingHint}]` }
	})
	return { ...result, content }
}
