import type { Cell } from '@roundhouse/kit'
import type { RowKey } from '../grid/row-id.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { refuseWithheld } from './withheld.ts'

/**
 * Returns what an insert needs beside the `_source` to make a document again. `undefined` if the `_source` lacks fields
 * or the document would reach another index, as through an alias.
 */
export function insertAgain(
	{ index, id, routing }: RowKey,
	{ table, mapping }: { readonly table: string; readonly mapping: Mapping },
): Readonly<Record<string, Cell>> | undefined {
	if (index !== table) return undefined
	try {
		refuseWithheld(index, mapping)
	} catch {
		return undefined
	}
	return { _id: id, ...(routing !== undefined && { _routing: routing }) }
}
