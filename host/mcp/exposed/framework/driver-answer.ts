import { isJsonObject, type JsonObject, stringifyJson, type ToolResult } from '@roundhouse/kit'
import { narrowingHint, tooLarge } from '../../access/decode-answer.ts'
import { fitted } from './fitted.ts'

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
