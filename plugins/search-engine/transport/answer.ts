import { isExactNumber, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'

/** Parts of an answer, whose shape differs by version: what is not there is empty. */

export function objectOf(value: Json | undefined): JsonObject {
	return isJsonObject(value) ? value : {}
}

export function objectsOf(value: Json | undefined): JsonObject[] {
	return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A number as the engine writes it, also as a text; 0 where it is none. */
export function numberOf(value: Json | undefined): number {
	const plain = isExactNumber(value) ? value.rawJSON : value
	const number = typeof plain === 'number' || typeof plain === 'string' ? Number(plain) : 0
	return Number.isNaN(number) ? 0 : number
}
