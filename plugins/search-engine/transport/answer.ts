import { isExactNumber, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'

/** Readers for parts of an answer, whose structure differs by version. A missing part is empty. */

export function objectOf(value: Json | undefined): JsonObject {
	return isJsonObject(value) ? value : {}
}

export function objectsOf(value: Json | undefined): JsonObject[] {
	return Array.isArray(value) ? value.filter(isJsonObject) : []
}

export function stringsIn(value: Json | undefined): string[] {
	return Array.isArray(value) ? value.filter(element => typeof element === 'string') : []
}

/** Returns a number, also if the engine wrote it as text, or 0 if it is not one. */
export function numberOf(value: Json | undefined): number {
	const plain = isExactNumber(value) ? value.rawJSON : value
	const number = typeof plain === 'number' || typeof plain === 'string' ? Number(plain) : 0
	return Number.isNaN(number) ? 0 : number
}
