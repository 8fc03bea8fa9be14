import type { Json, JsonObject } from '@roundhouse/kit'
import { numberOf, objectOf } from '../transport/answer.ts'

/** The settings of an index that affect its fields and searches. */
export interface IndexSettings {
	/** Whether fields without their own setting accept malformed values. */
	readonly ignoresMalformed: boolean
}

/** Default of `index.max_result_window`: the number of rows that one search may skip or return. */
export const defaultWindowRows = 10_000

/** Path of the settings that {@link readSettings} needs. */
export const settingsPath = '_settings/index.mapping.ignore_malformed,index.max_result_window'

export function readSettings(answer: Json): {
	readonly of: (index: string) => IndexSettings
	/** The number of rows that one search over all these indices may skip or return. */
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
