import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'

/** Parts of an answer, whose shape differs by version: what is not there is empty. */

export function objectOf(value: Json | undefined): JsonObject {
	return isJsonObject(value) ? value : {}
}

export function objectsOf(value: Json | undefined): JsonObject[] {
	return Array.isArray(value) ? value.filter(isJsonObject) : []
}
