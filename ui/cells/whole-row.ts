import { rawText, type WithRaw } from '@roundhouse/kit/encoded'
import { type Json, parseJson } from '@roundhouse/kit/json'

/** Returns the document of a row that was read whole, with every digit. */
export function documentOf(row: WithRaw): Json {
	return parseJson(rawText(row))
}
