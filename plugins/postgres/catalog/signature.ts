import { isDriverError } from '@roundhouse/kit'
import { type QualifiedName, qualified } from '../sql/names.ts'
import type { Field } from '../wire/protocol.ts'
import type { Session } from '../wire/session.ts'

/**
 * Names and types of the columns of a table, as the server describes a query of all of them. It does not plan or run that
 * query, so a kept description of the table is compared with the server for the price of one message.
 */

export const signatureSql = (place: QualifiedName) => `select * from ${qualified(place)}`

export const signatureIn = (fields: readonly Field[]) =>
	JSON.stringify(fields.map(field => [field.name, field.columnID, field.dataTypeID, field.dataTypeModifier]))

/** Returns the signature now, or `undefined` if the server refuses, for example because the table is gone. */
export async function readSignature(
	session: Session,
	place: QualifiedName,
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		return signatureIn(await session.describe(signatureSql(place), signal))
	} catch (error) {
		if (isDriverError(error) && error.engineCode !== undefined && session.isUsable) return undefined
		throw error
	}
}
