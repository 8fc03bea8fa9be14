import type { Json, JsonObject } from '@roundhouse/kit'
import { numberOf, objectOf } from '../transport/answer.ts'

/** What the settings of an index say about its fields and its searches. */
export interface IndexSettings {
	/** Takes values that do not fit, in every field that does not say otherwise. */
	readonly ignoresMalformed: boolean
}

/** The most rows one search may pass over or return, by default: `index.max_result_window`. */
export const defaultWindowRows = 10_000

/** Of `_settings`: all that {@link readSettings} looks at. */
export const settingsPath = '_settings/index.mapping.ignore_malformed,index.max_result_window'

export function readSettings(answer: Json): {
	readonly of: (index: string) => IndexSettings
	/** The most rows that one search over all of them may pass over or return. */
	readonly windowRows: number
} {
	const indices = objectOf(answer)
	const windows = Object.values(indices).map(index => numberOf(indexOf(index).max_result_window ?? defaultWindowRows))
	return {
		of: name => ({ ignoresMalformed: objectOf(indexOf(indices[name]).mapping).ignore_malformed === 'true' }),
		windowRows: Math.min(defaultWindowRows, ...windows.filter(rows => rows > 0)),
	}
}

function indexOf(answer: Json | undefined): JsonObject {
	return objectOf(objectOf(objectOf(answer).settings).index)
}
