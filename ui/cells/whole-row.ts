import { rawText, type WithRaw } from '@roundhouse/kit/encoded'
import { type Json, parseJson } from '@roundhouse/kit/json'

/** The document of a row that was read whole, every number as it came. */
export function documentOf(row: WithRaw): Json {
	return parseJson(rawText(row))
}
